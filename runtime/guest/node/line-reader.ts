const NEWLINE = 0x0a;

/** Cuts a byte stream into lines. Each byte is copied once, so that a long line costs linear time. */
export class LineReader {
  readonly #limitBytes: number;
  readonly #take: (line: string) => void;
  #parts: Buffer[] = [];
  #byteLength = 0;

  constructor(limitBytes: number, take: (line: string) => void) {
    this.#limitBytes = limitBytes;
    this.#take = take;
  }

  /** Takes the next chunk and hands on the lines that end in it. False where a line is over the limit. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#parts.push(chunk.subarray(start, end));
      const line = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      this.#byteLength = 0;
      start = end + 1;
      this.#take(line);
    }
    this.#parts.push(chunk.subarray(start));
    this.#byteLength += chunk.length - start;
    return this.#byteLength <= this.#limitBytes;
  }
}
