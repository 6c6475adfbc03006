/** Counts what is being done, so that a server can wait for its end. */
export class OpenWork {
  #count = 0;
  #waiting: (() => void)[] = [];

  get count(): number {
    return this.#count;
  }

  async track<T>(work: Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work;
    } finally {
      this.#count -= 1;
      if (this.#count === 0) for (const settle of this.#waiting.splice(0)) settle();
    }
  }

  /** Resolves when nothing is left to do, or when the time is up. */
  async settled(withinMs: number): Promise<void> {
    if (this.#count === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const done = new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      timer = setTimeout(resolve, withinMs);
    });
    await done;
    clearTimeout(timer);
  }
}
