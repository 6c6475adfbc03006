import type { MessageTransport } from "./wire/message-transport.ts";

/** How long a stream that keeps this process alive stays open without a request. */
const IDLE_MS = 200;

/** The connections that end when this process has nothing more to do, each by its way to close. */
const living = new Set<() => unknown>();

/**
 * Lets this process end by itself although a connection is open: only a request under way holds it. When there is nothing
 * more to do, the connection is closed in its own time.
 */
export class ProcessHold {
  readonly #transport: () => MessageTransport;
  readonly #close: () => unknown;
  #underWay = 0;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(transport: () => MessageTransport, close: () => unknown) {
    this.#transport = transport;
    this.#close = close;
    if (living.size === 0) process.on("beforeExit", closeAll);
    living.add(close);
  }

  async during<Result>(request: () => Promise<Result>): Promise<Result> {
    this.#underWay += 1;
    clearTimeout(this.#idleTimer);
    this.#transport().ref?.();
    try {
      return await request();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#rest();
    }
  }

  /** The connection has ended. */
  release(): void {
    clearTimeout(this.#idleTimer);
    if (living.delete(this.#close) && living.size === 0) process.removeListener("beforeExit", closeAll);
  }

  #rest(): void {
    const transport = this.#transport();
    transport.unref?.();
    // The stream of the older transport is a request that is never answered.
    if (transport.kind === "sse") this.#idleTimer = setTimeout(this.#close, IDLE_MS).unref();
  }
}

function closeAll(): void {
  for (const close of living) close();
}
