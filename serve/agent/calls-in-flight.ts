import { delay } from "../../engine/clock.ts";

/** The reason of signals that are aborted because this process goes down: durable runs go on without it. */
export const PROCESS_ENDS = Symbol("the process ends");

/** The calls that clients wait for, of all clients. One for each process. */
export type CallsInFlight = ReturnType<typeof makeCallsInFlight>;

export function makeCallsInFlight() {
  const calls = new Map<Promise<unknown>, AbortController | undefined>();
  const listeners = new Set<() => void>();
  let isStopping = false;
  const callBack = (): void => {
    for (const listener of listeners) listener();
  };
  const settled = async (withinMs: number): Promise<void> => {
    const isOver = new AbortController();
    await Promise.race([Promise.allSettled(calls.keys()), delay(withinMs, { signal: isOver.signal })]);
    isOver.abort();
  };
  return {
    /** Runs a call as one of them; what cancels it is aborted when the process goes down. */
    async track<Answer>(run: () => Promise<Answer>, cancellation?: AbortController): Promise<Answer> {
      if (isStopping) cancellation?.abort(PROCESS_ENDS);
      const call = run();
      calls.set(call, cancellation);
      try {
        return await call;
      } finally {
        calls.delete(call);
        callBack();
      }
    },
    /** Calls those listeners back although no call has ended: something else may have changed what they look at. */
    callBack,
    /** Waits until all calls are answered, but no longer than this. */
    settled,
    /** Calls back after each of them; returns what takes the listener away again. */
    onEnded(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Cancels all calls, and waits until they are answered, but no longer than this. */
    async stop(graceMs: number): Promise<void> {
      isStopping = true;
      for (const cancellation of calls.values()) cancellation?.abort(PROCESS_ENDS);
      await settled(graceMs);
      // What is settled now has still to be written.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
