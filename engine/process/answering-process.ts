import { type ChildProcess, fork, execFileSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { cacheHome } from "../../runtime/files/cache-folder.ts";
import { accessHint } from "../../schemas/access-hints.ts";
import { makeFairTurns } from "./fair-turns.ts";
import { emptyEnvironment } from "../../runtime/sandbox/pool/empty-environment.ts";
import { readFileSync } from "node:fs";

/** What is asked of a process that works on what agents send, and what it may take for that. */
export interface AnsweringProcessOptions {
  /** The program; it answers each message with an `AnsweringReply`. */
  program: URL;
  maxHeapMegabytes: number;
  /** Processor time for one question, in milliseconds. */
  maxProcessorMs: number;
  /** Ends the process when it was asked nothing for so long, in milliseconds; it stays without it. */
  restMs?: number | undefined;
}

/** What the program sends: that it runs, then answers. An `error` is a mistake in codemode, not in the question. */
export type AnsweringReply<Answer> = { ready: true } | { answer: Answer } | { error: string };

/**
 * What became of a question: the process ended over it, used up its processor time (`late`), or never came to read it (`unstarted`, with what to do
 * about that). After these, the next question gets a fresh process.
 */
export type Asked<Answer> =
  | { kind: "answered"; answer: Answer }
  | { kind: "ended" }
  | { kind: "late" }
  | { kind: "unstarted"; remedy: string };

/** Asks the program one question at a time, and starts it when there is one. Where several askers wait, they take turns. */
export interface AnsweringProcess<Question, Answer> {
  /** @param signal takes a question back whose turn has not come: it is late then */
  ask(question: Question, clientId?: string, signal?: AbortSignal): Promise<Asked<Answer>>;
  /** The same with a request that omits what this process already received; a new process is a new `listener`. */
  askKnowing(makeQuestion: (listener: object) => Question, clientId?: string): Promise<Asked<Answer>>;
  /** Starts the program before it is asked. */
  warm(): void;
  close(): Promise<void>;
}

/**
 * Makes a process of its own for parsers and checkers of what agents send: these can be made to overflow their stack, fill their
 * memory or never end. There it hits a process that knows no secret and that nothing else depends on.
 */
export function makeAnsweringProcess<Question, Answer>(
  options: AnsweringProcessOptions,
): AnsweringProcess<Question, Answer> {
  let child: AnsweringChild | undefined;
  let isClosed = false;
  let resting: NodeJS.Timeout | undefined;
  const inTurn = makeFairTurns();
  const rest = (restMs: number): void => {
    const end = (): void => {
      const idle = child;
      child = undefined;
      if (idle !== undefined) void endProcess(idle.process);
    };
    resting = outsideOfRequests(() => setTimeout(end, restMs).unref());
  };

  const askNext = async (makeQuestion: (listener: object) => Question): Promise<Asked<Answer>> => {
    if (isClosed) return { kind: "ended" };
    clearTimeout(resting);
    child ??= startProcess(options);
    const ending = await askProcess<Answer>(child, makeQuestion(child), options.maxProcessorMs);
    if (ending.kind === "answered" && options.restMs !== undefined) rest(options.restMs);
    if (ending.kind === "answered") return ending;
    // The next one starts when the memory of this one is free again.
    await endProcess(child.process);
    child = undefined;
    if (ending.kind === "failed") throw new Error(ending.message);
    return ending;
  };

  return {
    // One at a time: the request in progress when the process ends is the cause of its end.
    ask: (question, clientId, signal) =>
      inTurn(async () => (signal?.aborted === true ? { kind: "late" } : askNext(() => question)), clientId),
    askKnowing: (makeQuestion, clientId) => inTurn(() => askNext(makeQuestion), clientId),
    warm() {
      if (!isClosed) child ??= startProcess(options);
    },
    async close() {
      isClosed = true;
      clearTimeout(resting);
      if (child !== undefined) await endProcess(child.process);
    },
  };
}

interface AnsweringChild {
  process: ChildProcess;
  /** True once its program has said that it runs. */
  isReady: boolean;
  /** Why it could not be started, as Node says it. */
  failure?: NodeJS.ErrnoException;
}

/** An empty environment: nothing that runs there needs a variable, and none of the host's may be found there. */
function startProcess({ program, maxHeapMegabytes }: AnsweringProcessOptions): AnsweringChild {
  // The place of compiled code, which a program of the build takes.
  const started = outsideOfRequests(() =>
    fork(fileURLToPath(program), [cacheHome()], {
      env: emptyEnvironment(),
      execArgv: [`--max-old-space-size=${maxHeapMegabytes}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    }),
  );
  const child: AnsweringChild = { process: started, isReady: false };
  started.on("error", (error) => (child.failure = error));
  started.once("message", () => (child.isReady = true));
  return child;
}

/** Kills it, and settles when it is gone. One that could not be started has no id, and nothing to wait for. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** A process that a signal has ended has no exit code. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

type Ending<Answer> = Asked<Answer> | { kind: "failed"; message: string };

function askProcess<Answer>(child: AnsweringChild, question: unknown, maxMs: number): Promise<Ending<Answer>> {
  const { process } = child;
  return new Promise((resolve) => {
    const settle = (ending: Ending<Answer>): void => {
      endWatch();
      process.off("exit", onExit).off("error", onExit).off("message", onMessage);
      resolve(ending);
    };
    const unstarted = (): Ending<Answer> => ({ kind: "unstarted", remedy: remedyFor(child.failure) });
    const onExit = (): void => settle(child.isReady ? { kind: "ended" } : unstarted());
    const onMessage = (message: unknown): void => {
      // Only the program has the other end of this channel.
      const reply = message as AnsweringReply<Answer>;
      if ("ready" in reply) return;
      settle("error" in reply ? { kind: "failed", message: reply.error } : { kind: "answered", answer: reply.answer });
    };
    const endWatch = watchProcessorTime(process.pid, maxMs, (why) =>
      settle(child.isReady && why === "spent" ? { kind: "late" } : unstarted()),
    );
    process.once("exit", onExit).on("message", onMessage);
    if (hasEnded(process) || child.failure !== undefined) onExit();
    // Where no file is left for its channel, Node says so a moment later.
    else if (process.pid === undefined) process.once("error", onExit);
    else process.send(question as object);
  });
}

function remedyFor(failure: NodeJS.ErrnoException | undefined): string {
  return accessHint(failure?.code) ?? "Run `codemode doctor` on this machine.";
}

/** How a process spent more than it may, or that it does nothing at all. */
type Overtime = "spent" | "idle";

/** The first look; what it has used by then is not counted, so that a short question costs no look. */
const FIRST_LOOK_MS = 100;
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** A process that has used no processor for so long waits for something that does not come. */
const IDLE_MS = 20_000;

/**
 * Watches a process by the processor time that it uses, which other processes of a busy machine do not make longer. Where the system does not say it, the
 * clock counts instead. Gives the function that ends the watch.
 */
function watchProcessorTime(pid: number | undefined, maxMs: number, onOver: (why: Overtime) => void): () => void {
  let timer = setTimeout(look, FIRST_LOOK_MS);
  let before: number | undefined;
  let last = { spent: 0, at: performance.now() };
  return () => clearTimeout(timer);

  function look(): void {
    const spent = readProcessorTime(pid) ?? performance.now();
    before ??= spent;
    if (spent > last.spent) last = { spent, at: performance.now() };
    const left = before + maxMs - spent;
    if (left <= 0) return onOver("spent");
    if (performance.now() - last.at >= IDLE_MS) return onOver("idle");
    timer = setTimeout(look, Math.min(Math.max(left, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS));
  }
}

/** Processor time of a process so far, in milliseconds; undefined where the system does not say it. */
export function readProcessorTime(pid: number | undefined, platform = process.platform): number | undefined {
  if (pid === undefined) return undefined;
  try {
    if (platform === "linux") return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
    if (platform !== "darwin") return undefined;
    return parseCpuTime(execFileSync("/bin/ps", ["-o", "cputime=", "-p", String(pid)], { encoding: "utf8" }));
  } catch {
    return undefined;
  }
}

/** The kernel counts for programs in hundredths of a second. */
const TICK_MS = 10;

/** Of `/proc/PID/stat`; the name of the program, in parentheses, may hold anything. */
function parseStat(text: string): number | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * TICK_MS : undefined;
}

/** Of `ps`, such as `1-02:03:04` or `3:04.56`. */
export function parseCpuTime(text: string): number | undefined {
  const [, days = 0, hours = 0, minutes = 0, seconds] =
    /^(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  if (seconds === undefined) return undefined;
  return (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
