/** The pauses before the second, third … start in a row that came to nothing; the last one stays. */
const PAUSES_MS = [0, 250, 500, 1_000, 2_000, 5_000];

/** A server that stayed up this long is not one that crashes at start. */
const STEADY_AFTER_MS = 60_000;

interface History {
  /** Ends and failed starts in a row. */
  failures: number;
  startedAt: number;
}

/**
 * How long to wait before a server is started again, by its id. A script that calls a server in a loop must not
 * start a process each time.
 * @param now in milliseconds, from any start
 */
export function makeRestartDelay(now: () => number = () => performance.now()) {
  const histories = new Map<string, History>();
  const historyOf = (serverId: string): History => {
    const history = histories.get(serverId) ?? { failures: 0, startedAt: 0 };
    histories.set(serverId, history);
    return history;
  };
  return {
    /** In milliseconds. */
    next(serverId: string): number {
      const { failures } = historyOf(serverId);
      return PAUSES_MS[Math.min(Math.max(failures - 1, 0), PAUSES_MS.length - 1)] as number;
    },
    noteStart(serverId: string): void {
      historyOf(serverId).startedAt = now();
    },
    noteFailure(serverId: string): void {
      historyOf(serverId).failures += 1;
    },
    /** It ended by itself. */
    noteEnd(serverId: string): void {
      const history = historyOf(serverId);
      history.failures = now() - history.startedAt >= STEADY_AFTER_MS ? 1 : history.failures + 1;
    },
  };
}
