import { lstatSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { makeFolder } from "./make-folders.ts";

/** The user's folder for what can be made again. */
export function cacheHome(): string {
  const named = process.env["XDG_CACHE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".cache");
}

/**
 * A folder of that name in codemode's own cache, made where it is not there. It is for compiled code, which V8 runs without a check:
 * so it is private, and a folder of another owner, or inside such a folder, is not used. Undefined if there is no such folder.
 */
export function openCacheFolder(name: string, home = cacheHome()): string | undefined {
  try {
    makePrivateFolder(home);
    const all = join(home, "codemode");
    const folder = join(all, name);
    for (const path of [all, folder]) {
      makePrivateFolder(path);
      if (!isOurs(path, "folder")) return undefined;
    }
    noteUse(folder);
    return folder;
  } catch {
    return undefined;
  }
}

/** A folder that is only read would soon be the oldest, and the first to go. */
function noteUse(folder: string): void {
  try {
    const now = new Date();
    utimesSync(folder, now, now);
  } catch {
    // What cannot be written can be read.
  }
}

/** Removes those of the folders whose names start so that were not opened for longest: every build and every set of flags has made its own. */
export function pruneCacheFolders(prefix: string, kept: number, home = cacheHome()): void {
  const all = join(home, "codemode");
  try {
    readdirSync(all)
      .filter((name) => name.startsWith(prefix))
      .map((name) => ({ path: join(all, name), usedAt: statSync(join(all, name)).mtimeMs }))
      .toSorted((left, right) => right.usedAt - left.usedAt)
      .slice(kept)
      .forEach(({ path }) => rmSync(path, { recursive: true, force: true }));
  } catch {
    // Another process prunes as well, or nothing may be removed: it is only room on the disk.
  }
}

/** Whether only this user can have written it. A link is not followed. */
export function isOurs(path: string, kind: "file" | "folder"): boolean {
  const stats = lstatSync(path);
  if (!(kind === "file" ? stats.isFile() : stats.isDirectory())) return false;
  const isPrivate = kind === "file" ? (stats.mode & 0o022) === 0 : (stats.mode & 0o077) === 0;
  return process.getuid === undefined || (stats.uid === process.getuid() && isPrivate);
}

/** One level only: a home that is not there is not made. */
function makePrivateFolder(path: string): void {
  const error = makeFolder(path, 0o700);
  if (error !== undefined) throw error;
}
