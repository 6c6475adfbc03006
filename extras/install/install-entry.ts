import type { ClientFile } from "../../engine/project/clients/client-files.ts";
import { listClientEntries } from "../../engine/project/clients/parse-client-file.ts";
import { readTextIfPresent } from "../../engine/project/files.ts";
import { changeClientFile } from "./change-client-file.ts";
import type { ClientEntry } from "./client-entry.ts";
import { putEntry } from "./edit-client-text.ts";
import { findOriginal, forgetOriginal, keepOriginal, missingFolders } from "./install-record.ts";

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
