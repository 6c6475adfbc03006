import { resolve } from "node:path";
import { clientFileRefused } from "../../schemas/errors.ts";
import type { ClientFile } from "../../engine/project/clients/client-files.ts";
import { commandOf, urlOf, isOwnCommand } from "../../engine/project/clients/entry-parts.ts";
import { listClientEntries } from "../../engine/project/clients/parse-client-file.ts";
import { readTextIfPresent } from "../../engine/project/files.ts";
import { changeClientFile } from "./change-client-file.ts";
import { removeEntry } from "./edit-client-text.ts";
import { findOriginal, forgetOriginal, removeMade } from "./install-record.ts";

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
  await forgetOriginal(file.path, name);
  if (original === undefined) return changeClientFile(file, folder, (now) => removeEntry(now, file, name));
  if (original.text !== undefined) return changeClientFile(file, folder, () => original.text as string);
  await removeMade(file.path, original.folders);
  return true;
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
