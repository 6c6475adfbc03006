import { setTimeout as delay } from "node:timers/promises";
import { type Database, openDatabase } from "../../../engine/open-database.ts";
import { journalUnreachable } from "../batch-errors.ts";

/** The database of a journal. Its errors name neither user nor password. */
export interface JournalDatabase extends Database {
  /** Host and name of the database, for messages. */
  readonly place: string;
}

/** Whether a journal is the address of a database, and no file. */
export function isDatabase(journal: string | undefined): boolean {
  return /^postgres(?:ql)?:\/\//i.test(journal ?? "");
}

/**
 * Opens the database of a journal.
 * @throws CodemodeError `PACKAGE_MISSING` where `pg` is not installed, `JOURNAL_UNREACHABLE` where the database cannot be used
 */
export async function openJournalDatabase(url: string): Promise<JournalDatabase> {
  const { place, secrets } = describeUrl(url);
  const toError = (error: unknown): Error => noteIfAway(journalUnreachable(place, reasonOf(error, secrets)), error);
  const need = "A journal in PostgreSQL";
  return { place, ...(await openDatabase(url, { need, toError, connectMs: 10_000, queryMs: 120_000 })) };
}

/** What may be shown of an address, and what may not be shown of it. */
export function describeUrl(url: string): { place: string; secrets: readonly string[] } {
  const encoded = /^\w+:\/\/(?:[^/@:]*:)?([^/@]*)@/.exec(url)?.[1] ?? "";
  const asOption = /[?&]password=([^&]*)/.exec(url)?.[1] ?? "";
  if (!URL.canParse(url)) return { place: "the journal", secrets: [url, encoded, asOption] };
  const { host, pathname, password, searchParams } = new URL(url);
  const decoded = decodeIfPossible(password);
  const place = `${host === "" ? (searchParams.get("host") ?? "the local host") : host}${pathname}`;
  return { place, secrets: [url, password, decoded, encoded, asOption, searchParams.get("password") ?? ""] };
}

function decodeIfPossible(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Of a host with several addresses each failed for itself: such an error has a code and no message. */
function reasonOf(error: unknown, secrets: readonly string[]): string {
  const { message, code } = error as NodeJS.ErrnoException;
  const text = message === "" || message === undefined ? (code ?? "unknown") : message;
  return secrets.filter((secret) => secret !== "").reduce((masked, secret) => masked.replaceAll(secret, "***"), text);
}

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
