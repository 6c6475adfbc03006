import { isAscii } from "node:buffer";
import { read, readSync, writeSync } from "node:fs";
import { FRAME_HEADER_BYTES } from "../../../../schemas/run/protocol.ts";
import { isSurrogatePair, MAX_UNIT_BYTES } from "../../../../schemas/json/utf8.ts";

/** A program that starts this one for the host may pass on no more than the standard streams. */
const [IN, OUT] = globalThis.process.argv[3] === "--standard-streams" ? ([0, 1] as const) : ([3, 4] as const);
const CHUNK_BYTES = 64 * 1024;
/** A longer body is sent in parts of so many UTF-16 units: no second copy of it is made. */
const PART_LENGTH = 64 * 1024;

const { Buffer, setImmediate } = globalThis;
const { env } = globalThis.process;

/** Writes a frame and returns when the host's side of the pipe has it, so that nothing logged is lost when the process is killed. */
export function sendFrame(header: string, body?: string): void {
  if (body === undefined) return sendStart(header, 0);
  const first = takePart(body, 0);
  sendStart(`${header}\n${first}`, Buffer.byteLength(body) - Buffer.byteLength(first));
  if (first.length !== body.length) sendRest(body, first.length);
}

/** Writes the length of a frame, and its text up to that of which so many bytes are still to come. */
function sendStart(text: string, missingBytes: number): void {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + length);
  bytes.writeUInt32LE(length + missingBytes, 0);
  bytes.write(text, FRAME_HEADER_BYTES);
  sendBytes(bytes);
}

function sendRest(text: string, start: number): void {
  const bytes = Buffer.allocUnsafe(PART_LENGTH * MAX_UNIT_BYTES);
  for (let sent = start; sent !== text.length;) {
    const part = takePart(text, sent);
    sendBytes(bytes.subarray(0, bytes.write(part)));
    sent += part.length;
  }
}

/** The part that begins there, with whole surrogate pairs. */
function takePart(text: string, start: number): string {
  const part = text.slice(start, start + PART_LENGTH);
  return isSurrogatePair(text, start + part.length - 1) ? part.slice(0, -1) : part;
}

export function sendBytes(bytes: Buffer): void {
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(OUT, bytes, sent);
    } catch (error) {
      if ((error as { code?: string }).code !== "EAGAIN") throw error;
    }
  }
}

export interface FrameReader {
  /**
   * Waits for the next frame of the host, unless it does so already. Alone is a process that nothing but the host can wake: it stands still
   * meanwhile, and wakes without the detour over another thread.
   */
  awaitFrame(isAlone: boolean): void;
}

/**
 * Hands over the text of every frame that the host sends. It reads the descriptor itself: no socket object exists in this process, and
 * leaving out `node:net` saves a tenth of the start. A long frame is read into a buffer of its length.
 */
export function makeFrameReader(onFrame: (text: string) => void, onEnd: () => void): FrameReader {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let buffer = chunk;
  let filled = 0;
  let isWaiting = false;

  const takeFrames = (): void => {
    isWaiting = false;
    let start = 0;
    for (;;) {
      const wanted = wantedBytes(start);
      if (filled - start < wanted) return keepRest(start, wanted);
      onFrame(decode(buffer.subarray(start + FRAME_HEADER_BYTES, start + wanted)));
      start += wanted;
    }
  };
  /** The bytes of the frame that begins there; those of its header while that is not there. */
  const wantedBytes = (start: number): number =>
    FRAME_HEADER_BYTES + (filled - start < FRAME_HEADER_BYTES ? 0 : buffer.readUInt32LE(start));
  /** Puts what is not a whole frame yet to the front, with room for all of it. */
  const keepRest = (start: number, wanted: number): void => {
    if (start === 0 && wanted <= buffer.length) return; // It has room.
    const rest = buffer.subarray(start, filled);
    buffer = wanted <= CHUNK_BYTES ? chunk : Buffer.allocUnsafe(wanted);
    filled = rest.copy(buffer);
  };
  /** Notes what was read. False where the frame is not whole yet. */
  const isWhole = (count: number): boolean => {
    filled += count;
    const wanted = wantedBytes(0);
    if (filled >= wanted) return true;
    keepRest(0, wanted);
    return false;
  };
  const readFrame = (): void => {
    for (;;) {
      const count = readSync(IN, buffer, filled, buffer.length - filled, null);
      if (count === 0) return onEnd();
      if (isWhole(count)) break;
    }
    setImmediate(takeFrames); // In the next round of the event loop, whose clock has not stood still: timers start from it.
  };
  const readInBackground = (): void => {
    read(IN, buffer, filled, buffer.length - filled, null, (_error, count) => {
      if (count === 0) return onEnd(); // After an error too.
      if (isWhole(count)) takeFrames();
      else readInBackground();
    });
  };
  env["UV_THREADPOOL_SIZE"] = "1"; // Four threads would start with the first read in the background, and there is one read at a time.
  return {
    awaitFrame(isAlone) {
      if (isWaiting) return;
      isWaiting = true;
      if (isAlone) readFrame();
      else readInBackground();
    },
  };
}

/** Plain ASCII, which most frames are, need not be looked through for sequences. */
function decode(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}
