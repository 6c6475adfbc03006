import { isAscii } from "node:buffer";

const HEADER_BYTES = 4;
const NEW_LINE = 0x0a;

/** Writes a frame: its length, a line of JSON, and a body in parts, which are texts or bytes. Bytes are not copied. */
export function writeFrame(stream, header, parts) {
  const start = parts.findIndex((part) => typeof part !== "string");
  const texts = start === -1 ? parts : parts.slice(0, start);
  const rest =
    start === -1 ? [] : parts.slice(start).map((part) => (typeof part === "string" ? Buffer.from(part) : part));
  const text = `${JSON.stringify(header)}\n${texts.join("")}`;
  const bytes = Buffer.byteLength(text);
  const first = Buffer.allocUnsafe(HEADER_BYTES + bytes);
  first.writeUInt32LE(
    rest.reduce((sum, { length }) => sum + length, bytes),
    0,
  );
  first.write(text, HEADER_BYTES);
  for (const part of [first, ...rest]) writeSoon(stream, part);
}

/** Writes at the end of this turn, together with what else is written in it: one call of the system for all of that. */
export function writeSoon(stream, part) {
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(() => stream.uncork());
  }
  stream.write(part);
}

/** Hands over the header of each frame that is whole, and its body as bytes. */
export function readFrames(stream, onFrame) {
  let chunks = [];
  let bytes = 0;
  let wanted = HEADER_BYTES;
  stream.on("data", (chunk) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= wanted) {
      const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, bytes);
      chunks = [all];
      wanted = HEADER_BYTES + all.readUInt32LE(0);
      if (bytes < wanted) return;
      const lineEnd = all.indexOf(NEW_LINE, HEADER_BYTES);
      const header = JSON.parse(decode(all.subarray(HEADER_BYTES, lineEnd)));
      const body = all.subarray(lineEnd + 1, wanted);
      chunks = [all.subarray(wanted)];
      bytes -= wanted;
      wanted = HEADER_BYTES;
      onFrame(header, body);
    }
  });
}

/** Hands over each line that is whole, as bytes. */
export function readLines(stream, onLine) {
  let parts = [];
  stream.on("data", (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, start)) {
      const last = chunk.subarray(start, end);
      const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      parts = [];
      start = end + 1;
      onLine(line);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}

/** Plain ASCII is decoded in a fraction of the time. */
export function decode(bytes) {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}
