import { execFile } from "node:child_process";
import { join, sep } from "node:path";
import { DEFAULT_LIMITS } from "../../../schemas/answer.ts";
import { fillCompileCache, findCompileCache, type CompileCache } from "./compile-cache.ts";
import { probeConfinement } from "./confinement.ts";
import { MAXIMUM_LIMITS } from "./limits.ts";
import { listNodeFlags, listV8Flags, parseNodeVersion } from "./node-flags.ts";
import { findProgramFolder } from "./program-folder.ts";
import { SandboxStartError, startSandbox, type SandboxProcess } from "./sandbox-process.ts";

export interface SandboxPoolOptions {
  /** How many processes wait for a script. One is enough for one run at a time. */
  size?: number;
  /** What one sandbox may hold at most, in bytes; a run may ask for less. */
  maxMemoryBytes?: number;
  /** The longest run, in milliseconds: the kernel ends a process that has used so much processor time and a little more. */
  maxTimeoutMs?: number;
  /** The Node binary of the sandboxes; that of this process unless given. */
  node?: string;
  /** False where one run is all that will be: no process is started in the place of one that was taken. */
  refill?: boolean;
}

/** Processes that have started and wait, each for one script. */
export interface SandboxPool {
  readonly maxMemoryBytes: number;
  /** Starts processes up to the size of the pool; settles when they are ready. */
  warm(): Promise<void>;
  /** A process that is ready and that nobody else gets. Rejects with a `SandboxStartError` where none can be started. */
  take(): Promise<SandboxProcess>;
  /** Ends every process, those with a script too, and settles when they are gone. */
  close(): Promise<void>;
}

/** A start blocks this process for some milliseconds, so it waits until the answer of a run is on its way. */
const REFILL_DELAY_MS = 5;
const CPU_SECONDS_SPARE = 5;

/** Makes a pool. It starts nothing before `warm` or `take`. */
export function makeSandboxPool(options: SandboxPoolOptions = {}): SandboxPool {
  const { size = 1, maxMemoryBytes = DEFAULT_LIMITS.maxMemoryBytes, maxTimeoutMs = MAXIMUM_LIMITS.timeoutMs } = options;
  const { node = process.execPath, refill = true } = options;
  const waiting: Promise<SandboxProcess>[] = [];
  const living = new Set<SandboxProcess>();
  const background = new Set<Promise<unknown>>();
  let plan: Promise<LaunchPlan> | undefined;
  let isClosed = false;

  const track = (task: Promise<unknown>): void => {
    background.add(task);
    void task.catch(() => {}).finally(() => background.delete(task));
  };

  const start = async (): Promise<SandboxProcess> => {
    plan ??= planLaunch(node, maxMemoryBytes);
    const { confinement, program, cache } = await plan;
    if (isClosed) throw new SandboxStartError("the pool is closed");
    const words = [...program, cache?.isFilled === true ? cache.file : ""];
    const maxCpuSeconds = Math.ceil(maxTimeoutMs / 1000) + CPU_SECONDS_SPARE;
    const sandbox = startSandbox({ confinement, words, maxMemoryBytes, maxCpuSeconds });
    living.add(sandbox);
    void sandbox.ended.then(() => living.delete(sandbox));
    await sandbox.ready;
    if (cache?.isFilled === false) {
      cache.isFilled = true; // By the next start; a start that finds nothing compiles anew.
      track(fillCompileCache(cache, program));
    }
    return sandbox;
  };

  const fill = (): void => {
    while (waiting.length < size) {
      const sandbox = start();
      sandbox.catch(() => {}); // Who takes it hears of it.
      waiting.push(sandbox);
    }
  };

  const refillLater = (): void => {
    const timer = setTimeout(() => {
      if (!isClosed) fill();
    }, REFILL_DELAY_MS);
    timer.unref();
  };

  return {
    maxMemoryBytes,
    async warm() {
      fill();
      await Promise.all(waiting);
    },
    async take() {
      let sandbox = await (waiting.shift() ?? start());
      while (!sandbox.isAlive()) sandbox = await (waiting.shift() ?? start());
      if (refill) void sandbox.ended.then(refillLater);
      return sandbox;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(waiting);
      for (const sandbox of living) sandbox.kill();
      await Promise.all([...living].map((sandbox) => sandbox.ended));
      await Promise.allSettled(background);
    },
  };
}

interface LaunchPlan {
  confinement: Awaited<ReturnType<typeof probeConfinement>>;
  /** Node, its flags and the program. */
  program: string[];
  cache: CompileCache | undefined;
}

async function planLaunch(node: string, maxMemoryBytes: number): Promise<LaunchPlan> {
  const programFolder = findProgramFolder();
  const nodeVersion = node === process.execPath ? process.version : await askVersion(node);
  const v8Flags = listV8Flags(maxMemoryBytes);
  const [confinement, cache] = await Promise.all([
    probeConfinement(),
    findCompileCache({ nodeVersion, v8Flags, programFolder }),
  ]);
  const readable = [withSeparator(programFolder), ...(cache === undefined ? [] : [withSeparator(cache.folder)])];
  const nodeFlags = listNodeFlags(parseNodeVersion(nodeVersion), readable);
  return { confinement, program: [node, ...v8Flags, ...nodeFlags, join(programFolder, "boot.cjs")], cache };
}

function askVersion(node: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(node, ["--version"], { env: {} }, (error, stdout) => {
      if (error === null) resolve(stdout.trim());
      else reject(new SandboxStartError(error.message));
    });
  });
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep;
}
