import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { onTestFinished } from "vitest";
import manifest from "../../../package.json" with { type: "json" };

const KEPT = resolve("node_modules/.cache/test-databases");

/** Databases that no test uses now: to open one takes two seconds of processor time, to empty one little. */
const free: PGlite[] = [];

/**
 * Starts a PostgreSQL of this process, which is empty; gives its address. Its connections share one session of the database.
 * @param atEnd registers how it ends: with the test, unless given
 */
export async function startPglite(atEnd: (end: () => Promise<void>) => void = onTestFinished): Promise<string> {
  const db = free.pop() ?? (await PGlite.create({ loadDataDir: new Blob([await readEmptyDatabase()]) }));
  const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0, maxConnections: 20 });
  await server.start();
  atEnd(async () => {
    await server.stop();
    for (const statement of ["rollback", "discard all", "drop schema public cascade", "create schema public"])
      await db.exec(statement);
    free.push(db);
  });
  return `postgres://postgres@${server.getServerConn()}/postgres`;
}

/** To make one takes four times as much processor time as to open one, so the first that is made is kept for all that start later. */
async function readEmptyDatabase(): Promise<Uint8Array<ArrayBuffer>> {
  const file = join(KEPT, `${manifest.devDependencies["@electric-sql/pglite"]}.tar`);
  if (!existsSync(file)) {
    const db = await PGlite.create();
    const dump = await db.dumpDataDir("none");
    await db.close();
    await mkdir(KEPT, { recursive: true });
    const draft = `${file}.${process.pid}`;
    await writeFile(draft, new Uint8Array(await dump.arrayBuffer()));
    // In one step: another process reads a whole file or makes its own.
    await rename(draft, file);
  }
  return new Uint8Array(await readFile(file));
}
