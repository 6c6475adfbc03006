import { rm } from "node:fs/promises";
import type { ClientFile } from "../../engine/project/clients/client-files.ts";
import { listClientEntries } from "../../engine/project/clients/parse-client-file.ts";
import { asOneStep } from "../../engine/project/as-one-step.ts";
import { readTextIfPresent, writeAtomically } from "../../engine/project/files.ts";
import { changeClientFile } from "./install-entry.ts";
import { putEntry, removeEntry } from "./edit-client-text.ts";
import { findOriginal, forgetOriginal, keepOriginal } from "./install-record.ts";
import { canonicalJson } from "../../schemas/json/canonical-json.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { backupOf, type OldServers } from "../../engine/project/clients/old-servers.ts";

/**
 * Takes servers out of a client's file, after writing them to the backup, which only this account can read. One that the backup has already, and
 * otherwise, stays. Resolves to the names that were moved.
 * @param entry the name of codemode's entry, under which `uninstall` finds how the file was
 */
export async function moveServers(
  { file, names }: Pick<OldServers, "file" | "names">,
  folder: string,
  entry: string,
): Promise<string[]> {
  const text = (await readTextIfPresent(file.path)) ?? "";
  const kept = (await readTextIfPresent(backupOf(file.path))) ?? "";
  const known = new Map(kept === "" ? [] : listClientEntries(kept, file));
  const moved = listClientEntries(text, file).filter(
    ([name, value]) => names.includes(name) && isAbsentOrSame(known.get(name), value),
  );
  if (moved.length === 0) return [];
  const { format, within } = file;
  const backup = moved.reduce((all, [name, value]) => putEntry(all, { format, within, name, value }, true), kept);
  const project = file.scope === "project" ? folder : undefined;
  // A server that is in neither file would be lost.
  await asOneStep([backupOf(file.path), file.path], project, async () => {
    await writeAtomically(backupOf(file.path), backup, { project, mode: 0o600 });
    await changeClientFile(file, folder, (now) => moved.reduce((left, [name]) => removeEntry(left, file, name), now));
  });
  await keepFormer(file, entry, text);
  return moved.map(([name]) => name);
}

/** Keeps how the file was before codemode changed it, comments and blanks included. */
async function keepFormer(file: ClientFile, entry: string, before: string): Promise<void> {
  const original = await findOriginal(file.path, entry, before);
  const hasEntry = listClientEntries(before, file).some(([name]) => name === entry);
  // Of an entry that something else wrote, the file without it is not known.
  if (original === undefined && hasEntry) return;
  const after = (await readTextIfPresent(file.path)) ?? "";
  const former = original === undefined ? { text: before, folders: [] } : original;
  await keepOriginal(file.path, entry, { before: former.text, after, folders: former.folders });
}

function isAbsentOrSame(kept: JsonObject | undefined, now: JsonObject): boolean {
  return kept === undefined || canonicalJson(kept) === canonicalJson(now);
}

/** What was put back, and what the client's file has again already, which stays. */
export interface RestoredServers {
  file: ClientFile;
  names: string[];
  kept: string[];
}

/**
 * Puts the servers of the backup back into the client's file; undefined where there are none. A file that is as codemode left it gets the bytes back
 * that it had. A backup with nothing left goes.
 */
export async function restoreServers(
  file: ClientFile,
  folder: string,
  entry: string,
): Promise<RestoredServers | undefined> {
  const project = file.scope === "project" ? folder : undefined;
  return asOneStep([backupOf(file.path), file.path], project, () => restoreFrom(file, folder, entry));
}

async function restoreFrom(file: ClientFile, folder: string, entry: string): Promise<RestoredServers | undefined> {
  const path = backupOf(file.path);
  const backup = await readTextIfPresent(path);
  const moved = backup === undefined ? [] : listClientEntries(backup, file);
  if (backup === undefined || moved.length === 0) return undefined;
  const original = await findOriginal(file.path, entry, (await readTextIfPresent(file.path)) ?? "");
  if (original?.text !== undefined) {
    const { text } = original;
    await changeClientFile(file, folder, () => text);
    await forgetOriginal(file.path, entry);
  }
  const there = new Map(listClientEntries((await readTextIfPresent(file.path)) ?? "", file));
  const back = moved.filter(([name]) => !there.has(name));
  const { format, within } = file;
  await changeClientFile(file, folder, (text) =>
    back.reduce((all, [name, value]) => putEntry(all, { format, within, name, value }, true), text),
  );
  const returned = moved.filter(([name, value]) => isAbsentOrSame(there.get(name), value)).map(([name]) => name);
  const left = returned.reduce((text, name) => removeEntry(text, file, name), backup);
  if (isEmpty(left)) await rm(path);
  else await writeAtomically(path, left, { project: file.scope === "project" ? folder : undefined, mode: 0o600 });
  return { file, names: returned, kept: moved.flatMap(([name]) => (returned.includes(name) ? [] : [name])) };
}

/** Whether nothing but the braces of objects, and the keys above the servers, is left. */
function isEmpty(text: string): boolean {
  const withoutKeys = text.replace(/"(?:[^"\\]|\\.)*"?(\s*:)?/g, (_, colon: string | undefined) => colon ?? "text");
  return !/[^\s{}[\]:,"]/.test(withoutKeys.replace(/^\w+:/gm, ""));
}
