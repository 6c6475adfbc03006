import { randomUUID } from "node:crypto";
import { link, rename, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { unlessExists } from "./expected-errors.ts";
import { mayRun, ownerHere, type ProcessOwner } from "./process-owner.ts";
import { readStateFile, unlessNotReadable } from "./state-file.ts";

/** How often to look whether a lock is free. */
const LOOK_EVERY_MS = 25;

/** After so many looks, a lock that names no process is what a crash has left. */
const LOOKS_AT_UNREADABLE = 40;

/** A lock that this process has seen for so long is stale, by its own clock: its holder has ended, or its machine was asleep. */
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
  const lockPath = lockOf(path);
  const ownership = makeOwnership();
  const seen: SeenLock = { content: "", since: 0 };
  while (!(await tryToLock(lockPath, ownership))) {
    signal?.throwIfAborted();
    await removeStaleLock(lockPath, seen);
    await delay(LOOK_EVERY_MS);
  }
  try {
    return await action();
  } finally {
    await unlock(lockPath, ownership);
  }
}

/**
 * Takes the lock of a file for as long as the caller works with it, or says which process has it. One that is held for hours is not stale: only a
 * process that this machine knows to have ended loses it.
 */
export async function holdFileLock(path: string): Promise<{ release: () => Promise<void> } | { owner: ProcessOwner }> {
  const lockPath = lockOf(path);
  const ownership = makeOwnership();
  for (let looks = 0; !(await tryToLock(lockPath, ownership)); looks += 1) {
    const content = await readLock(lockPath);
    const owner = parseOwner(content);
    if (owner !== undefined && mayRun(owner)) return { owner };
    // What names no process may be in the middle of being written.
    if (owner === undefined && looks < LOOKS_AT_UNREADABLE) await delay(LOOK_EVERY_MS);
    else await moveAway(lockPath, content);
  }
  return { release: () => unlock(lockPath, ownership) };
}

/** The file that is there while a process has the lock. */
const lockOf = (path: string): string => `${path}.lock`;

function makeOwnership(): string {
  return JSON.stringify({ ...ownerHere(), id: randomUUID() });
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

async function unlock(lockPath: string, ownership: string): Promise<void> {
  if ((await readLock(lockPath)) === ownership) await rm(lockPath, { force: true });
}

/** The text of a lock; empty where there is none any more. What is no file names no process: it is removed when its time is over. */
async function readLock(lockPath: string): Promise<string> {
  const noFile = (error: unknown): string => unlessNotReadable(error) ?? "no file";
  return readStateFile(lockPath).then((bytes) => bytes?.toString() ?? "", noFile);
}

/** The lock of another process, and since when it is waited for, by a clock that is never set. */
interface SeenLock {
  content: string;
  since: number;
}

async function removeStaleLock(lockPath: string, seen: SeenLock): Promise<void> {
  const content = await readLock(lockPath);
  if (content === "") return;
  if (seen.content !== content || seen.since === 0) Object.assign(seen, { content, since: performance.now() });
  const owner = parseOwner(content);
  // What cannot be read may be in the middle of being written.
  const isHeld = owner === undefined || mayRun(owner);
  if (performance.now() - seen.since < STALE_AFTER_MS && isHeld) return;
  await moveAway(lockPath, content);
}

/** Of several processes that want to remove a lock only one succeeds. */
async function moveAway(lockPath: string, content: string): Promise<void> {
  const aside = `${lockPath}.${randomUUID()}`;
  try {
    await rename(lockPath, aside);
    const isAnother = (await readLock(aside)) !== content;
    if (isAnother) await link(aside, lockPath).catch(unlessExists); // another process was faster: give the lock back
    await rm(aside, { force: true, recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function parseOwner(content: string): ProcessOwner | undefined {
  try {
    const owner = (JSON.parse(content) ?? {}) as Partial<ProcessOwner>;
    return typeof owner.pid === "number" && typeof owner.host === "string" ? (owner as ProcessOwner) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
