import { setTimeout as delay } from "node:timers/promises";

/** How long a database may be away while a batch runs, in milliseconds: as long as a restart takes. */
const AWAY_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Of PostgreSQL: connection exceptions, and a server that is shut down or starts up. */
const SERVER_AWAY = /^(?:08...|57P0[123])$/;
const NETWORK_AWAY = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/** Errors as they are shown, whose cause may pass. The cause itself may quote the address of the database, and is not kept. */
const passing = new WeakSet<Error>();

/** Notes of an error that is shown in the place of another one whether that one may pass. */
export function noteIfAway<Shown extends Error>(shown: Shown, cause: unknown): Shown {
  if (isAway(cause)) passing.add(shown);
  return shown;
}

/** Whether a query failed because its database is away, and may come back: the query itself may have been done. */
function isAway(error: unknown): boolean {
  const {
    code,
    message = "",
    errors,
  } = error as { code?: unknown; message?: string | undefined; errors?: unknown[] | undefined };
  if (typeof code === "string") return SERVER_AWAY.test(code) || NETWORK_AWAY.has(code);
  // What `pg` says without a code.
  return errors?.some(isAway) ?? /^Connection terminated|^timeout exceeded when trying to connect$/.test(message);
}

/**
 * Does something again, after growing pauses, as long as a database is away.
 * @param work gets the number of earlier tries
 * @param wait waits between two of them
 */
export async function askAgain<Value>(
  work: (tries: number) => Promise<Value>,
  wait: (milliseconds: number) => Promise<unknown> = delay,
): Promise<Value> {
  let waitedMs = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      return await work(tries);
    } catch (error) {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS);
      if (!passing.has(error as Error) || waitedMs + pauseMs > AWAY_MS) throw error;
      waitedMs += pauseMs;
      await wait(pauseMs);
    }
  }
}
