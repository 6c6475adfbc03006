import { constants } from "node:fs";
import { open } from "node:fs/promises";

const MAX_BYTES = 256 * 1024;

/** The text of a file of this account, which is no link; undefined for everything else. */
export async function readOwnFile(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const facts = await file.stat();
    if (!facts.isFile() || !isOwned(facts.uid) || facts.size > MAX_BYTES) return undefined;
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

/** Windows has no such ids. */
export function isOwned(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
