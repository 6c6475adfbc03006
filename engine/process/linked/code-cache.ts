import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "node:vm";
import { replaceUnflushed } from "../../../runtime/host/files/replace-file.ts";
import { isOurs, openCacheFolder, pruneCacheFolders } from "../../../runtime/host/files/cache-folder.ts";

// Goes when Node 20 is no longer supported, together with `start-program.ts`.

/** What V8 has compiled of a program's chunks, for the next process that runs it. */
export interface CodeCache {
  find(chunk: string): Buffer | undefined;
  /** Writes a missing cache, with all code compiled so far. If that fails, the next process compiles again. */
  keep(scripts: ReadonlyMap<string, Script>): void;
}

/** Each program has one; two versions of codemode fit. */
const KEPT_FOLDERS = 16;
const DIGEST_BYTES = 32;

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
    find(chunk) {
      const file = join(folder, chunk);
      try {
        return isOurs(file, "file") ? unseal(readFileSync(file)) : undefined;
      } catch {
        return undefined;
      }
    },
    keep(scripts) {
      for (const [chunk, script] of scripts) replaceSilently(join(folder, chunk), seal(script.createCachedData()));
      if (scripts.size > 0) pruneCacheFolders("program-", KEPT_FOLDERS, home);
    },
  };
}

/** With a digest at its end: V8 itself ends the process over code that a disk has damaged. */
function seal(code: Buffer): Buffer {
  return Buffer.concat([code, digestOf(code)]);
}

function unseal(sealed: Buffer): Buffer | undefined {
  const code = sealed.subarray(0, -DIGEST_BYTES);
  return digestOf(code).equals(sealed.subarray(-DIGEST_BYTES)) ? code : undefined;
}

function digestOf(code: Buffer): Buffer {
  return createHash("sha256").update(code).digest();
}

/** What a power failure damages is found by its digest. */
function replaceSilently(file: string, content: Buffer): void {
  try {
    replaceUnflushed(file, content, 0o600);
  } catch {
    // The next process compiles again.
  }
}
