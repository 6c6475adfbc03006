import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { onTestFinished } from "vitest";

/**
 * Starts a PostgreSQL of this process; gives its address. Its connections share one session of the database.
 * @param atEnd registers how it ends: with the test, unless given
 */
export async function startPglite(atEnd: (end: () => Promise<void>) => void = onTestFinished): Promise<string> {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 20 });
  await server.start();
  atEnd(async () => {
    await server.stop();
    await db.close();
  });
  return `postgres://postgres@${server.getServerConn()}/postgres`;
}
