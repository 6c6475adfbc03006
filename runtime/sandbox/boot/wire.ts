import { read, writeSync } from "node:fs";
import { FRAME_HEADER_BYTES } from "../../../schemas/protocol.ts";

const IN = 3;
const OUT = 4;
const CHUNK_BYTES = 64 * 1024;

const { Buffer } = globalThis;
const { env } = globalThis.process;

/** Writes a frame and returns when the host's side of the pipe has it, so that nothing logged is lost when the process is killed. */
export function sendFrame(text: string): void {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + length);
  bytes.writeUInt32LE(length, 0);
  bytes.write(text, FRAME_HEADER_BYTES);
  sendBytes(bytes);
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

/**
 * Hands over the text of every frame that the host sends. It reads the descriptor itself: no socket object exists in this process, and
 * leaving out `node:net` saves a tenth of the start.
 */
export function readFrames(onFrame: (text: string) => void, onEnd: () => void): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let wantedBytes = FRAME_HEADER_BYTES;

  const takeFrames = (): void => {
    while (pendingBytes >= wantedBytes) {
      const bytes = pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending, pendingBytes);
      const end = FRAME_HEADER_BYTES + bytes.readUInt32LE(0);
      wantedBytes = end;
      pending = [bytes];
      if (pendingBytes < end) return;
      pending = [bytes.subarray(end)];
      pendingBytes -= end;
      wantedBytes = FRAME_HEADER_BYTES;
      onFrame(bytes.toString("utf8", FRAME_HEADER_BYTES, end));
    }
  };
  const readMore = (): void => {
    read(IN, chunk, 0, CHUNK_BYTES, null, (error, count) => {
      if (error !== null || count === 0) return onEnd();
      pending.push(Buffer.from(chunk.subarray(0, count)));
      pendingBytes += count;
      takeFrames();
      readMore();
    });
  };
  env["UV_THREADPOOL_SIZE"] = "1"; // Four threads would start with the first read, and there is one read at a time.
  readMore();
}
