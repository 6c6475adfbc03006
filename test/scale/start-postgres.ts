import { type ChildProcess, spawn, spawnSync } from "node:child_process";
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
  return (await startPostgresServer()).url;
}

/** The same, with what kills it and starts it again on its port: what did not wait for its disk is lost. */
export async function startPostgresServer(): Promise<{ url: string; restart(): Promise<void> }> {
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
  const launch = (port: number): ChildProcess =>
    spawn(start, [...more, ...settings, "-p", String(port)], { cwd: "/", stdio: "ignore" });
  // It takes connections before it answers them.
  const isReady = async (port: number): Promise<boolean> =>
    spawnSync(join(bin, "pg_isready"), ["-q", "-h", "127.0.0.1", "-p", String(port)]).status === 0;
  const { port, server: first } = await startOnFreePort(launch, isReady);
  let server = first;
  onTestFinished(() => endServer(server, "SIGINT"));
  return {
    url: `postgres://codemode@127.0.0.1:${port}/postgres`,
    async restart() {
      await endServer(server, "SIGQUIT");
      server = launch(port);
    },
  };
}

async function findPrograms(): Promise<string> {
  const versions = existsSync(PLACES) ? await readdir(PLACES) : [];
  const [newest] = versions.toSorted((left, right) => Number(right) - Number(left));
  if (newest === undefined) throw new Error("PostgreSQL is not installed: apt-get install postgresql");
  return join(PLACES, newest, "bin");
}
