import { decodeText } from "@codemode/runtime/connections/decode-text";
import { FRAME_HEADER_BYTES, formatFrame, type HostHeader } from "../../../schemas/run/protocol.ts";

export interface FrameReader {
  /** Takes what came over the pipe, and hands on every frame that is whole. */
  push(chunk: Buffer): void;
}

/** From this size on, the body of a frame stays as bytes: it may never have to be decoded. */
const LONG_FRAME_BYTES = 256 * 1024;

const NEWLINE = 0x0a;

/**
 * The text of a frame that is longer than this is never buffered.
 * @param onFrame receives the text of a frame; of a long one with a body the first line, and the body as bytes
 */
export function makeFrameReader(
  maxFrameBytes: () => number,
  onFrame: (text: string, body?: Buffer) => void,
  onTooLong: () => void,
): FrameReader {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let wanted = FRAME_HEADER_BYTES;
  let isBroken = false;

  const readOne = (): boolean => {
    const buffered = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, bytes);
    chunks = [buffered];
    const length = buffered.readUInt32LE(0);
    if (length > maxFrameBytes()) {
      isBroken = true;
      chunks = [];
      onTooLong();
      return false;
    }
    wanted = FRAME_HEADER_BYTES + length;
    if (bytes < wanted) return false;
    const frame = buffered.subarray(FRAME_HEADER_BYTES, wanted);
    const lineEnd = length < LONG_FRAME_BYTES ? -1 : frame.indexOf(NEWLINE);
    chunks = [buffered.subarray(wanted)];
    bytes -= wanted;
    wanted = FRAME_HEADER_BYTES;
    if (lineEnd < 0) onFrame(decodeText(frame));
    else onFrame(decodeText(frame.subarray(0, lineEnd)), frame.subarray(lineEnd + 1));
    return true;
  };

  return {
    push(chunk) {
      if (isBroken) return;
      chunks.push(chunk);
      bytes += chunk.length;
      while (bytes >= wanted && readOne());
    },
  };
}

/** A body as text, or JSON text in UTF-8 with text around it, which is not copied. */
export type FrameBody = string | { before: string; json: Buffer; after: string };

export function printBody(body: FrameBody): string {
  return typeof body === "string" ? body : `${body.before}${decodeText(body.json)}${body.after}`;
}

/** The bytes of a frame, in the parts that they are to be written in. */
export function encodeFrame(header: HostHeader, body: FrameBody): Buffer[] {
  if (typeof body === "string") return [encodeStart(formatFrame(header, body), 0)];
  const after = Buffer.from(body.after);
  return [encodeStart(formatFrame(header, body.before), body.json.length + after.length), body.json, after];
}

/** The length of a frame, and its text up to that of which so many bytes are still to come. */
function encodeStart(text: string, missingBytes: number): Buffer {
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + length);
  frame.writeUInt32LE(length + missingBytes, 0);
  frame.write(text, FRAME_HEADER_BYTES);
  return frame;
}
