import { chmod, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { placeInProject } from "./place-in-project.ts";
import { replaceFile } from "./replace-file.ts";

/** Makes a folder in the state folder that its owner alone can enter. Both folders, because `mkdir` leaves those that exist as they are. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const each of [dirname(folder), folder]) await chmod(each, 0o700);
}

/**
 * Writes a file that its owner alone can read. A reader at any moment sees the old text or the new one.
 *
 * @throws CodemodeError `LINK_OUTSIDE` where the file is a link that leads out of its folder
 */
export async function writePrivately(path: string, text: string): Promise<void> {
  await replaceFile(placeInProject(path, dirname(path)), text, { mode: 0o600 });
}
