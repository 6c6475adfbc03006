import type { DomExceptionClass } from "./dom-exception.ts";
import type { EventClasses } from "./events.ts";
import type { Timers } from "./timers.ts";

export interface AbortClasses {
  AbortController: new () => object;
  AbortSignal: new (...args: never) => object;
}

/** The state of a signal, which scripts do not reach. */
interface SignalState {
  isAborted: boolean;
  reason: unknown;
  /** The signals that this one aborts, and the signals that abort this one. */
  readonly dependents: Set<SignalState>;
  readonly sources: Set<SignalState>;
  announce(): void;
}

/** What this file alone does with signals. */
interface Signals {
  AbortSignal: AbortClasses["AbortSignal"];
  make(): object;
  abort(signal: object, reason?: unknown): void;
}

/** Makes the classes `AbortController` and `AbortSignal` (WHATWG DOM, chapter 3). */
export function makeAbortClasses(
  events: EventClasses,
  DOMException: DomExceptionClass,
  timers: Pick<Timers, "guard">,
): AbortClasses {
  const { AbortSignal, make, abort } = makeSignals(events, DOMException, timers.guard);

  class AbortController {
    readonly #signal = make();

    get signal(): object {
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

function makeSignals(events: EventClasses, DOMException: DomExceptionClass, guard: Timers["guard"]): Signals {
  let stateOf: (signal: unknown) => SignalState;
  /** Only this file makes signals. */
  const key = {};
  const make = (): AbortSignal => new AbortSignal(key);
  const abort = (
    signal: object,
    reason: unknown = new DOMException("This operation was aborted", "AbortError"),
  ): void => abortWithDependents(stateOf(signal), reason);

  class AbortSignal extends events.EventTarget {
    readonly #state = makeState(() => void this.dispatchEvent(new events.Event("abort")));
    #onabort: unknown = null;

    static {
      stateOf = (signal) => {
        if (typeof signal === "object" && signal !== null && #state in signal) return signal.#state;
        throw new TypeError("AbortSignal.any takes a list of signals");
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
      guard(() => abort(signal, new DOMException("The operation timed out", "TimeoutError")), delay);
      return signal;
    }

    static any(signals: Iterable<unknown>): AbortSignal {
      const joint = make();
      joinSignals(stateOf(joint), [...signals].map(stateOf));
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
      return this.#state.isAborted;
    }

    get reason(): unknown {
      return this.#state.reason;
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
      if (this.#state.isAborted) throw this.#state.reason;
    }

    get [Symbol.toStringTag](): string {
      return "AbortSignal";
    }
  }
  return { AbortSignal, make, abort };
}

function makeState(announce: () => void): SignalState {
  return { isAborted: false, reason: undefined, dependents: new Set(), sources: new Set(), announce };
}

function abortWithDependents(state: SignalState, reason: unknown): void {
  if (state.isAborted) return;
  const aborted = [state, ...state.dependents].filter((one) => !one.isAborted);
  for (const one of aborted) {
    one.isAborted = true;
    one.reason = reason;
    for (const source of one.sources) source.dependents.delete(one);
  }
  for (const one of aborted) one.announce();
}

function joinSignals(joint: SignalState, given: readonly SignalState[]): void {
  const aborted = given.find((source) => source.isAborted);
  if (aborted !== undefined) return abortWithDependents(joint, aborted.reason);
  // What a source depends on itself comes in its place: the order of sources does not matter then.
  for (const source of given.flatMap((one) => (one.sources.size > 0 ? [...one.sources] : [one]))) {
    source.dependents.add(joint);
    joint.sources.add(source);
  }
}
