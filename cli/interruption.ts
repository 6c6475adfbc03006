import { readFileSync } from "node:fs";

/** How a command learns that it is to end. */
export interface Interruption {
  /** Aborted by the first SIGINT or SIGTERM; `isTermination` says which. */
  signal: AbortSignal;
  interrupt(): void;
  /** A command that answers others may take so long to end, in milliseconds. */
  allowToEnd(ms: number): void;
  stopListening(): void;
}

/** npm and a terminal send the same signal twice at nearly the same time. */
const SAME_SIGNAL_MS = 500;

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** How long a command may take to end after a signal, in milliseconds: what it waits for may never come. */
const END_WITHIN_MS = 5000;

/** Listens to the signals that end this process. One that comes when it is ending already ends it at once, as does the time. */
export function makeInterruption(): Interruption {
  const interruption = new AbortController();
  let endingSince: number | undefined;
  let graceMs = END_WITHIN_MS;
  let forced: NodeJS.Timeout | undefined;
  const stopListening = (): void => {
    clearTimeout(forced);
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  };
  const onSignal = (name: NodeJS.Signals): void => {
    if (endingSince !== undefined && performance.now() - endingSince > SAME_SIGNAL_MS) {
      process.exit(EXIT_CODES[name as keyof typeof EXIT_CODES]);
    }
    endingSince ??= performance.now();
    forced ??= setTimeout(() => {
      stopListening();
      // `process.exit` would wait for a thread that hangs in a file system.
      process.kill(process.pid, name);
    }, graceMs).unref();
    interruption.abort(new DOMException(name, "AbortError"));
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: interruption.signal,
    interrupt: () => interruption.abort(),
    allowToEnd: (ms) => void (graceMs = Math.max(graceMs, ms)),
    stopListening,
  };
}

/** Whether a supervisor asked for the end, and not a person at a terminal. */
export function isTermination({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.message === "SIGTERM";
}

/** How often to look, in milliseconds. Nothing tells a process that its parent is gone. */
const LOOK_EVERY_MS = 500;

/** npm sets one of these for what it starts: a script, or a command of `npx`. Other package managers do the same. */
const MARKS = ["npm_command", "npm_lifecycle_event", "npm_execpath"];

const SHELLS = /^(?:ba|da|a|z|k)?sh$|^busybox$/;

/**
 * npx and npm end at a SIGTERM without passing it on, so what they started would go on without them. Calls back once when the wrapper that
 * started this process is gone; does nothing where none did. Returns how to stop looking.
 */
export function followWrapper(onGone: () => void, env: NodeJS.ProcessEnv = process.env): () => void {
  const wrapper = process.ppid;
  // 1: the process that started it ended before, on purpose.
  if (wrapper <= 1 || !MARKS.some((name) => env[name] !== undefined)) return () => undefined;
  // The leader of a session was started to outlive its parent, as by `setsid`; the marks may be those of a terminal that npm started.
  if (parentOf(process.pid)?.session === process.pid) return () => undefined;
  const beyond = wrapperOfShell(wrapper);
  const timer = setInterval(() => {
    const isThere = process.ppid === wrapper && isAlive(wrapper);
    if (isThere && (beyond === undefined || parentOf(wrapper)?.pid === beyond)) return;
    clearInterval(timer);
    onGone();
  }, LOOK_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** npm starts a command through a shell. Most shells become that command; the parent of one that stays is the wrapper. */
function wrapperOfShell(pid: number): number | undefined {
  const parent = parentOf(pid);
  return parent !== undefined && parent.pid > 1 && SHELLS.test(parent.nameOfChild) ? parent.pid : undefined;
}

/** The parent and the session of a process, and its name; undefined where the system does not tell without a program of its own. */
function parentOf(pid: number): { pid: number; session: number; nameOfChild: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // `pid (name) state ppid group session …`, and a name may hold anything.
    const nameEnd = stat.lastIndexOf(")");
    const [, parent, , session] = stat.slice(nameEnd + 2).split(" ");
    return {
      pid: Number(parent),
      session: Number(session),
      nameOfChild: stat.slice(stat.indexOf("(") + 1, nameEnd),
    };
  } catch {
    return undefined;
  }
}

/** On Windows the id of a parent stays when it has gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
