import type { DomExceptionClass } from "./dom-exception.ts";
import type { EventClasses } from "./events.ts";
import type { Timers } from "./timers.ts";

export interface AbortClasses {
  AbortController: new () => object;
  AbortSignal: new (...args: never) => object;
}

/** Makes the classes `AbortController` and `AbortSignal` (WHATWG DOM, chapter 3). */
export function makeAbortClasses(
  { Event, EventTarget }: EventClasses,
  DOMException: DomExceptionClass,
  timers: Pick<Timers, "guard">,
): AbortClasses {
  let make: () => AbortSignal;
  let abort: (signal: AbortSignal, reason?: unknown) => void;
  /** Only this file makes signals. */
  const key = {};

  class AbortSignal extends EventTarget {
    #isAborted = false;
    #reason: unknown;
    #onabort: unknown = null;
    /** Those that are aborted with this one, and those that abort this one. */
    readonly #dependents = new Set<AbortSignal>();
    readonly #sources = new Set<AbortSignal>();

    static {
      make = () => new AbortSignal(key);
      abort = (signal, reason) => {
        if (signal.#isAborted) return;
        const cause = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
        const aborted = [signal, ...signal.#dependents].filter((one) => !one.#isAborted);
        for (const one of aborted) {
          one.#isAborted = true;
          one.#reason = cause;
          for (const source of one.#sources) source.#dependents.delete(one);
        }
        for (const one of aborted) one.#announce();
      };
    }

    static abort(reason?: unknown): AbortSignal {
      const signal = make();
      abort(signal, reason);
      return signal;
    }

    static timeout(delayMs: unknown): AbortSignal {
      const delay = Number(delayMs);
      if (!Number.isFinite(delay) || delay < 0) throw new TypeError("AbortSignal.timeout takes milliseconds");
      const signal = make();
      const onTime = (): void => abort(signal, new DOMException("The operation timed out", "TimeoutError"));
      timers.guard(onTime, delay);
      return signal;
    }

    static any(signals: Iterable<AbortSignal>): AbortSignal {
      const joint = make();
      const given = [...signals];
      for (const source of given) {
        if (!(#isAborted in source)) throw new TypeError("AbortSignal.any takes a list of signals");
      }
      const aborted = given.find((source) => source.#isAborted);
      if (aborted !== undefined) {
        abort(joint, aborted.#reason);
        return joint;
      }
      // What a source depends on itself comes in its place: the order of sources does not matter then.
      for (const source of given.flatMap((one) => (one.#sources.size > 0 ? [...one.#sources] : [one]))) {
        source.#dependents.add(joint);
        joint.#sources.add(source);
      }
      return joint;
    }

    constructor(given?: unknown) {
      super();
      if (given !== key) throw new TypeError("Illegal constructor: use AbortController");
      this.addEventListener("abort", (event: unknown) => {
        if (typeof this.#onabort === "function") Reflect.apply(this.#onabort as () => unknown, this, [event]);
      });
    }

    get aborted(): boolean {
      return this.#isAborted;
    }

    get reason(): unknown {
      return this.#reason;
    }

    get onabort(): unknown {
      return this.#onabort;
    }

    set onabort(listener: unknown) {
      this.#onabort = typeof listener === "function" ? listener : null;
    }

    throwIfAborted(): void {
      // The reason is the script's own choice, as `throw` is.
      // oxlint-disable-next-line no-throw-literal
      if (this.#isAborted) throw this.#reason;
    }

    #announce(): void {
      this.dispatchEvent(new Event("abort"));
    }

    get [Symbol.toStringTag](): string {
      return "AbortSignal";
    }
  }

  class AbortController {
    readonly #signal = make();

    get signal(): AbortSignal {
      return this.#signal;
    }

    abort(reason?: unknown): void {
      abort(this.#signal, reason);
    }

    get [Symbol.toStringTag](): string {
      return "AbortController";
    }
  }
  return { AbortController, AbortSignal };
}
