import { join } from "node:path";
import type { Config } from "../../schemas/config/config.ts";
import { formatLockfile, parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { readTextIfPresent, readTextSync, stampOf, writeAtomically } from "./files.ts";

export const LOCKFILE_NAME = "codemode.lock.json";

/** What of a project says where its lockfile is. */
type Project = Pick<Config, "folder" | "memory">;

/** Where the lockfile of a project is. */
export function lockfilePath(config: Project): string {
  return join(config.folder, LOCKFILE_NAME);
}

/** Reads and checks the lockfile, or gives undefined where there is none. */
export async function readLockfile(config: Project): Promise<Lockfile | undefined> {
  if (config.memory !== undefined) return config.memory.lockfile;
  return readLockfileAt(lockfilePath(config), LOCKFILE_NAME);
}

/** The same of any file. `shown` is for errors. */
export async function readLockfileAt(file: string, shown = file): Promise<Lockfile | undefined> {
  const text = await readTextIfPresent(file, "lock");
  return text === undefined ? undefined : parseLockfile(text, shown, digestText);
}

/** Reads the lockfile at once, for where nothing can be waited for. */
export function readLockfileNow(config: Project): Lockfile | undefined {
  if (config.memory !== undefined) return config.memory.lockfile;
  const text = readTextSync(lockfilePath(config), "lock");
  return text === undefined ? undefined : parseLockfile(text, LOCKFILE_NAME, digestText);
}

/** Begins to watch the lockfile. Each call gives what is in it if it has changed since the last one, and can be read. */
export function watchLockfile(config: Project): () => Promise<Lockfile | undefined> {
  if (config.memory !== undefined) return async () => undefined;
  let seen = stampOf(lockfilePath(config));
  return async () => {
    const before = await seen;
    seen = stampOf(lockfilePath(config));
    if ((await seen) === before) return undefined;
    return readLockfile(config).catch(() => undefined);
  };
}

/** Writes the lockfile in one step; an equal one keeps its time stamp. */
export async function writeLockfile(config: Config, lockfile: Lockfile): Promise<void> {
  if (config.memory !== undefined) {
    config.memory.lockfile = lockfile;
    return;
  }
  const text = formatLockfile(lockfile);
  if ((await readTextIfPresent(lockfilePath(config), "lock")) === text) return;
  await writeAtomically(lockfilePath(config), text, { project: config.folder });
}
