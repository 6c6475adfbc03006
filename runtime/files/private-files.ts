import { chmod, mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { stateFolder } from "@codemode/runtime/state-folder";
import { isInside } from "./real-place.ts";
import { placeInProject } from "./place-in-project.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Makes a folder that its owner alone can enter. Folders of codemode's own state folder are made so where they exist already; the mode of any other
 * folder, such as the one that `XDG_STATE_HOME` names, is its owner's.
 */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = stateFolder();
  for (let each = resolve(folder); isInside(own, each); each = dirname(each)) await chmod(each, 0o700);
}

/**
 * Writes a file that its owner alone can read. A reader at any moment sees the old text or the new one.
 *
 * @throws CodemodeError `LINK_OUTSIDE` where the file is a link that leads out of its folder
 */
export async function writePrivately(path: string, text: string): Promise<void> {
  await replaceFile(placeInProject(path, dirname(path)), text, { mode: 0o600 });
}
