import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";

/** How often to look whether a lock is free. */
const LOOK_EVERY_MS = 25;

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
  const ownership = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() });
  while (!(await tryToLock(lockPath, ownership))) {
    signal?.throwIfAborted();
    await removeStaleLock(lockPath);
    await delay(LOOK_EVERY_MS);
  }
  try {
    return await action();
  } finally {
    if ((await readFile(lockPath, "utf8").catch(() => "")) === ownership) await rm(lockPath, { force: true });
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
  let owner: { pid?: unknown; host?: unknown };
  try {
    owner = JSON.parse(content) as typeof owner;
  } catch {
    return true;
  }
  if (owner.host !== hostname() || typeof owner.pid !== "number") return true;
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
