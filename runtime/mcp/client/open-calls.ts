import type { CallListener } from "./call-listener.ts";
import type { RequestLimits } from "./request-limits.ts";

/** A request under way. */
export interface OpenCall {
  listener: CallListener | undefined;
  limits: Pick<RequestLimits, "hold">;
}

/** Those that something unasked for by a server can belong to: calls of one person. */
export interface Hearers {
  listener: CallListener;
  /** Stops the time limits of all of them. */
  hold(): () => void;
  /** Aborted when the last of them has ended. */
  ended: AbortSignal;
}

/** The calls that are under way over one link. */
export class OpenCalls {
  readonly #calls = new Map<OpenCall, Set<() => void>>();

  /** Returns what is to be called at the end of the call. */
  add(call: OpenCall): () => void {
    const onEnd = new Set<() => void>();
    this.#calls.set(call, onEnd);
    return () => {
      this.#calls.delete(call);
      for (const listener of onEnd) listener();
    };
  }

  /** Undefined where there is no call with a listener, or where calls of several persons are under way: none may hear what is another's. */
  listening(): Hearers | undefined {
    const calls = [...this.#calls.keys()].filter(({ listener }) => listener !== undefined);
    const listener = calls.at(-1)?.listener;
    if (listener === undefined || calls.some((call) => call.listener?.person !== listener.person)) return undefined;
    const ending = new AbortController();
    let open = calls.length;
    for (const call of calls) {
      this.#calls.get(call)?.add(() => {
        open -= 1;
        if (open === 0) ending.abort();
      });
    }
    return { listener, hold: () => holdAll(calls), ended: ending.signal };
  }
}

function holdAll(calls: readonly OpenCall[]): () => void {
  const releases = calls.map(({ limits }) => limits.hold());
  return () => releases.forEach((release) => release());
}
