import { chmod } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { makeFolders } from "./make-folders.ts";
import { isInside } from "./real-place.ts";
import { placeInProject } from "./place-in-project.ts";
import { replaceFile } from "./replace-file.ts";

/**
 * Makes a folder that its owner alone can enter. The mode of a folder that is there already, such as the one that `XDG_STATE_HOME` names, is its
 * owner's.
 * @param own codemode's own state folder (`stateFolder()`): this one and those in it are made private also where they are there
 */
export async function makePrivateFolder(folder: string, own: string): Promise<void> {
  makeFolders(folder, 0o700);
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
