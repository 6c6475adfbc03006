import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { endServer, startOnFreePort } from "./ports.ts";

/** The number that Linux keeps for the account without rights. */
const UNPRIVILEGED = 65_534;
const PLACES = "/usr/lib/postgresql";

/** Starts a PostgreSQL with an empty database, which ends with the test; gives its address. It refuses root, which runs it as the account without rights. */
export async function startPostgres(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-postgres-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const isRoot = process.getuid?.() === 0;
  const unprivileged = isRoot
    ? ["setpriv", `--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, "--clear-groups"]
    : [];
  if (isRoot) await chown(folder, UNPRIVILEGED, UNPRIVILEGED);
  const bin = await findPrograms();
  const [run, ...words] = [...unprivileged, join(bin, "initdb")];
  const made = spawnSync(run, [...words, "-D", join(folder, "data"), "-U", "codemode", "-A", "trust"], { cwd: "/" });
  if (made.status !== 0) throw new Error(`initdb: ${String(made.stderr)}`);
  const [start, ...more] = [...unprivileged, join(bin, "postgres")];
  const settings = ["-D", join(folder, "data"), "-k", folder, "-h", "127.0.0.1"];
  const { port, server } = await startOnFreePort(
    (free) => spawn(start, [...more, ...settings, "-p", String(free)], { cwd: "/", stdio: "ignore" }),
    // It takes connections before it answers them.
    async (free) => spawnSync(join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(free)]).status === 0,
  );
  onTestFinished(() => endServer(server, "SIGINT"));
  return `postgres://codemode@127.0.0.1:${port}/postgres`;
}

async function findPrograms(): Promise<string> {
  const versions = existsSync(PLACES) ? await readdir(PLACES) : [];
  const [newest] = versions.toSorted((left, right) => Number(right) - Number(left));
  if (newest === undefined) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  return join(PLACES, newest, "bin");
}
