/** The calls that clients wait for, of all clients. One for each process. */
export type CallsInFlight = ReturnType<typeof makeCallsInFlight>;

export function makeCallsInFlight() {
  // No signal lives as long as the process: `AbortSignal.any` would leave something in it for every call that ever was.
  const calls = new Map<AbortController, Promise<unknown>>();
  const listeners = new Set<() => void>();
  let isStopping = false;
  const callBack = (): void => {
    for (const listener of listeners) listener();
  };
  const settled = async (withinMs: number): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([Promise.allSettled(calls.values()), time]);
    clearTimeout(timer);
  };
  return {
    /** Runs a call as one of them, with a signal that is aborted when its client's is, or when the process goes down. */
    async track<Answer>(clientSignal: AbortSignal, run: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
      const cancellation = new AbortController();
      const cancel = (): void => cancellation.abort(clientSignal.reason);
      clientSignal.addEventListener("abort", cancel, { once: true });
      if (isStopping || clientSignal.aborted) cancel();
      const call = run(cancellation.signal);
      calls.set(cancellation, call);
      try {
        return await call;
      } finally {
        calls.delete(cancellation);
        clientSignal.removeEventListener("abort", cancel);
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
      for (const cancellation of calls.keys()) cancellation.abort();
      await settled(graceMs);
      // What is settled now has still to be written.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
