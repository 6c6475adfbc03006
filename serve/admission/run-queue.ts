import type { QueueState } from "../../runtime/host/observe/observer.ts";
import type { QueueSettings } from "../../schemas/config/serve-settings.ts";

/** Gives out the turns to run, of all clients together. */
export interface RunQueue {
  /** Waits for a turn. A signal that is aborted gives up the place in the queue. */
  enter(client: string, signal: AbortSignal): Promise<Turn>;
  state(): QueueState;
}

/** What came of waiting. Whoever runs must call `leave`, once. */
export type Turn =
  { kind: "running"; leave(): void } | { kind: "full"; retryAfterSeconds: number } | { kind: "cancelled" };

type Settle = (turn: Turn) => void;

/** A guess for as long as nothing has run. */
const FIRST_RUN_MS = 1000;
const MAX_RETRY_SECONDS = 60;

/**
 * Makes a bounded queue that is fair between clients: each has a line of its own, and the lines take turns. Where the queue is full, whoever
 * has the longest line loses the last place of it to a client with a shorter one.
 *
 * @param now milliseconds, from any fixed point
 */
export function makeRunQueue(
  { maxRunning, maxWaiting }: QueueSettings,
  now: () => number = performance.now.bind(performance),
): RunQueue {
  // A map keeps the order of insertion: the first line is the next to be served, and goes to the end then.
  const lines = new Map<string, Settle[]>();
  let running = 0;
  let waiting = 0;
  let averageMs = FIRST_RUN_MS;

  const full = (): Turn => {
    const seconds = Math.ceil((averageMs * (waiting + 1)) / maxRunning / 1000);
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
    const [next] = lines;
    if (next === undefined || running >= maxRunning) return;
    const [client, line] = next;
    lines.delete(client);
    const settle = line.shift();
    if (line.length > 0) lines.set(client, line);
    waiting -= 1;
    settle?.(start());
  };

  const remove = (client: string, settle: Settle): void => {
    const line = lines.get(client) ?? [];
    const index = line.indexOf(settle);
    if (index === -1) return;
    line.splice(index, 1);
    waiting -= 1;
    if (line.length === 0) lines.delete(client);
  };

  /** True where another client had more than its share of the queue. */
  const makePlace = (client: string): boolean => {
    const own = lines.get(client)?.length ?? 0;
    const longest = [...lines].toSorted(([, left], [, right]) => right.length - left.length)[0];
    if (longest === undefined || longest[1].length <= own + 1) return false;
    const last = longest[1].at(-1) as Settle;
    remove(longest[0], last);
    last(full());
    return true;
  };

  return {
    state: () => ({ running, waiting }),
    async enter(client, signal) {
      if (signal.aborted) return { kind: "cancelled" };
      if (running < maxRunning) return start();
      if (waiting >= maxWaiting && !makePlace(client)) return full();
      return new Promise<Turn>((resolve) => {
        const giveUp = (): void => {
          remove(client, settle);
          resolve({ kind: "cancelled" });
        };
        const settle: Settle = (turn) => {
          signal.removeEventListener("abort", giveUp);
          resolve(turn);
        };
        signal.addEventListener("abort", giveUp, { once: true });
        lines.set(client, [...(lines.get(client) ?? []), settle]);
        waiting += 1;
      });
    },
  };
}
