import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** What V8's compiled code depends on. */
export interface CacheSubject {
  nodeVersion: string;
  v8Flags: readonly string[];
  /** With `boot.cjs` and the programs that it loads. */
  programFolder: string;
}

/** Where compiled code lies, and whether it is there. */
export interface CompileCache {
  folder: string;
  file: string;
  isFilled: boolean;
}

const WRITER_TIMEOUT_MS = 20_000;
const MAX_CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Finds the compile cache of the user, which saves a third of a sandbox's start. It must be ours: V8 runs what is in it without a
 * check. So its folder is open to nobody else, and a folder or file of another owner is not used. Undefined where there can be none.
 */
export async function findCompileCache(subject: CacheSubject): Promise<CompileCache | undefined> {
  try {
    const home = cacheHome();
    const folder = join(home, "codemode", `sandbox-${await keyOf(subject)}`);
    for (const path of [home, join(home, "codemode"), folder]) await makePrivateFolder(path);
    if (!(await isOurs(folder, "folder"))) return undefined;
    const file = join(folder, "compiled");
    const isFilled = await isOurs(file, "file").catch(() => false);
    return { folder, file, isFilled };
  } catch {
    return undefined;
  }
}

/** Fills the cache for the next process: a sandbox that runs no script prints what it has compiled. */
export async function fillCompileCache(cache: CompileCache, program: readonly string[]): Promise<void> {
  const compiled = await printCompiled([...program, "", "--print-cache"]);
  if (compiled === undefined) return;
  const temporary = `${cache.file}.${randomUUID()}`;
  try {
    await writeFile(temporary, compiled, { mode: 0o600, flag: "wx" });
    await rename(temporary, cache.file); // Whoever else writes at this time has the same bytes to write.
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
  }
}

function printCompiled([node = "", ...args]: readonly string[]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const child = spawn(node, args, {
      env: {},
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

/** One level only: Node's own recursive way never ends in file systems such as /proc. */
async function makePrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function cacheHome(): string {
  const named = process.env["XDG_CACHE_HOME"] ?? "";
  return isAbsolute(named) ? named : join(homedir(), ".cache");
}

/** Changes with everything that V8's compiled code depends on, so that an old cache is never found. */
async function keyOf({ nodeVersion, v8Flags, programFolder }: CacheSubject): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([nodeVersion, process.platform, process.arch, v8Flags]));
  for (const name of ["boot.cjs", "realm.js", "ses.umd.min.js"]) hash.update(await readFile(join(programFolder, name)));
  return hash.digest("hex").slice(0, 32);
}

/** Whether only this user can have written it. A link is not followed. */
async function isOurs(path: string, kind: "file" | "folder"): Promise<boolean> {
  const stats = await lstat(path);
  if (!(kind === "file" ? stats.isFile() : stats.isDirectory())) return false;
  const isPrivate = kind === "file" ? (stats.mode & 0o022) === 0 : (stats.mode & 0o077) === 0;
  return process.getuid === undefined || (stats.uid === process.getuid() && isPrivate);
}
