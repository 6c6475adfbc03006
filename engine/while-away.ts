import { clock, delay } from "./clock.ts";
import { mayPass } from "../schemas/passing-error.ts";

/** How long a database may be away while something runs, in milliseconds: as long as a restart takes. */
export const AWAY_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

interface Waiting {
  /** Waits between two tries. */
  wait?: (milliseconds: number) => Promise<unknown>;
  /** Whether a further try is of use. */
  goesOn?: () => boolean;
}

/**
 * Does something again, after growing pauses, as long as its database is away. What the database refuses fails at once.
 * @param work gets the number of earlier tries
 */
export async function whileAway<Value>(
  work: (tries: number) => Promise<Value>,
  { wait = delay, goesOn = () => true }: Waiting = {},
): Promise<Value> {
  const until = clock.now() + AWAY_MS;
  let waitedMs = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      return await work(tries);
    } catch (error) {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
      const isLate = waitedMs + pauseMs > AWAY_MS || clock.now() > until;
      if (!mayPass(error) || isLate || !goesOn()) throw error;
      waitedMs += pauseMs;
      await wait(pauseMs);
    }
  }
}
