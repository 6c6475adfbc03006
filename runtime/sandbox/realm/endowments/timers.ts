import type { Bridge } from "../../../../schemas/run/bridge.ts";

/** Timers that may wait at one time. */
const MAX_TIMERS = 10_000;

/** The longest delay that timers have; longer ones are shortened to it. */
const MAX_DELAY_MS = 0x7fff_ffff;

/** Longer delays are guards against something that takes too long; shorter ones are pauses between two steps. */
const SHORT_DELAY_MS = 2_000;

type Callback = (...args: unknown[]) => unknown;

export interface Timers {
  setTimeout(callback: Callback, delayMs?: unknown, ...args: unknown[]): number;
  clearTimeout(id?: number): void;
  /** Calls `onTime` once, after so long; no run waits for it alone. */
  guard(onTime: () => void, delayMs: number): void;
  /** Stops all that `guard` has set. */
  stopGuards(): void;
  /** Runs the callback of a timer whose time has come. */
  fire(id: number): void;
  /** How many are waiting. */
  count(): number;
  /** How many are waiting that were set to a short delay. */
  countShort(): number;
}

/** Makes `setTimeout` and `clearTimeout`. Timers are numbers, and callbacks never leave this realm. */
export function makeTimers(
  { startTimer, stopTimer }: Pick<Bridge, "startTimer" | "stopTimer">,
  onError: (error: unknown) => void,
): Timers {
  const waiting = new Map<number, { callback: Callback; args: unknown[]; isShort: boolean }>();
  const guards = new Set<number>();
  let lastId = 0;
  const start = (callback: Callback, delayMs: number, args: unknown[], isGuard: boolean): number => {
    if (waiting.size >= MAX_TIMERS) throw new RangeError(`More than ${MAX_TIMERS} timers are waiting`);
    const delay = Math.min(Math.max(delayMs || 0, 0), MAX_DELAY_MS);
    const id = (lastId += 1);
    startTimer(id, delay);
    waiting.set(id, { callback, args, isShort: delay <= SHORT_DELAY_MS && !isGuard });
    return id;
  };
  const stop = (id: number): void => {
    if (waiting.delete(id)) stopTimer(id);
  };
  return {
    setTimeout(callback, delayMs = 0, ...args) {
      if (typeof callback !== "function") throw new TypeError("The first argument of setTimeout must be a function");
      return start(callback, Number(delayMs), args, false);
    },
    clearTimeout(id) {
      if (typeof id === "number" && !guards.has(id)) stop(id);
    },
    guard(onTime, delayMs) {
      guards.add(start(onTime, delayMs, [], true));
    },
    stopGuards() {
      for (const id of guards) stop(id);
      guards.clear();
    },
    fire(id) {
      const timer = waiting.get(id);
      if (timer === undefined) return;
      waiting.delete(id);
      try {
        Reflect.apply(timer.callback, undefined, timer.args);
      } catch (error) {
        onError(error);
      }
    },
    count: () => waiting.size,
    countShort: () => [...waiting.values()].filter(({ isShort }) => isShort).length,
  };
}
