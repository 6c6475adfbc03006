import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { digestOf, type EmittedServer } from "./emission-record.ts";

/** What is left of a server's files. */
export interface IntactFiles {
  /** Their paths in the package. */
  paths: ReadonlySet<string>;
  /** By path: the stamps under which they need not be read again. */
  stamps: ReadonlyMap<string, string>;
}

/**
 * Two changes of a file within one tick of the file system's clock give the same stamp. The coarsest clocks in use, those of FAT, tick every
 * two seconds, so a younger stamp proves nothing.
 */
const RACY_MS = 2000;

/**
 * The files that hold what was emitted. One whose stamp is known is not read: the kernel sets a new time on each change, and no program can
 * set that time. Thousands of small files are looked at several times faster one by one.
 */
export function findIntact(folder: string, { digests, stamps }: EmittedServer): IntactFiles {
  const paths = new Set<string>();
  const seen = new Map<string, string>();
  const oldestRacy = Date.now() - RACY_MS;
  for (const [path, digest] of digests) {
    const file = join(folder, path);
    // The stamp comes before the content: a change between the two gives another one.
    const stamp = readStamp(file, oldestRacy);
    const isKnown = stamp !== undefined && stamp === stamps.get(path);
    if (!isKnown && readDigest(file) !== digest) continue;
    paths.add(path);
    if (stamp !== undefined) seen.set(path, stamp);
  }
  return { paths, stamps: seen };
}

/** Of a link, that of the file it leads to. Undefined where it could be the same after a change. */
function readStamp(file: string, oldestRacy: number): string | undefined {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
    return ctimeMs < oldestRacy ? `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}` : undefined;
  } catch {
    return undefined;
  }
}

function readDigest(file: string): string | undefined {
  try {
    return digestOf(readFileSync(file));
  } catch {
    return undefined;
  }
}
