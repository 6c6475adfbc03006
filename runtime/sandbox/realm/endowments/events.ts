import { allowOverridesOf } from "../shims/allow-overrides.ts";

export interface EventClasses {
  Event: new (type: unknown, init?: EventInit) => ScriptEvent;
  EventTarget: new () => ScriptEventTarget;
}

export interface EventInit {
  bubbles?: unknown;
  cancelable?: unknown;
  composed?: unknown;
}

export interface ScriptEvent {
  readonly type: string;
}

export interface ScriptEventTarget {
  addEventListener(type: unknown, listener: unknown, options?: unknown): void;
  removeEventListener(type: unknown, listener: unknown, options?: unknown): void;
  dispatchEvent(event: unknown): boolean;
}

interface Listener {
  callback: object;
  capture: boolean;
  once: boolean;
  isRemoved: boolean;
}

/** What a target does to an event that is dispatched at it. */
interface Dispatch {
  begin(event: unknown, target: object): void;
  isStopped(event: unknown): boolean;
  /** False where a listener has prevented the default. */
  end(event: unknown): boolean;
}

const AT_TARGET = 2;

/** Makes the classes `Event` and `EventTarget` (WHATWG DOM, chapter 2) without a tree of targets. An error of a listener counts as uncaught. */
export function makeEvents(now: () => number, onError: (error: unknown) => void): EventClasses {
  const { Event, dispatch } = makeEvent(now);

  class EventTarget {
    #listeners = new Map<string, Listener[]>();

    addEventListener(type: unknown, callback: unknown, options?: unknown): void {
      const { capture, once, signal } = readOptions(options);
      if (!isCallback(callback) || signal?.aborted === true) return;
      const name = String(type);
      const listeners = this.#listeners.get(name) ?? [];
      if (listeners.some((known) => known.callback === callback && known.capture === capture)) return;
      this.#listeners.set(name, [...listeners, { callback, capture, once, isRemoved: false }]);
      signal?.addEventListener("abort", () => this.removeEventListener(name, callback, { capture }), { once: true });
    }

    removeEventListener(type: unknown, callback: unknown, options?: unknown): void {
      const { capture } = readOptions(options);
      this.#remove(String(type), (known) => known.callback === callback && known.capture === capture);
    }

    dispatchEvent(event: unknown): boolean {
      dispatch.begin(event, this);
      const { type } = event as ScriptEvent;
      const listeners = this.#listeners.get(type) ?? [];
      for (const capture of [true, false]) {
        for (const listener of listeners) {
          if (listener.capture !== capture || listener.isRemoved) continue;
          if (listener.once) this.#remove(type, (known) => known === listener);
          this.#call(listener.callback, event);
          if (dispatch.isStopped(event)) return dispatch.end(event);
        }
      }
      return dispatch.end(event);
    }

    #call(callback: object, event: unknown): void {
      try {
        if (typeof callback === "function") Reflect.apply(callback as () => unknown, this, [event]);
        else (callback as { handleEvent(event: unknown): unknown }).handleEvent(event);
      } catch (error) {
        onError(error);
      }
    }

    #remove(type: string, isMeant: (listener: Listener) => boolean): void {
      const listeners = this.#listeners.get(type) ?? [];
      for (const listener of listeners) listener.isRemoved ||= isMeant(listener);
      const kept = listeners.filter(({ isRemoved }) => !isRemoved);
      if (kept.length > 0) this.#listeners.set(type, kept);
      else this.#listeners.delete(type);
    }

    get [Symbol.toStringTag](): string {
      return "EventTarget";
    }
  }
  allowOverridesOf(EventTarget.prototype);
  allowOverridesOf(Event.prototype);
  return { Event, EventTarget };
}

/** The state of an event, which scripts do not reach. */
interface EventState {
  target: object | null;
  isDispatched: boolean;
  isStopped: boolean;
  isPrevented: boolean;
}

function makeDispatch(stateOf: (event: unknown) => EventState | undefined): Dispatch {
  return {
    begin(event, target) {
      const state = stateOf(event);
      if (state === undefined) throw new TypeError("dispatchEvent takes an Event");
      if (state.isDispatched) throw new TypeError("The event is being dispatched already");
      state.target = target;
      state.isDispatched = true;
    },
    isStopped: (event) => stateOf(event)?.isStopped === true,
    end(event) {
      const state = stateOf(event) as EventState;
      state.isDispatched = false;
      state.isStopped = false;
      return !state.isPrevented;
    },
  };
}

function makeEvent(now: () => number): { Event: EventClasses["Event"]; dispatch: Dispatch } {
  let stateOf: (event: unknown) => EventState | undefined;

  class Event {
    readonly #type: string;
    readonly #flags: { bubbles: boolean; cancelable: boolean; composed: boolean };
    readonly #timeStamp = now();
    readonly #state: EventState = { target: null, isDispatched: false, isStopped: false, isPrevented: false };

    static {
      stateOf = (event) => (typeof event === "object" && event !== null && #state in event ? event.#state : undefined);
    }

    constructor(type: unknown, { bubbles, cancelable, composed }: EventInit = {}) {
      this.#type = String(type);
      this.#flags = { bubbles: Boolean(bubbles), cancelable: Boolean(cancelable), composed: Boolean(composed) };
    }

    get type(): string {
      return this.#type;
    }
    get target(): object | null {
      return this.#state.target;
    }
    get currentTarget(): object | null {
      return this.#state.isDispatched ? this.#state.target : null;
    }
    get eventPhase(): number {
      return this.#state.isDispatched ? AT_TARGET : 0;
    }
    get bubbles(): boolean {
      return this.#flags.bubbles;
    }
    get cancelable(): boolean {
      return this.#flags.cancelable;
    }
    get composed(): boolean {
      return this.#flags.composed;
    }
    get defaultPrevented(): boolean {
      return this.#state.isPrevented;
    }
    get timeStamp(): number {
      return this.#timeStamp;
    }
    get isTrusted(): boolean {
      return false;
    }
    composedPath(): object[] {
      return this.#state.isDispatched && this.#state.target !== null ? [this.#state.target] : [];
    }
    preventDefault(): void {
      this.#state.isPrevented ||= this.#flags.cancelable;
    }
    /** There is no other target that the event could go on to. */
    stopPropagation(): void {}
    stopImmediatePropagation(): void {
      this.#state.isStopped = true;
    }
    get [Symbol.toStringTag](): string {
      return "Event";
    }
  }
  return { Event, dispatch: makeDispatch((event) => stateOf(event)) };
}

/** The options of a listener, which a script may give as one boolean for `capture`. */
function readOptions(options: unknown) {
  const { capture, once, signal } =
    typeof options === "object" && options !== null
      ? (options as Record<string, unknown>)
      : { capture: options, once: false, signal: undefined };
  return {
    capture: Boolean(capture),
    once: Boolean(once),
    signal: signal as (ScriptEventTarget & { aborted: boolean }) | undefined,
  };
}

function isCallback(value: unknown): value is object {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}
