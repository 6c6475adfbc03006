import { isAscii } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { createHash } from "node:crypto";
import { openCacheFolder, pruneCacheFolders } from "../../../runtime/files/cache-folder.ts";
import { toStamp } from "../../../runtime/files/file-stamp.ts";
import { readSealed, writeSealed } from "../../../runtime/files/sealed-file.ts";

// Goes when Node 20 is no longer supported: `module.enableCompileCache()` of Node 22 does this for ES modules.

/** The compilers that print packages stay installed packages, larger than all of codemode. They and what they load run from compiled code too. */
const COMPILER = /[\\/]node_modules[\\/](?:@ts-morph[\\/]common|ts-morph)[\\/]/;

export interface StartOptions {
  /** When to keep what has been compiled, for a process that may be killed; another does so at its end. */
  keepAfterMs: number;
  /** The user's folder for caches, for a process that has no environment to find it by. */
  cacheHome?: string | undefined;
  /** Whether it needs the libraries of TypeScript. */
  checksTypes?: boolean;
}

/**
 * Runs the chunks that `scripts/build-program.js` has linked, from compiled code where there is some: Node itself can only do that from
 * version 22 on. Gives what the entry exports.
 */
export function startProgram(
  folder: string,
  entry: string,
  { keepAfterMs, cacheHome, checksTypes = false }: StartOptions,
): object {
  const isChunk = (file: string): boolean => dirname(file) === folder;
  const cache = openCodeCache(entry, isChunk, cacheHome);
  const requireOfProgram = createRequire(join(folder, entry));
  const loaded = new Map<string, { exports: object }>();
  const compiled = new Map<string, Script>();

  const load = (filename: string): object => {
    const known = loaded.get(filename);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(filename, module);
    const isOurs = isChunk(filename);
    const require = isOurs ? requireOfProgram : createRequire(filename);
    const cachedData = cache.find(filename);
    const script = new Script(readFunction(filename, checksTypes), { filename, cachedData });
    if (cachedData === undefined || script.cachedDataRejected === true) compiled.set(filename, script);
    const run = script.runInThisContext() as ScriptFunction;
    const requireNext = (id: string): unknown => {
      if (isOurs && id.startsWith("./")) return load(join(folder, id));
      const file = require.resolve(id);
      // A package has files that are no program too, and Node's own modules have no extension.
      return file.endsWith(".js") && (!isOurs || COMPILER.test(file)) ? load(file) : require(id);
    };
    run.call(module.exports, module.exports, requireNext, module, filename, (id) => import(id), dirname(filename));
    return module.exports;
  };

  const keep = (): void => {
    cache.keep(compiled);
    compiled.clear();
  };
  setTimeout(keep, keepAfterMs).unref();
  process.once("exit", keep);
  return load(join(folder, entry));
}

const BEFORE = Buffer.from("(function (exports, require, module, __filename, importModule, __dirname) {");
const AFTER = Buffer.from("\n})");

/**
 * A file as a function that runs it. Its bytes become one string outside of V8's heap: to join three would copy the nine megabytes of TypeScript
 * twice more.
 */
function readFunction(file: string, checksTypes: boolean): string {
  const content = readFileSync(file);
  const bytes = Buffer.concat([BEFORE, ...(checksTypes ? [content] : withoutLibraries(content)), AFTER]);
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** The libraries of TypeScript in `@ts-morph/common`: texts of 2.9 MB that nothing but a check of types reads. */
const LIBRARIES = { start: "const libFiles = [{", end: "\n    }];\n" };

/** Where they would be read all the same, that fails. */
function withoutLibraries(content: Buffer): Buffer[] {
  const start = content.indexOf(LIBRARIES.start);
  const end = start === -1 ? -1 : content.indexOf(LIBRARIES.end, start);
  if (end === -1) return [content];
  return [
    content.subarray(0, start),
    Buffer.from("const libFiles = null;\n"),
    content.subarray(end + LIBRARIES.end.length),
  ];
}

type ScriptFunction = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  importModule: (id: string) => Promise<unknown>,
  folder: string,
) => void;

// Goes when Node 20 is no longer supported, together with `start-program.ts`.

/** What V8 has compiled of a program's chunks and large packages, for the next process that runs it. */
interface CodeCache {
  find(file: string): Buffer | undefined;
  /** Writes a missing cache, with all code compiled so far. If that fails, the next process compiles again. */
  keep(scripts: ReadonlyMap<string, Script>): void;
}

/** Each program has one; two versions of codemode fit. */
const KEPT_FOLDERS = 16;

/**
 * Opens the cache of one program under this Node and its flags. The names of chunks hold a hash of their content, and the name of the entry
 * one of all others: another build finds nothing of this one's.
 */
function openCodeCache(entry: string, isChunk: (file: string) => boolean, home?: string): CodeCache {
  const subject = [entry, process.version, process.arch, process.execArgv, process.env["NODE_OPTIONS"] ?? ""];
  const key = createHash("sha256").update(JSON.stringify(subject)).digest("hex").slice(0, 32);
  const folder = openCacheFolder(`program-${key}`, home);
  if (folder === undefined) return { find: () => undefined, keep: () => undefined };
  const stampOf = (file: string): Buffer => (isChunk(file) ? Buffer.alloc(0) : stampOfPackage(file));
  const toCacheName = (file: string): string =>
    isChunk(file) ? basename(file) : `${createHash("sha256").update(file).digest("hex").slice(0, 16)}.js`;
  return {
    // Sealed, because V8 itself ends the process over code that a disk has damaged.
    find(file) {
      const kept = readSealed(join(folder, toCacheName(file)));
      const stamp = stampOf(file);
      return kept?.subarray(0, stamp.length).equals(stamp) === true ? kept.subarray(stamp.length) : undefined;
    },
    keep(scripts) {
      for (const [file, script] of scripts) {
        writeSealed(join(folder, toCacheName(file)), Buffer.concat([stampOf(file), script.createCachedData()]));
      }
      if (scripts.size > 0) pruneCacheFolders("program-", KEPT_FOLDERS, home);
    },
  };
}

/** V8 compares no more than the length of a text. The name of a chunk holds a hash of it; the name of a package's file says nothing. */
function stampOfPackage(file: string): Buffer {
  return createHash("sha512")
    .update(`${file} ${toStamp(statSync(file))}`)
    .digest();
}
