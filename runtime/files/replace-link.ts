import { lstat, rename, rm, symlink, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { draftOf } from "./drafts.ts";
import { makeFolders } from "./make-folders.ts";
import { whileHeld } from "./while-held.ts";

/** Makes a symbolic link to a folder, or replaces the one that is there, in one step. Its own folder is made where there is none. */
export async function replaceLink(link: string, target: string): Promise<void> {
  makeFolders(dirname(link));
  const draft = draftOf(link);
  try {
    await symlink(target, draft, "junction");
    await renameOver(draft, link);
  } catch (error) {
    await rm(draft).catch(() => undefined);
    throw error;
  }
}

/** Windows renames nothing over a folder, and a junction is one: there it goes first. Anything but a link stays. */
async function renameOver(draft: string, link: string): Promise<void> {
  try {
    await rename(draft, link);
  } catch (error) {
    const found = await lstat(link).catch(() => undefined);
    if (found?.isSymbolicLink() !== true) throw error;
    await unlink(link);
    await whileHeld(() => rename(draft, link));
  }
}
