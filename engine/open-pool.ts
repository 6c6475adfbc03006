import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { packageMissing } from "../schemas/errors.ts";

const CONNECTIONS = 4;
/** For connections to say goodbye. */
const CLOSE_MS = 1000;

/** Connections to PostgreSQL. */
export interface OpenPool {
  pool: Pool;
  /** Resolves within a second, also where the database does not answer. */
  close(): Promise<void>;
}

/**
 * Opens connections to PostgreSQL, which are made when they are needed. Errors of `pg` may quote the address: each caller masks them.
 * @param need what needs the database, as the subject of a sentence
 * @throws CodemodeError `PACKAGE_MISSING` where `pg` is not installed
 */
export async function openPool(url: string, need: string, ms: { connect: number; query: number }): Promise<OpenPool> {
  const { default: pg } = await import("pg").catch(() => {
    throw packageMissing(need, "pg");
  });
  const sockets = new Set<Socket>();
  const openSocket = (): Socket => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once("close", () => sockets.delete(socket));
  };
  const pool = new pg.Pool({
    ...{ connectionString: url, max: CONNECTIONS, application_name: "codemode", keepAlive: true, stream: openSocket },
    ...{ connectionTimeoutMillis: ms.connect, query_timeout: ms.query },
  });
  // Of a connection that nothing uses; the next query reports it.
  pool.on("error", () => undefined);
  return {
    pool,
    async close() {
      await Promise.race([pool.end(), delay(CLOSE_MS, undefined, { ref: false })]);
      // A database that does not answer never closes its end, and the process would wait for it.
      for (const socket of sockets) socket.destroy();
    },
  };
}
