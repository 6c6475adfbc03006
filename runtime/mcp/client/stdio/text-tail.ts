/** Keeps the last bytes of an endless stream in constant memory. */
export class TextTail {
  readonly #limit: number;
  #kept = Buffer.alloc(0);

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  append(chunk: Buffer): void {
    const joined = chunk.length >= this.#limit ? chunk : Buffer.concat([this.#kept, chunk]);
    // A copy: a view would keep the whole chunk alive.
    this.#kept = Buffer.from(joined.subarray(-this.#limit));
  }

  /** UTF-8; a character that was cut in two at the start becomes U+FFFD. */
  text(): string {
    return this.#kept.toString("utf8");
  }
}
