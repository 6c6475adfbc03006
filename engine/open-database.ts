import { createHash } from "node:crypto";
import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import type { Pool, PoolClient } from "pg";
import { asPackageMissing } from "../schemas/known-errors.ts";
import { withoutUndefined } from "../schemas/json/without-undefined.ts";

const CONNECTIONS = 4;
/** For connections to say goodbye. */
const CLOSE_MS = 1000;

type Query = <Row>(
  sql: string,
  values?: readonly unknown[],
  options?: {
    /** In milliseconds; `queryMs` unless given. */
    timeoutMs?: number | undefined;
    /** Whether each connection keeps the plan, for what runs often: to plan may take longer than to run. */
    isPrepared?: boolean | undefined;
  },
) => Promise<Row[]>;

/** A PostgreSQL database. */
export interface Database {
  query: Query;
  /**
   * Makes tables where `table`, one of them, is missing: one process at a time, all or none. An account that may not make tables can use tables that another
   * one has made.
   * @param lock any number that other programs do not lock
   */
  makeTables(table: string, lock: number, sql: string): Promise<void>;
  /** Resolves within a second, also where the database does not answer. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** What needs the database, as the subject of a sentence. */
  need: string;
  connectMs: number;
  /** For each query that names no other time. */
  queryMs: number;
  /** At most. */
  connections?: number;
  /** Errors of `pg` may quote the address and its password: only what this makes of them is thrown. */
  toError(error: unknown): Error;
}

/**
 * SQLSTATEs of a statement that is not there, or there already: a pooler before the database has given the session to another client. Nothing was done.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const NOT_PREPARED: ReadonlySet<unknown> = new Set(["26000", "42P05"]);

/** Clients of one pooler share sessions: a name stands for the same statement in all of them. */
const nameOf = (sql: string): string => `codemode_${createHash("sha256").update(sql).digest("hex").slice(0, 32)}`;

/**
 * Opens a PostgreSQL database, whose connections are made when they are needed.
 * @throws CodemodeError `PACKAGE_MISSING` where `pg` is not installed
 */
export async function openDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const { default: pg } = await import("pg").catch((error: unknown) => {
    throw asPackageMissing(error, options.need, "pg");
  });
  const sockets = new Set<Socket>();
  const openSocket = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once("close", () => sockets.delete(socket));
  };
  const pool = new pg.Pool({
    ...{
      connectionString: url,
      max: options.connections ?? CONNECTIONS,
      application_name: "codemode",
      keepAlive: true,
      stream: openSocket,
    },
    ...{ connectionTimeoutMillis: options.connectMs, query_timeout: options.queryMs },
  });
  // Of a connection that nothing uses; the next query reports it.
  pool.on("error", () => undefined);
  // `pg` throws for an address that it cannot read, before there is a promise.
  const ask = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      // A connection that the pool opens for this query stays for later ones.
      return await outsideOfRequests(work);
    } catch (error) {
      throw options.toError(error);
    }
  };
  let canPrepare = true;
  const queryOn =
    (client: Pool | PoolClient): Query =>
    async <Row>(
      text: string,
      values: readonly unknown[] = [],
      { timeoutMs, isPrepared = false }: Parameters<Query>[2] = {},
    ) => {
      const query = { text, values: [...values], ...withoutUndefined({ query_timeout: timeoutMs }) };
      const { rows } = await ask(async () => {
        if (!isPrepared || !canPrepare) return client.query(query);
        try {
          return await client.query({ ...query, name: nameOf(text) });
        } catch (error) {
          if (!NOT_PREPARED.has((error as { code?: unknown }).code)) throw error;
          canPrepare = false;
          return client.query(query);
        }
      });
      return rows as Row[];
    };
  const query = queryOn(pool);
  /** Runs with one connection, for what belongs to a session. */
  const withSession = async (work: (on: Query) => Promise<void>): Promise<void> => {
    const client = await ask(() => pool.connect());
    try {
      await work(queryOn(client));
    } finally {
      // With the session its locks end.
      client.release(true);
    }
  };
  return {
    query,
    async makeTables(table, lock, sql) {
      if (await isThere(query, table)) return;
      await withSession(async (on) => {
        await on("SELECT pg_advisory_lock($1)", [lock]);
        if (!(await isThere(on, table))) await on(`BEGIN; ${sql} COMMIT;`);
      });
    },
    async close() {
      await Promise.race([pool.end(), delay(CLOSE_MS, undefined, { ref: false })]);
      // A database that does not answer never closes its end, and the process would wait for it.
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function isThere(query: Query, table: string): Promise<boolean> {
  return (await query<{ found: boolean }>("SELECT to_regclass($1) IS NOT NULL AS found", [table]))[0]?.found === true;
}
