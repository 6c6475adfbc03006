import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { draftOf } from "./replace-file.ts";

/** Makes a symbolic link to a folder, or replaces the one that is there, in one step. Its own folder is made where there is none. */
export async function replaceLink(link: string, target: string): Promise<void> {
  await mkdir(dirname(link), { recursive: true });
  const draft = draftOf(link);
  try {
    await symlink(target, draft, "junction");
    await rename(draft, link);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
