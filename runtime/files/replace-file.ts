import { renameSync, rmSync, writeFileSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { whileHeld, whileHeldSync } from "./while-held.ts";
import { draftOf } from "./drafts.ts";

const FLUSHES_AT_ONCE = 32;

export interface Replacement {
  /** The permissions of the new file, regardless of the umask; by default those of any new file. */
  mode?: number | undefined;
  /** False for what can be made again: a power failure may then leave the old file, or an empty one. */
  isFlushed?: boolean | undefined;
}

/**
 * Replaces a file in one step, and flushes it to disk: a reader, a crash and a power failure at any moment find the old content or the new
 * one. A symbolic link at the path is replaced, never followed.
 *
 * @throws the error of the file system; nothing is left behind
 */
export async function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode, isFlushed = true }: Replacement = {},
): Promise<void> {
  const draft = draftOf(file);
  try {
    const handle = await open(draft, "wx", mode);
    try {
      if (mode !== undefined) await handle.chmod(mode);
      await handle.writeFile(content);
      if (isFlushed) await handle.sync();
    } finally {
      await handle.close();
    }
    await whileHeld(() => rename(draft, file));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  if (isFlushed) await flushFolder(dirname(file));
}

/** The same at once and without flushing. */
export function replaceUnflushed(file: string, content: string | Uint8Array, mode?: number): void {
  const draft = draftOf(file);
  try {
    writeFileSync(draft, content, { flag: "wx", mode });
    whileHeldSync(() => renameSync(draft, file));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Flushes files to disk, and the folders that they are in: together, because a disk does several flushes at once. */
export async function flushFiles(files: readonly string[]): Promise<void> {
  const left = [...files];
  const flushNext = async (): Promise<void> => {
    for (let file = left.pop(); file !== undefined; file = left.pop()) {
      const handle = await open(file, "r+");
      await handle.sync().finally(() => handle.close());
    }
  };
  await Promise.all(Array.from({ length: FLUSHES_AT_ONCE }, flushNext));
  await Promise.all([...new Set(files.map((file) => dirname(file)))].map(flushFolder));
}

/** Makes a rename outlive a power failure. Windows and some file systems flush no folders: the file is written all the same. */
async function flushFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    await handle.sync().finally(() => handle.close());
  } catch {
    // There is no other way to flush it.
  }
}
