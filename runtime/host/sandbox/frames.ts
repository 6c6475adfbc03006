import { FRAME_HEADER_BYTES, formatFrame, type HostHeader } from "../../../schemas/protocol.ts";

export interface FrameReader {
  /** Takes what came over the pipe, and hands on every frame that is whole. */
  push(chunk: Buffer): void;
}

/** The text of a frame that is longer than this is never buffered. */
export function makeFrameReader(
  maxFrameBytes: () => number,
  onFrame: (text: string) => void,
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
    const text = buffered.toString("utf8", FRAME_HEADER_BYTES, wanted);
    chunks = [buffered.subarray(wanted)];
    bytes -= wanted;
    wanted = FRAME_HEADER_BYTES;
    onFrame(text);
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

/** The bytes of a frame. */
export function encodeFrame(header: HostHeader, body: string): Buffer {
  const text = formatFrame(header, body);
  const length = Buffer.byteLength(text);
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + length);
  frame.writeUInt32LE(length, 0);
  frame.write(text, FRAME_HEADER_BYTES);
  return frame;
}
