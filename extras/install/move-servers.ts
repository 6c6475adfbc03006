import { rm } from "node:fs/promises";
import type { ClientFile } from "../../engine/project/clients/client-files.ts";
import { listClientEntries } from "../../engine/project/clients/parse-client-file.ts";
import { readTextIfPresent, writeAtomically } from "../../engine/project/files.ts";
import { changeClientFile } from "./install-entry.ts";
import { putEntry, removeEntry } from "./edit-client-text.ts";
import type { OldServers } from "../../engine/project/clients/old-servers.ts";

/** The file beside a client's file that keeps what was taken out of it, in the client's own form. */
export const backupOf = (path: string): string => `${path}.codemode-backup`;

/** Takes servers out of a client's file, after writing them to the backup, which only this account can read. */
export async function moveServers({ file, names }: OldServers, folder: string): Promise<void> {
  const text = (await readTextIfPresent(file.path)) ?? "";
  const moved = listClientEntries(text, file).filter(([name]) => names.includes(name));
  const kept = (await readTextIfPresent(backupOf(file.path))) ?? "";
  const { format, within } = file;
  const backup = moved.reduce((all, [name, value]) => putEntry(all, { format, within, name, value }, true), kept);
  const project = file.scope === "project" ? folder : undefined;
  await writeAtomically(backupOf(file.path), backup, { project, mode: 0o600 });
  await changeClientFile(file, folder, (now) => names.reduce((left, name) => removeEntry(left, file, name), now));
}

/** What was put back, and what the client's file has again already, which stays. */
export interface RestoredServers {
  file: ClientFile;
  names: string[];
  kept: string[];
}

/** Puts the servers of the backup back into the client's file; undefined where there are none. A backup with nothing left goes. */
export async function restoreServers(file: ClientFile, folder: string): Promise<RestoredServers | undefined> {
  const path = backupOf(file.path);
  const backup = await readTextIfPresent(path);
  const moved = backup === undefined ? [] : listClientEntries(backup, file);
  if (backup === undefined || moved.length === 0) return undefined;
  const there = new Set(listClientEntries((await readTextIfPresent(file.path)) ?? "", file).map(([name]) => name));
  const back = moved.filter(([name]) => !there.has(name));
  const { format, within } = file;
  await changeClientFile(file, folder, (text) =>
    back.reduce((all, [name, value]) => putEntry(all, { format, within, name, value }, true), text),
  );
  const left = back.reduce((text, [name]) => removeEntry(text, file, name), backup);
  const kept = moved.flatMap(([name]) => (there.has(name) ? [name] : []));
  if (isEmpty(left)) await rm(path);
  else await writeAtomically(path, left, { project: file.scope === "project" ? folder : undefined, mode: 0o600 });
  return { file, names: back.map(([name]) => name), kept };
}

/** Whether nothing but the braces of objects, and the keys above the servers, is left. */
function isEmpty(text: string): boolean {
  const withoutKeys = text.replace(/"(?:[^"\\]|\\.)*"?(\s*:)?/g, (_, colon: string | undefined) => colon ?? "text");
  return !/[^\s{}[\]:,"]/.test(withoutKeys.replace(/^\w+:/gm, ""));
}
