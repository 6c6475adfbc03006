import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { createHash } from "node:crypto";
import { openCacheFolder, pruneCacheFolders } from "../../../runtime/files/cache-folder.ts";
import { readSealed, writeSealed } from "../../../runtime/files/sealed-file.ts";

// Goes when Node 20 is no longer supported: `module.enableCompileCache()` of Node 22 does this for ES modules.

/**
 * Runs the chunks that `scripts/build-program.js` has linked, from compiled code where there is some: Node itself can only do that from
 * version 22 on. Gives what the entry exports.
 * @param keepAfterMs when to keep what has been compiled, for a process that may be killed; another does so at its end
 * @param cacheHome the user's folder for caches, for a process that has no environment to find it by
 */
export function startProgram(folder: string, entry: string, keepAfterMs: number, cacheHome?: string): object {
  const require = createRequire(join(folder, entry));
  const cache = openCodeCache(entry, cacheHome);
  const loaded = new Map<string, { exports: object }>();
  const compiled = new Map<string, Script>();

  const load = (chunk: string): object => {
    const known = loaded.get(chunk);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(chunk, module);
    const filename = join(folder, chunk);
    const cachedData = cache.find(chunk);
    const text = `(function (exports, require, module, __filename, importModule) {${readFileSync(filename, "utf8")}\n})`;
    const script = new Script(text, { filename, cachedData });
    if (cachedData === undefined || script.cachedDataRejected === true) compiled.set(chunk, script);
    const run = script.runInThisContext() as ChunkFunction;
    const requireNext = (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : require(id));
    run(module.exports, requireNext, module, filename, (id) => import(id));
    return module.exports;
  };

  const keep = (): void => {
    cache.keep(compiled);
    compiled.clear();
  };
  setTimeout(keep, keepAfterMs).unref();
  process.once("exit", keep);
  return load(entry);
}

type ChunkFunction = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  importModule: (id: string) => Promise<unknown>,
) => void;

// Goes when Node 20 is no longer supported, together with `start-program.ts`.

/** What V8 has compiled of a program's chunks, for the next process that runs it. */
interface CodeCache {
  find(chunk: string): Buffer | undefined;
  /** Writes a missing cache, with all code compiled so far. If that fails, the next process compiles again. */
  keep(scripts: ReadonlyMap<string, Script>): void;
}

/** Each program has one; two versions of codemode fit. */
const KEPT_FOLDERS = 16;

/**
 * Opens the cache of one program under this Node and its flags. The names of chunks hold a hash of their content, and the name of the entry
 * one of all others: another build finds nothing of this one's.
 */
function openCodeCache(entry: string, home?: string): CodeCache {
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
