import { decodeUtf8 } from "../decode-text.ts";

/** What is left of a line that was longer than the limit: its first and last bytes and its length. */
export interface OversizeLine {
  kind: "oversize";
  head: string;
  tail: string;
  byteLength: number;
}

export type Line = { kind: "line"; text: string } | OversizeLine;

/** A whole line that is so long that its reader wants to decode it himself. */
export interface LongLine {
  kind: "long";
  bytes: Buffer;
}

const NEWLINE = 0x0a;
const EDGE_BYTES = 256;
const NOTHING = Buffer.alloc(0);

/**
 * Cuts a byte stream into lines. Each byte is copied once, so a line of any length costs linear time,
 * and a line over the limit costs no memory beyond it.
 */
export class LineSplitter<Long extends LongLine = never> {
  readonly #limit: number;
  readonly #keepsEmptyLines: boolean;
  readonly #longBytes: number;
  #parts: Buffer[] = [];
  #byteLength = 0;
  #head: Buffer | undefined;
  #tail = NOTHING;

  /** Where `longBytes` is given, lines from there on are `LongLine`s. */
  constructor(limitBytes: number, { keepsEmptyLines = false, longBytes = Infinity } = {}) {
    this.#limit = limitBytes;
    this.#longBytes = longBytes;
    this.#keepsEmptyLines = keepsEmptyLines;
  }

  /** Takes the next chunk and gives the lines that end in it; empty lines are left out unless they are to be kept. */
  push(chunk: Buffer): (Line | Long)[] {
    const lines: (Line | Long)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      start = end + 1;
      const line = this.#take();
      if (line !== undefined) lines.push(line);
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
    return lines;
  }

  /** The last bytes of the line that has not ended yet, as text; empty where it is over the limit. */
  openLine(limitBytes: number): string {
    return decodeUtf8(Buffer.concat(this.#parts).subarray(-limitBytes));
  }

  #add(part: Buffer): void {
    this.#byteLength += part.length;
    if (this.#head === undefined) {
      this.#parts.push(part);
      if (this.#byteLength <= this.#limit) return;
      const collected = Buffer.concat(this.#parts);
      this.#head = Buffer.from(collected.subarray(0, EDGE_BYTES));
      this.#tail = Buffer.from(collected.subarray(-EDGE_BYTES));
      this.#parts = [];
    } else {
      this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES));
    }
  }

  #toWhole(bytes: Buffer): Line | Long {
    if (bytes.length >= this.#longBytes) return { kind: "long", bytes } as Long;
    return { kind: "line", text: decodeUtf8(bytes) };
  }

  /** What is in one chunk is not copied. */
  #joinParts(): Buffer {
    const [first] = this.#parts;
    return first !== undefined && this.#parts.length === 1 ? first : Buffer.concat(this.#parts, this.#byteLength);
  }

  #take(): Line | Long | undefined {
    const line: Line | Long =
      this.#head === undefined
        ? this.#toWhole(this.#joinParts())
        : {
            kind: "oversize",
            head: this.#head.toString("latin1"),
            tail: this.#tail.toString("latin1"),
            byteLength: this.#byteLength,
          };
    this.#parts = [];
    this.#byteLength = 0;
    this.#head = undefined;
    this.#tail = NOTHING;
    return !this.#keepsEmptyLines && line.kind === "line" && line.text.trim() === "" ? undefined : line;
  }
}
