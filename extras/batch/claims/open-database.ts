import { type Database, openDatabase } from "../../../engine/open-database.ts";
import { noteCause } from "../../../schemas/passing-error.ts";
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
  const toError = (error: unknown): Error => noteCause(journalUnreachable(place, reasonOf(error, secrets)), error);
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
