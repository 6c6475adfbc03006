import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { stateFolder } from "@codemode/runtime/state-folder";
import { makePrivateFolder, writePrivately } from "../../runtime/files/private-files.ts";
import { realPlace } from "../../runtime/files/real-place.ts";
import { readStateFile } from "../../runtime/files/state-file.ts";

/** How a client's file was before an entry came into it; it is kept on this account, and read again by `uninstall`. */
interface InstallRecord {
  version: 1;
  /** Identifies the text that `install` left. */
  digest: string;
  /** Where it left the text that it found: between a common start and a common end, the one stood where now are so many characters. */
  start: number;
  inserted: number;
  removed: string;
  /** The folders that were made for the file, the deepest first; absent where the file was there. */
  folders?: string[] | undefined;
}

/** The folders that are missing above a file, the deepest first. */
export function missingFolders(file: string): string[] {
  const folder = dirname(file);
  return folder === file || existsSync(folder) ? [] : [folder, ...missingFolders(folder)];
}

/**
 * Keeps what `install` found, so that `uninstall` gives it back. It is a convenience: where it cannot be kept, `uninstall` takes out the entry.
 * @param folders see `missingFolders`
 */
export async function keepOriginal(
  file: string,
  name: string,
  { before, after, folders }: { before: string | undefined; after: string; folders: string[] },
): Promise<void> {
  const [from, to] = [before ?? "", after];
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const record: InstallRecord = {
    version: 1,
    digest: digestOf(after),
    start,
    inserted: to.length - end - start,
    removed: from.slice(start, from.length - end),
    folders: before === undefined ? folders : undefined,
  };
  const path = recordPath(file, name);
  await makePrivateFolder(dirname(path), stateFolder())
    .then(() => writePrivately(path, JSON.stringify(record)))
    .catch(() => undefined);
}

/** What `install` found, where the file is still as it left it. */
export async function findOriginal(
  file: string,
  name: string,
  now: string,
): Promise<{ text: string | undefined; folders: string[] } | undefined> {
  const record = await readRecord(recordPath(file, name));
  if (record?.digest !== digestOf(now)) return undefined;
  const { start, inserted, removed, folders } = record;
  if (folders !== undefined) return { text: undefined, folders };
  return { text: now.slice(0, start) + removed + now.slice(start + inserted), folders: [] };
}

export async function forgetOriginal(file: string, name: string): Promise<void> {
  await rm(recordPath(file, name), { force: true }).catch(() => undefined);
}

/** Removes a file that `install` made, and the folders that it made and that are empty now. */
export async function removeMade(file: string, folders: readonly string[]): Promise<void> {
  await rm(realPlace(file), { force: true });
  for (const folder of folders) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the inner one first
      await rmdir(folder);
    } catch {
      return;
    }
  }
}

function recordPath(file: string, name: string): string {
  const id = createHash("sha256")
    .update(`${realPlace(file)}\n${name}`)
    .digest("hex")
    .slice(0, 32);
  return join(stateFolder(), "installs", `${id}.json`);
}

function isRecord(value: unknown): value is InstallRecord {
  return typeof value === "object" && value !== null && "version" in value && value.version === 1;
}

async function readRecord(path: string): Promise<InstallRecord | undefined> {
  try {
    const record: unknown = JSON.parse(String(await readStateFile(path)));
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
