import { steadyMs } from "../runtime/files/process-owner.ts";

interface Holding {
  /** Whether the process goes on until then; otherwise it may end before. */
  ref?: boolean | undefined;
}

/**
 * The time of all that waits for others: leases, heartbeats, looks again and again, time-outs of questions. It is one value, so that a test moves it
 * (`test/move-clock.ts`). A database has a clock of its own.
 */
export const clock = {
  /** Milliseconds from any fixed point: exact, and never set. It may stand still while the machine sleeps. */
  now: (): number => performance.now(),
  /** Milliseconds since 1970, by the clock of the wall, which a person may set. */
  wall: (): number => Date.now(),
  /** Milliseconds since this machine was started, as all of its processes count them. */
  steady: (): number => steadyMs(),
  /** Calls back once after so many milliseconds; returns what stops that. */
  after(ms: number, call: () => unknown, { ref = true }: Holding = {}): () => void {
    const timer = setTimeout(call, ms);
    if (!ref) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after so many milliseconds, or when the signal is aborted. */
export function delay(ms: number, { signal, ...holding }: Holding & { signal?: AbortSignal | undefined } = {}) {
  return new Promise<void>((resolve) => {
    if (signal?.aborted === true) return resolve();
    const over = (): void => {
      stop();
      signal?.removeEventListener("abort", over);
      resolve();
    };
    const stop = clock.after(ms, over, holding);
    signal?.addEventListener("abort", over, { once: true });
  });
}

/** Works again and again, so many milliseconds apart, and holds no process; returns what ends that. */
export function every(ms: number, work: () => unknown): () => void {
  let stop: () => void;
  const begin = (): void => {
    stop = clock.after(ms, () => (begin(), work()), { ref: false });
  };
  begin();
  return () => stop();
}
