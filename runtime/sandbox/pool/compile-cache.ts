import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { replaceFile } from "../../files/replace-file.ts";
import { isOurs, openCacheFolder, pruneCacheFolders } from "../../files/cache-folder.ts";
import { emptyEnvironment } from "./empty-environment.ts";

/** What V8's compiled code depends on. */
export interface CacheSubject {
  nodeVersion: string;
  v8Flags: readonly string[];
  /** With `boot.cjs` and the programs that it loads. */
  programFolder: string;
}

/** Where compiled code lies, and whether it is there. */
export interface CompileCache {
  subject: CacheSubject;
  folder: string;
  file: string;
  isFilled: boolean;
}

const PREFIX = "sandbox-";
const KEPT_FOLDERS = 8;
const WRITER_TIMEOUT_MS = 20_000;
const MAX_CACHE_BYTES = 16 * 1024 * 1024;

/** Finds the compile cache of the user, which saves a third of a sandbox's start. Undefined where there can be none. */
export function findCompileCache(subject: CacheSubject): CompileCache | undefined {
  try {
    const folder = openCacheFolder(nameOf(subject));
    if (folder === undefined) return undefined;
    const file = join(folder, "compiled");
    return { subject, folder, file, isFilled: existsSync(file) && isOurs(file, "file") };
  } catch {
    return undefined;
  }
}

/** Fills the cache for the next process: a sandbox that runs no script prints what it has compiled. */
export async function fillCompileCache(cache: CompileCache, program: readonly string[]): Promise<void> {
  const compiled = await printCompiled([...program, "", "--print-cache"]);
  if (compiled === undefined) return;
  try {
    // A build may have replaced the programs meanwhile: then this is code of others than the name says.
    if (basename(cache.folder) !== nameOf(cache.subject)) return;
    // Flushed, because V8 runs it without a check. A process that writes it at the same time has the same bytes to write.
    await replaceFile(cache.file, compiled, { mode: 0o600 });
    pruneCacheFolders(PREFIX, KEPT_FOLDERS);
  } catch {
    // The next process tries again.
  }
}

function printCompiled([node = "", ...args]: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(node, args, {
      env: emptyEnvironment(),
      cwd: "/",
      stdio: ["ignore", "ignore", "ignore", "ignore", "pipe"],
      timeout: WRITER_TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdio[4]?.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_CACHE_BYTES) chunks.push(chunk);
    });
    child.once("error", () => resolve(undefined));
    child.once("close", (code) => resolve(code === 0 && bytes <= MAX_CACHE_BYTES ? Buffer.concat(chunks) : undefined));
  });
}

/** Changes with everything that V8's compiled code depends on, so that an old cache is never found. */
function nameOf({ nodeVersion, v8Flags, programFolder }: CacheSubject): string {
  const hash = createHash("sha256").update(JSON.stringify([nodeVersion, process.platform, process.arch, v8Flags]));
  for (const name of ["boot.cjs", "main.js", "realm.js", "runtime.js", "ses.js"])
    hash.update(readFileSync(join(programFolder, name)));
  return PREFIX + hash.digest("hex").slice(0, 32);
}
