import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { isRunning } from "./is-running.ts";

/** The process that has a lock. */
export interface LockOwner {
  pid: number;
  host: string;
}

/** How often to look whether a lock is free. */
const LOOK_EVERY_MS = 25;

/** A lock that is still there after so many looks is held: what its process has left would be removed by then. */
const FREE_WITHIN = 2;

/** How often a lock that is held for long shows that its process lives. */
const SIGN_EVERY_MS = 10_000;

/** A lock this old is stale: its holder has ended, or its machine was asleep. */
const STALE_AFTER_MS = 60_000;

/**
 * Does something while no other process does anything under the same lock. The lock is a file beside the one that
 * is protected; one whose process has ended is taken over.
 * @throws the signal's reason when it ends the wait
 */
export async function withFileLock<Result>(
  path: string,
  action: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  const lockPath = `${path}.lock`;
  const ownership = makeOwnership();
  while (!(await tryToLock(lockPath, ownership))) {
    signal?.throwIfAborted();
    await removeStaleLock(lockPath);
    await delay(LOOK_EVERY_MS);
  }
  try {
    return await action();
  } finally {
    await unlock(lockPath, ownership);
  }
}

/**
 * Takes the lock of a file for as long as the caller works with it, or says which process has it. The lock shows a sign of life, so that one
 * that is held for hours is not stale.
 */
export async function holdFileLock(path: string): Promise<{ release: () => Promise<void> } | { owner: LockOwner }> {
  const lockPath = `${path}.lock`;
  const ownership = makeOwnership();
  for (let tried = 0; !(await tryToLock(lockPath, ownership)); tried += 1) {
    const owner = tried < FREE_WITHIN ? undefined : parseOwner(await readLock(lockPath));
    if (owner !== undefined) return { owner };
    await removeStaleLock(lockPath);
    if (tried > 0) await delay(LOOK_EVERY_MS);
  }
  const sign = setInterval(() => {
    // Where the lock is gone, its file is too: there is nothing to protect.
    utimes(lockPath, new Date(), new Date()).catch(() => clearInterval(sign));
  }, SIGN_EVERY_MS);
  sign.unref();
  return {
    async release() {
      clearInterval(sign);
      await unlock(lockPath, ownership);
    },
  };
}

function makeOwnership(): string {
  return JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
}

async function unlock(lockPath: string, ownership: string): Promise<void> {
  if ((await readLock(lockPath)) === ownership) await rm(lockPath, { force: true });
}

/** The text of a lock; empty where there is none any more. */
async function readLock(lockPath: string): Promise<string> {
  try {
    return await readFile(lockPath, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

async function tryToLock(lockPath: string, ownership: string): Promise<boolean> {
  try {
    await writeFile(lockPath, ownership, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function removeStaleLock(lockPath: string): Promise<void> {
  try {
    const [content, { mtimeMs }] = await Promise.all([readFile(lockPath, "utf8"), stat(lockPath)]);
    if (Date.now() - mtimeMs < STALE_AFTER_MS && isHeld(content)) return;
    // Moved away first: of several that want to remove it only one succeeds.
    const aside = `${lockPath}.${randomUUID()}`;
    await rename(lockPath, aside);
    const isAnother = (await readFile(aside, "utf8")) !== content;
    if (isAnother) await link(aside, lockPath).catch(() => undefined); // another process was faster: give the lock back
    await rm(aside, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** Whether the process that wrote it lives; what cannot be read may be in the middle of being written. */
function isHeld(content: string): boolean {
  const owner = parseOwner(content);
  return owner === undefined || owner.host !== hostname() || isRunning(owner.pid);
}

function parseOwner(content: string): LockOwner | undefined {
  try {
    const { pid, host } = JSON.parse(content) as Partial<LockOwner>;
    return typeof pid === "number" && typeof host === "string" ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}
