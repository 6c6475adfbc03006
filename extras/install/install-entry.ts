import type { ClientFile } from "../../engine/project/clients/client-files.ts";
import { listClientEntries } from "../../engine/project/clients/parse-client-file.ts";
import { readTextIfPresent, writeAtomically } from "../../engine/project/files.ts";
import { type ClientEntry, MergeRefusal } from "./client-entry.ts";
import { putEntry, removeEntry } from "./edit-client-text.ts";
import { findOriginal, forgetOriginal, keepOriginal, missingFolders, removeMade } from "./install-record.ts";
import { stat } from "node:fs/promises";
import { clientFileRefused } from "../../schemas/errors.ts";
import { resolve } from "node:path";
import { commandOf, urlOf } from "../../engine/project/clients/entry-parts.ts";
import { isOwnCommand } from "../../engine/project/clients/entry-parts.ts";

/**
 * Puts an entry into a client's file, and keeps on this account what was there, for `uninstallEntry`. Resolves to whether anything changed.
 * @param force replaces a foreign entry of the same name
 * @throws CodemodeError `CLIENT_FILE_REFUSED`
 */
export async function installEntry(
  file: ClientFile,
  entry: ClientEntry,
  folder: string,
  force: boolean,
): Promise<boolean> {
  const { path } = file;
  const { name } = entry;
  const found = await readTextIfPresent(path);
  const folders = found === undefined ? missingFolders(path) : [];
  if (!(await changeClientFile(file, folder, (text) => putEntry(text, entry, force)))) return false;
  const after = (await readTextIfPresent(path)) ?? "";
  const original = found === undefined ? { text: found, folders } : await findOriginal(path, name, found);
  const hadEntry = found !== undefined && listClientEntries(found, file).some(([other]) => other === name);
  // An entry of an earlier install, of which nothing is known, is none that `uninstall` may give back.
  if (original === undefined && hadEntry && !force) await forgetOriginal(path, name);
  else {
    const before = original ?? { text: found, folders };
    await keepOriginal(path, name, { before: before.text, after, folders: before.folders });
  }
  return true;
}

/**
 * Changes the text of a client's file in one step. The rest of the file, its mode, and a link to it stay; only the file of a project, which
 * came with the project, may be no link that leads out of it. Resolves to whether anything changed.
 * @throws CodemodeError `CLIENT_FILE_REFUSED` for a `MergeRefusal` of `change`
 */
export async function changeClientFile(
  { path, scope }: Pick<ClientFile, "path" | "scope">,
  folder: string,
  change: (text: string) => string,
): Promise<boolean> {
  await assertNoLoop(path);
  const text = (await readTextIfPresent(path)) ?? "";
  const changed = refuseFor(path, () => change(text));
  if (changed === text) return false;
  await writeAtomically(path, changed, { project: scope === "project" ? folder : undefined });
  return true;
}

function refuseFor(path: string, change: () => string): string {
  try {
    return change();
  } catch (error) {
    if (error instanceof MergeRefusal) throw clientFileRefused(path, error.message, error.hint);
    throw error;
  }
}

async function assertNoLoop(path: string): Promise<void> {
  const problem = await stat(path).catch((error: NodeJS.ErrnoException) => error.code);
  if (problem !== "ELOOP") return;
  throw clientFileRefused(path, "is a symbolic link to itself", "Fix the link; nothing was written.");
}

/**
 * Takes the entry of this name out of a client's file. A file that is as `install` left it gets the bytes back that it had; of another one only
 * the entry goes. Resolves to whether there was one. An entry that starts another program is refused
 * unless `force` is set. The address of a remote codemode looks like any other, so there the name decides.
 */
export async function uninstallEntry(file: ClientFile, name: string, folder: string, force: boolean): Promise<boolean> {
  const text = await readTextIfPresent(file.path);
  const entry = text === undefined ? undefined : entriesOf(text, file).find(([other]) => other === name)?.[1];
  if (entry === undefined) return false;
  const words = commandOf(entry);
  const servesOther = words.includes("--cwd") && !isFolder(words[words.indexOf("--cwd") + 1] ?? "", folder);
  if (urlOf(entry) === undefined && (!isOwnCommand(words) || servesOther) && !force) {
    throw clientFileRefused(
      file.path,
      `has a server "${name}" which is not codemode, or serves another project`,
      "Take it out with --force, or by hand.",
    );
  }
  const original = await findOriginal(file.path, name, text as string);
  let isChanged = true;
  if (original === undefined) isChanged = await changeClientFile(file, folder, (now) => removeEntry(now, file, name));
  else if (original.text === undefined) await removeMade(file.path, original.folders);
  else isChanged = await changeClientFile(file, folder, () => original.text as string);
  await forgetOriginal(file.path, name);
  return isChanged;
}

/** A placeholder of the client stands for the project that its file is in. */
function isFolder(written: string, folder: string): boolean {
  return written.includes("${") || resolve(folder, written) === folder;
}

function entriesOf(text: string, file: ClientFile): ReturnType<typeof listClientEntries> {
  try {
    return listClientEntries(text, file);
  } catch {
    throw clientFileRefused(file.path, "cannot be read: its syntax is broken", "Fix the file; nothing was written.");
  }
}
