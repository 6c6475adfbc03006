import type { Pool } from "pg";
import { packageMissing } from "../../../schemas/errors.ts";

const CONNECTIONS = 4;

/**
 * Opens connections to PostgreSQL, which are made when they are needed. Errors of `pg` may quote the address: each caller masks them.
 * @param need what needs the database, as the subject of a sentence
 * @throws CodemodeError `PACKAGE_MISSING` where `pg` is not installed
 */
export async function openPool(url: string, need: string, ms: { connect: number; query: number }): Promise<Pool> {
  const { default: pg } = await import("pg").catch(() => {
    throw packageMissing(need, "pg");
  });
  const pool = new pg.Pool({
    ...{ connectionString: url, max: CONNECTIONS, application_name: "codemode", keepAlive: true },
    ...{ connectionTimeoutMillis: ms.connect, query_timeout: ms.query },
  });
  // Of a connection that nothing uses; the next query reports it.
  pool.on("error", () => undefined);
  return pool;
}
