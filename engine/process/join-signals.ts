/** A signal that aborts as soon as one of these does; undefined where none is given. */
export function joinSignals(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/**
 * Works with a signal of its own that aborts as soon as one of these does. For work that is short and signals that live long: `AbortSignal.any` leaves
 * something in such a signal for each work that ever was, and Node warns of many listeners.
 */
export async function withJoinedSignal<Value>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const own = new AbortController();
  const followed = signals.filter((signal) => signal !== undefined).map((signal) => follow(signal, own));
  try {
    return await work(own.signal);
  } finally {
    for (const followers of followed) followers.delete(own);
  }
}

const followersOf = new WeakMap<AbortSignal, Set<AbortController>>();

/** Aborts a controller with a signal, which has one listener for all its followers. */
function follow(signal: AbortSignal, controller: AbortController): Set<AbortController> {
  const known = followersOf.get(signal);
  const followers = known ?? new Set();
  if (known === undefined) {
    followersOf.set(signal, followers);
    const abortAll = (): void => followers.forEach((follower) => follower.abort(signal.reason));
    signal.addEventListener("abort", abortAll, { once: true });
  }
  if (signal.aborted) controller.abort(signal.reason);
  return followers.add(controller);
}
