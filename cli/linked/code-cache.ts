import { createHash, randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "node:vm";
import { isOurs, openCacheFolder, pruneCacheFolders } from "../../runtime/host/files/cache-folder.ts";

/** What V8 has compiled of a program's chunks, for the next process that runs it. */
export interface CodeCache {
  find(chunk: string): Buffer | undefined;
  /** Writes what was not found, with all that has been compiled by now. Where that fails, the next process compiles anew. */
  keep(scripts: ReadonlyMap<string, Script>): void;
}

const KEPT_FOLDERS = 8;
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
      for (const [chunk, script] of scripts) replaceFile(join(folder, chunk), seal(script.createCachedData()));
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

/** In one step: another process finds all of it or nothing. */
function replaceFile(file: string, content: Buffer): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}
