/** The calls that clients wait for, of all clients. One for each process. */
export interface CallsInFlight {
  /** Aborted when the process goes down: every call has to come to its end then. */
  stopping: AbortSignal;
  /** Runs a call as one of them. */
  track<Answer>(call: () => Promise<Answer>): Promise<Answer>;
  /** Calls back after each of them; returns what takes the listener away again. */
  onEnded(listener: () => void): () => void;
  /** Cancels all calls, and waits until they are answered, but no longer than this. */
  stop(graceMs: number): Promise<void>;
}

export function makeCallsInFlight(): CallsInFlight {
  const controller = new AbortController();
  const calls = new Set<Promise<unknown>>();
  const listeners = new Set<() => void>();
  return {
    stopping: controller.signal,
    async track(run) {
      const call = run();
      calls.add(call);
      try {
        return await call;
      } finally {
        calls.delete(call);
        for (const listener of listeners) listener();
      }
    },
    onEnded(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop(graceMs) {
      controller.abort();
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
      await Promise.race([Promise.allSettled(calls), grace]);
      clearTimeout(timer);
      // What is settled now has still to be written.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
