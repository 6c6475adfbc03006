import { execFile, spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { parseSandboxFrame, ProtocolError } from "../../../schemas/run/parse-sandbox-frame.ts";
import type { HostHeader, Renewal, SandboxFrame } from "../../../schemas/run/protocol.ts";
import { CodemodeError } from "../../../schemas/codemode-error.ts";
import type { Confinement } from "./confinement.ts";
import { encodeFrame, type FrameBody, makeFrameReader } from "./frames.ts";
import { countMemoryKills, offerFirst } from "./kernel-memory.ts";
import { readDataBytes } from "./process-memory.ts";

/** How a sandbox process ended: what the operating system says, and whether V8 said that it was out of memory. */
export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  isOutOfMemory: boolean;
  /** Whether this process asked for it. */
  wasKilled: boolean;
  /** With SIGKILL: whether the kernel has ended processes meanwhile because memory was short. Undefined where it does not say. */
  isMemoryShort: boolean | undefined;
}

/** Who listens to a sandbox: one run, from its start on. */
export interface SandboxListener {
  /** Of a long frame `body` is what its own body, which is empty then, consists of. */
  onFrame(frame: SandboxFrame, body?: Buffer): void;
  /** The process sent something that is no frame. */
  onBrokenFrame(reason: string): void;
  /** The process is gone, and everything that it wrote has been heard. */
  onEnd?(end: ProcessEnd): void;
}

export interface SandboxProcess {
  readonly pid: number;
  /**
   * Settles when the process waits for a script, with the size of its data segment where the kernel keeps its limits; rejects when it does
   * not come that far.
   */
  readonly ready: Promise<number | undefined>;
  /** Settles when the process is gone and everything that it wrote has been read. */
  readonly ended: Promise<ProcessEnd>;
  /** False as soon as it was asked to end. */
  isAlive(): boolean;
  listen(listener: SandboxListener, maxFrameBytes: number): void;
  /** `onSent` is called when all of it is on its way, or never will be. */
  send(header: HostHeader, body: FrameBody, onSent?: () => void): void;
  kill(): void;
  /** Says that the script has come to its result: ends the process, unless it may serve another run. */
  release(): void;
  /** What it renews for that run; absent where there is none. */
  readonly renew?: Renewal;
}

export interface SandboxCommand {
  confinement: Confinement;
  /** Node, its flags, the program and its arguments. */
  words: readonly string[];
  /** The growth of its data segment that the kernel allows. */
  maxMemoryBytes: number;
  maxCpuSeconds: number;
  /** The data segment of an idle process, where one like it has been measured: then its limits hold from the start on. */
  idleDataBytes?: number | undefined;
}

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
  constructor(detail: string) {
    super("SANDBOX_START", 1, "The sandbox process did not start", START_HINT);
    this.cause = detail;
  }
}

const START_HINT = "Run `npm run build`; if that does not help, try another Node version (20.20 or later).";

/** Starts a process for one script, with nothing of this process's environment and folder. */
export function startSandbox(sandboxCommand: SandboxCommand): SandboxProcess {
  const { confinement, words, idleDataBytes } = sandboxCommand;
  const limiter = idleDataBytes === undefined ? [] : toLimiter(sandboxCommand, idleDataBytes);
  const [command = "", ...args] = [...confinement.launcher, ...limiter, ...words];
  const child = spawn(command, args, { env: {}, cwd: "/", stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
  const pid = child.pid ?? 0;
  if (pid > 0) offerFirst(pid);
  const killsBefore = countMemoryKills();
  // Without a free file descriptor there are no streams either.
  if ((child.stdio as unknown) === undefined) throw new SandboxStartError("too many open files");
  const [, , errors, input, output] = child.stdio as unknown as [null, null, Readable, Writable, Readable];
  let isAlive = true;
  let maxFrameBytes = FIRST_FRAME_BYTES;
  let stderr = "";

  let wasKilled = false;
  const kill = (): void => {
    wasKilled ||= isAlive;
    child.kill("SIGKILL");
  };
  const ended = awaitEnd(child).then((end) => ({
    ...end,
    isOutOfMemory: LAST_WORDS.test(stderr),
    wasKilled,
    isMemoryShort: end.signal === "SIGKILL" && !wasKilled ? hasRisen(killsBefore) : false,
  }));
  let listener: SandboxListener = { onFrame: kill, onBrokenFrame: kill };
  const started = new Promise<void>((resolve, reject) => {
    listener.onFrame = (frame) => (frame.type === "ready" ? resolve() : kill());
    void ended.then(() => reject(new SandboxStartError(stderr)));
  });
  const reader = makeFrameReader(
    () => maxFrameBytes,
    (text, body) => hear(listener, text, body),
    () => listener.onBrokenFrame("a frame is longer than allowed"),
  );
  output.on("data", (chunk: Buffer) => reader.push(chunk));
  errors.on("data", (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR) stderr += chunk.toString("latin1");
  });
  // A pipe to a killed process breaks, as expected.
  for (const stream of [errors, input, output]) stream.on("error", () => {});

  const timeout = setTimeout(kill, START_TIMEOUT_MS);
  const onEnd = (end: ProcessEnd): void => {
    isAlive = false;
    listener.onEnd?.(end);
  };
  void ended.then(onEnd);
  const ready = started.then(() => (limiter.length > 0 ? idleDataBytes : limitResources(pid, sandboxCommand)));
  ready.catch(() => {}).finally(() => clearTimeout(timeout));

  return {
    pid,
    ready,
    ended,
    isAlive: () => isAlive && !wasKilled,
    listen(newListener, newMaxFrameBytes) {
      listener = newListener;
      maxFrameBytes = newMaxFrameBytes;
      if (!isAlive) void ended.then((end) => newListener.onEnd?.(end));
    },
    send(header, body, onSent) {
      if (!input.writable) return;
      const parts = encodeFrame(header, body);
      for (const [index, part] of parts.entries()) input.write(part, index === parts.length - 1 ? onSent : undefined);
    },
    kill,
    release: kill,
  };
}

function hasRisen(killsBefore: number | undefined): boolean | undefined {
  const kills = countMemoryKills();
  return kills === undefined || killsBefore === undefined ? undefined : kills > killsBefore;
}

function hear(listener: SandboxListener, text: string, body: Buffer | undefined): void {
  let frame;
  try {
    frame = parseSandboxFrame(text);
  } catch (error) {
    return listener.onBrokenFrame(error instanceof ProtocolError ? error.message : "a frame cannot be read");
  }
  listener.onFrame(frame, body);
}

function awaitEnd(child: ChildProcess): Promise<Pick<ProcessEnd, "exitCode" | "signal">> {
  return new Promise((resolve) => {
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
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
