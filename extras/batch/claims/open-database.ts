import type { Pool, PoolClient } from "pg";
import { journalUnreachable } from "../batch-errors.ts";
import { openPool } from "../../../engine/open-pool.ts";
import { noteIfAway } from "./ask-again.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";

/** A PostgreSQL database. Its errors name neither user nor password. */
export interface Database {
  /** Host and name of the database, for messages. */
  readonly place: string;
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs with one connection, for what belongs to a session. */
  withSession<Value>(work: (query: Database["query"]) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}

const WAITS_MS = { connect: 10_000, query: 120_000 };

/** Whether a journal is the address of a database, and no file. */
export function isDatabase(journal: string | undefined): boolean {
  return /^postgres(?:ql)?:\/\//i.test(journal ?? "");
}

/**
 * Opens a database.
 * @throws CodemodeError `PACKAGE_MISSING` where `pg` is not installed, `JOURNAL_UNREACHABLE` where the database cannot be used
 */
export async function openDatabase(url: string): Promise<Database> {
  const { place, secrets } = describeUrl(url);
  const fail = (error: unknown): never => {
    if (error instanceof CodemodeError) throw error;
    throw noteIfAway(journalUnreachable(place, reasonOf(error, secrets)), error);
  };
  const { pool, close } = await openPool(url, "A journal in PostgreSQL", WAITS_MS);
  const queryOn =
    (client: Pool | PoolClient): Database["query"] =>
    async <Row>(sql: string, values: readonly unknown[] = []) => {
      try {
        const { rows } = await client.query(sql, [...values]);
        return rows as Row[];
      } catch (error) {
        return fail(error);
      }
    };
  return {
    place,
    query: queryOn(pool),
    async withSession(work) {
      let client: PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        return fail(error);
      }
      try {
        return await work(queryOn(client));
      } finally {
        // With the session its locks end.
        client.release(true);
      }
    },
    close,
  };
}

/** What may be shown of an address, and what may not be shown of it. */
export function describeUrl(url: string): { place: string; secrets: readonly string[] } {
  const encoded = /^\w+:\/\/(?:[^/@]*:)?([^/@]*)@/.exec(url)?.[1] ?? "";
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
