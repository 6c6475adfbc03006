import { makeFairQueue } from "../../schemas/fair-queue.ts";
import type { QueueState } from "../../schemas/run/observer.ts";
import type { QueueSettings } from "../../schemas/config/serve-settings.ts";

/** Gives out the turns to run, of all clients together. */
export interface RunQueue {
  /** Waits for a turn. A signal that is aborted gives up the place in the queue. */
  enter(client: string, signal: AbortSignal): Promise<Turn>;
  state(): QueueState;
}

/** What came of waiting. A run must call `leave` when it ends. */
export type Turn =
  { kind: "running"; leave(): void } | { kind: "full"; retryAfterSeconds: number } | { kind: "cancelled" };

type Settle = (turn: Turn) => void;

/** A guess for as long as nothing has run. */
const FIRST_RUN_MS = 1000;
const MAX_RETRY_SECONDS = 60;

/**
 * Makes a bounded queue that is fair between clients, who take turns. Where the queue is full, the client with the longest line loses the
 * last place of it to a client with a shorter one.
 *
 * @param now milliseconds, from any fixed point
 */
export function makeRunQueue(
  { maxRunning, maxWaiting }: QueueSettings,
  now: () => number = performance.now.bind(performance),
): RunQueue {
  const waiting = makeFairQueue<Settle>();
  let running = 0;
  let averageMs = FIRST_RUN_MS;

  const full = (): Turn => {
    const seconds = Math.ceil((averageMs * (waiting.size + 1)) / maxRunning / 1000);
    return { kind: "full", retryAfterSeconds: Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS) };
  };

  const start = (): Turn => {
    running += 1;
    const startedAt = now();
    let hasLeft = false;
    const leave = (): void => {
      if (hasLeft) return;
      hasLeft = true;
      running -= 1;
      averageMs = 0.8 * averageMs + 0.2 * (now() - startedAt);
      serveNext();
    };
    return { kind: "running", leave };
  };

  const serveNext = (): void => {
    if (running < maxRunning) waiting.take()?.(start());
  };

  /** True where another client had more than its share of the queue. */
  const makePlace = (client: string): boolean => {
    const longest = waiting.longest();
    if (longest === undefined || longest.length <= waiting.countOf(client) + 1) return false;
    waiting.remove(longest.key, longest.last);
    longest.last(full());
    return true;
  };

  return {
    state: () => ({ running, waiting: waiting.size }),
    async enter(client, signal) {
      if (signal.aborted) return { kind: "cancelled" };
      if (running >= maxRunning && waiting.size >= maxWaiting && !makePlace(client)) return full();
      return new Promise<Turn>((resolve) => {
        const giveUp = (): void => {
          waiting.remove(client, settle);
          resolve({ kind: "cancelled" });
        };
        const settle: Settle = (turn) => {
          signal.removeEventListener("abort", giveUp);
          resolve(turn);
        };
        signal.addEventListener("abort", giveUp, { once: true });
        waiting.add(client, settle);
        serveNext();
      });
    },
  };
}
