import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Script } from "node:vm";
import { openCacheFolder, pruneCacheFolders } from "../../../runtime/files/cache-folder.ts";
import { readSealed, writeSealed } from "../../../runtime/files/sealed-file.ts";

// Goes when Node 20 is no longer supported, together with `start-program.ts`.

/** What V8 has compiled of a program's chunks, for the next process that runs it. */
export interface CodeCache {
  find(chunk: string): Buffer | undefined;
  /** Writes a missing cache, with all code compiled so far. If that fails, the next process compiles again. */
  keep(scripts: ReadonlyMap<string, Script>): void;
}

/** Each program has one; two versions of codemode fit. */
const KEPT_FOLDERS = 16;

/**
 * Opens the cache of one program under this Node and its flags. The names of chunks hold a hash of their content, and that of the entry
 * one of all others: another build finds nothing of this one's.
 */
export function openCodeCache(entry: string, home?: string): CodeCache {
  const subject = [entry, process.version, process.arch, process.execArgv, process.env["NODE_OPTIONS"] ?? ""];
  const key = createHash("sha256").update(JSON.stringify(subject)).digest("hex").slice(0, 32);
  const folder = openCacheFolder(`program-${key}`, home);
  if (folder === undefined) return { find: () => undefined, keep: () => undefined };
  return {
    // Sealed, because V8 itself ends the process over code that a disk has damaged.
    find: (chunk) => readSealed(join(folder, chunk)),
    keep(scripts) {
      for (const [chunk, script] of scripts) writeSealed(join(folder, chunk), script.createCachedData());
      if (scripts.size > 0) pruneCacheFolders("program-", KEPT_FOLDERS, home);
    },
  };
}
