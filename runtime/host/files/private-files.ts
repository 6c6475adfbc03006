import { randomUUID } from "node:crypto";
import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes a folder in the state folder that its owner alone can enter. Both folders, because `mkdir` leaves those that exist as they are. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const each of [dirname(folder), folder]) await chmod(each, 0o700);
}

/** Writes a file that its owner alone can read. A reader at any moment sees the old text or the new one. */
export async function writePrivately(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
