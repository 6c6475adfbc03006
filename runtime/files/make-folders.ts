import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, with the folders that it is in, where there is none. `mkdir` of Node with `recursive` never ends under `/proc`, where a folder that is
 * missing cannot be made.
 * @throws the error of the file system
 */
export function makeFolders(folder: string, mode?: number): void {
  const parent = dirname(folder);
  let error = makeFolder(folder, mode);
  if (error?.code === "ENOENT" && parent !== folder) {
    makeFolders(parent, mode);
    error = makeFolder(folder, mode);
  }
  if (error !== undefined) throw error;
}

/** Makes one folder; gives the error of the file system where it is not there then. */
export function makeFolder(folder: string, mode: number | undefined): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(folder, { mode });
    return undefined;
  } catch (error) {
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
    return isThere ? undefined : (error as NodeJS.ErrnoException);
  }
}
