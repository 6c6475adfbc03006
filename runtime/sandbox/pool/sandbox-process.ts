import { execFile, spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { makeFrameSender, readFrames } from "./frames.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import { accessHint } from "../../../schemas/access-hints.ts";
import type { Confinement } from "./confinement.ts";
import { readDataBytes, readResidentBytes, watchMemory } from "./process-memory.ts";
import { killTree, measureTree, signalOfExitCode, type TreeMemory } from "./prefixed-process.ts";
import type { Sandbox, SandboxEnd, SandboxListener } from "./sandbox-engine.ts";
import { stayAwake } from "./stay-awake.ts";
import { emptyEnvironment } from "./empty-environment.ts";
import { readFileSync, writeFileSync } from "node:fs";

/** A sandbox that is a process of this machine. */
export interface SandboxProcess extends Sandbox {
  readonly pid: number;
  /**
   * Settles when the process waits for a script, with the size of its data segment where the kernel keeps its limits; rejects when it does
   * not come that far.
   */
  readonly ready: Promise<number | undefined>;
}

export interface SandboxCommand {
  confinement: Confinement;
  /** Node, its flags, the program and its arguments. */
  words: readonly string[];
  /** Whether another program starts Node: then frames go over standard input and output, the only descriptors that such programs pass on. */
  isPrefixed?: boolean | undefined;
  /** The growth of its data segment that the kernel allows. */
  maxMemoryBytes: number;
  maxCpuSeconds: number;
  /** As in `Sandbox`. */
  runtimeLine?: string | undefined;
  /** The data segment of an idle process, where one like it has been measured: then its limits hold from the start on. */
  idleDataBytes?: number | undefined;
}

const OWN_STREAMS: StdioOptions = ["ignore", "ignore", "pipe", "pipe", "pipe"];
const STANDARD_STREAMS: StdioOptions = ["pipe", "pipe", "pipe"];
/** Before the run only `ready` may come, which is short. */
const FIRST_FRAME_BYTES = 64;
/** Only looked through for V8's last words; never shown. */
const MAX_STDERR = 4096;
const LAST_WORDS = /out of memory|heap limit|allocation failed/i;
const START_TIMEOUT_MS = 20_000;
/** After SIGXCPU, which ends it. */
const CPU_GRACE_SECONDS = 5;

/** Says that no sandbox could be started on this machine. */
export class SandboxStartError extends CodemodeError {
  /** `detail` is for the person at this machine: it may name its paths, so it is not part of the message. */
  constructor(detail: string, isPrefixed = false) {
    const files = /EMFILE|too many open files/i.test(detail) ? accessHint("EMFILE") : undefined;
    const hint = files ?? (isPrefixed ? COMMAND_HINT : START_HINT);
    super("SANDBOX_START", 1, "The sandbox process did not start", hint);
    this.cause = detail;
  }
}

const START_HINT = "Run `npm run build`; if that does not help, try another Node version (20.20 or later).";

const COMMAND_HINT = "Correct `sandbox.command` in the configuration; `codemode doctor` shows what it prints.";

/** Starts a process for one script, with nothing of this process's environment and folder. */
export function startSandbox(sandboxCommand: SandboxCommand): SandboxProcess {
  const { idleDataBytes, isPrefixed = false, runtimeLine } = sandboxCommand;
  const limiter = idleDataBytes === undefined ? [] : toLimiter(sandboxCommand, idleDataBytes);
  const { child, pid, input, output, errors } = spawnSandbox(sandboxCommand, limiter);
  const killsBefore = countMemoryKills();
  let isAlive = true;
  /** Its memory since it was last read, as long as it has got nothing to do. */
  let restingBytes: number | undefined;
  let maxFrameBytes = FIRST_FRAME_BYTES;
  let stderr = "";

  let wasKilled = false;
  const kill = (): void => {
    wasKilled ||= isAlive;
    if (isPrefixed) killTree(child);
    else child.kill("SIGKILL");
  };
  const ended = awaitEnd(child, isPrefixed).then((end) => ({
    ...end,
    isOutOfMemory: LAST_WORDS.test(stderr),
    wasKilled,
    isMemoryShort: end.signal === "SIGKILL" && !wasKilled ? hasRisen(killsBefore) : false,
  }));
  let listener: SandboxListener = { onFrame: kill, onBrokenFrame: kill };
  const started = new Promise<void>((resolve, reject) => {
    listener.onFrame = (frame) => (frame.type === "ready" ? resolve() : kill());
    void ended.then(() => reject(new SandboxStartError(stderr, isPrefixed)));
  });
  const send = openWire(
    { input, output },
    () => maxFrameBytes,
    () => listener,
    () => (restingBytes = undefined),
  );
  errors.on("data", (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR) stderr += chunk.toString("latin1");
  });
  // A pipe to a killed process breaks, as expected.
  for (const stream of [errors, input, output]) stream.on("error", () => {});

  const timeout = setTimeout(kill, START_TIMEOUT_MS);
  const onEnd = (end: SandboxEnd): void => {
    isAlive = false;
    listener.onEnd?.(end);
  };
  void ended.then(onEnd);
  let tree: TreeMemory | undefined;
  if (isPrefixed)
    void started.then(
      () => (tree = measureTree(pid)),
      () => undefined,
    );
  const ready = started.then(() => (limiter.length > 0 ? idleDataBytes : limitResources(pid, sandboxCommand)));
  ready.catch(() => {}).finally(() => clearTimeout(timeout));

  return {
    pid,
    runtimeLine,
    ready,
    ended,
    isAlive: () => isAlive && !wasKilled,
    listen(newListener, newMaxFrameBytes) {
      listener = newListener;
      maxFrameBytes = newMaxFrameBytes;
      if (!isAlive) void ended.then((end) => newListener.onEnd?.(end));
    },
    send,
    kill,
    release: kill,
    residentBytes: () => (restingBytes ??= tree?.residentBytes() ?? readResidentBytes(pid)),
    watchMemory: (maxBytes, onExceeded) =>
      tree?.watchMemory(maxBytes, onExceeded) ?? watchMemory(pid, maxBytes, onExceeded),
  };
}

interface Spawned {
  child: ChildProcess;
  pid: number;
  input: Writable;
  output: Readable;
  errors: Readable;
}

function spawnSandbox({ confinement, words, isPrefixed = false }: SandboxCommand, limiter: readonly string[]): Spawned {
  const [command = "", ...args] = [...confinement.launcher, ...limiter, ...words];
  const stdio = isPrefixed ? STANDARD_STREAMS : OWN_STREAMS;
  const child = spawn(command, args, { env: emptyEnvironment(), cwd: "/", stdio });
  const pid = child.pid ?? 0;
  if (pid > 0) offerFirst(pid);
  // Without a free file descriptor there are no streams either, and the error comes a moment later.
  child.on("error", () => undefined);
  if ((child.stdio as unknown) === undefined) throw new SandboxStartError("too many open files");
  const [standardIn, standardOut, errors, ownIn, ownOut] = child.stdio as readonly unknown[];
  return {
    ...{ child, pid, errors: errors as Readable },
    input: (isPrefixed ? standardIn : ownIn) as Writable,
    output: (isPrefixed ? standardOut : ownOut) as Readable,
  };
}

/**
 * Reads and sends frames, and keeps this process awake between a reply and what the script does next.
 * @param onSend called before each frame
 */
function openWire(
  { input, output }: Pick<Spawned, "input" | "output">,
  maxFrameBytes: () => number,
  listener: () => SandboxListener,
  onSend: () => void,
): Sandbox["send"] {
  const sendFrame = makeFrameSender(input, onSend);
  let awake = stayAwake();
  readFrames(output, maxFrameBytes, () => {
    awake.heard();
    return listener();
  });
  return (header, ...body) => {
    sendFrame(header, ...body);
    if (header.type === "run") awake = stayAwake();
    if (header.type === "reply") awake.replied();
  };
}

function hasRisen(killsBefore: number | undefined): boolean | undefined {
  const kills = countMemoryKills();
  return kills === undefined || killsBefore === undefined ? undefined : kills > killsBefore;
}

function awaitEnd(child: ChildProcess, isPrefixed: boolean): Promise<Pick<SandboxEnd, "exitCode" | "signal">> {
  return new Promise((resolve) => {
    child.once("close", (exitCode, signal) =>
      resolve({ exitCode, signal: isPrefixed ? (signal ?? signalOfExitCode(exitCode)) : signal }),
    );
    child.on("error", () => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null });
    });
  });
}

/**
 * Lets the kernel hold the limits too, for the case that this process is busy or gone. The data segment is limited relative to what the
 * process has now: newer versions of V8 reserve half a gigabyte of it that they never use.
 */
function limitResources(pid: number, command: SandboxCommand): Promise<number | undefined> {
  const dataBytes = readDataBytes(pid);
  const [prlimit, ...limits] = toLimiter(command, dataBytes);
  if (prlimit === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    // Where it is refused, the other limits remain.
    execFile(prlimit, ["--pid", String(pid), ...limits], { env: {}, cwd: "/" }, (error) =>
      resolve(error === null ? dataBytes : undefined),
    );
  });
}

/** The words that limit a command that follows them. Empty where the machine has none, or the data segment is not known. */
function toLimiter(command: SandboxCommand, idleDataBytes: number | undefined): string[] {
  const { prlimit } = command.confinement;
  if (prlimit === undefined || idleDataBytes === undefined) return [];
  return [
    prlimit,
    `--data=${idleDataBytes + command.maxMemoryBytes}`,
    // With both limits equal the kernel sends SIGKILL, which says nothing of time.
    `--cpu=${command.maxCpuSeconds}:${command.maxCpuSeconds + CPU_GRACE_SECONDS}`,
    "--core=0",
    "--fsize=0",
    "--nofile=64",
  ];
}

/** How much sooner than this process the kernel ends a sandbox when memory is short. */
const SOONER = 500;
const MAX_ADJUSTMENT = 1000;

/** Where the kernel counts the processes that it has ended for lack of memory: on the machine, and in control groups of version 2 and 1. */
const COUNTERS: readonly [file: string, line: RegExp][] = [
  ["/proc/vmstat", /^oom_kill (\d+)$/m],
  [`/sys/fs/cgroup${ownGroup(/^0::(.*)$/m)}/memory.events`, /^oom_kill (\d+)$/m],
  [`/sys/fs/cgroup/memory${ownGroup(/^\d+:memory:(.*)$/m)}/memory.oom_control`, /^oom_kill (\d+)$/m],
  // Within a container its own group is the root of what it sees.
  ["/sys/fs/cgroup/memory.events", /^oom_kill (\d+)$/m],
  ["/sys/fs/cgroup/memory/memory.oom_control", /^oom_kill (\d+)$/m],
];

/** The counters of this machine, which the first start finds. */
let found: typeof COUNTERS | undefined;

/** The processes that the kernel has ended for lack of memory, as far as it can be read; undefined where no counter can. */
export function countMemoryKills(): number | undefined {
  found ??= COUNTERS.filter(([file, line]) => readCount(file, line) !== undefined);
  const counts = found.flatMap(([file, line]) => readCount(file, line) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** Makes the kernel end this process before its parent when memory is short. Raising the value needs no right. */
function offerFirst(pid: number): void {
  try {
    const own = Number(readFileSync("/proc/self/oom_score_adj", "utf8"));
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(Math.min(own + SOONER, MAX_ADJUSTMENT)));
  } catch {
    // No Linux, or gone already.
  }
}

function readCount(file: string, line: RegExp): number | undefined {
  const count = readText(file).match(line)?.[1];
  return count === undefined ? undefined : Number(count);
}

function ownGroup(line: RegExp): string {
  const path = readText("/proc/self/cgroup").match(line)?.[1] ?? "";
  return path === "/" ? "" : path;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
