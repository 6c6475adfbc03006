import type { Bridge } from "../../../schemas/run/bridge.ts";
import { type RunHeader, formatFrame } from "../../../schemas/run/protocol.ts";
import { askBridge } from "./ask-bridge.ts";
import { addRunGlobals, makeCompartment, type SharedGlobals, type StartPowers } from "./compartment.ts";
import { makeConsole } from "./endowments/console.ts";
import { makeAbortClasses } from "./endowments/abort.ts";
import { makeCrypto } from "./endowments/crypto.ts";
import { makeEvents } from "./endowments/events.ts";
import { makeQueueMicrotask } from "./endowments/microtasks.ts";
import { makePerformance } from "./endowments/performance.ts";
import { makeRandomBytes } from "./endowments/random-bytes.ts";
import { makeTimers, type Timers } from "./endowments/timers.ts";
import { makeScriptRun, type ScriptRun } from "./script-run.ts";
import { makeToolCalls, type ToolCalls } from "./tool-calls.ts";
import type { ENDOWED_GLOBALS } from "./globals.ts";
import type { LogLevel } from "../../../schemas/run/answer.ts";
import { cutToUtf8, utf8Length } from "../../../schemas/json/utf8.ts";
import { printLogMessage } from "./serialize/print-log-value.ts";

/** What is there for one script. */
export interface ScriptRealm {
  run: ScriptRun;
  calls: ToolCalls;
  timers: Timers;
  /** Makes those globals of its own that the program may use; all of them unless one is given. The seed comes from `RunHeader`. */
  complete(program?: string, seed?: readonly number[]): void;
  /** Cuts off all that its script was given: code that is left of it sends nothing and sets no timer from now on. */
  close(): void;
}

/** What differs between the realms of a process. */
export interface RealmParts {
  globals: SharedGlobals;
  makeMath: (seed: readonly number[]) => Math;
  /** The clock of `performance`. */
  clock: () => number;
  /** The clock of the logs. */
  now: () => number;
}

/** Puts a compartment together with everything that its script can reach. */
export function assembleRealm(
  powers: StartPowers,
  bridge: Bridge,
  { globals, makeMath, clock, now }: RealmParts,
): ScriptRealm {
  let isClosed = false;
  const send = (header: string, body?: string): void => {
    if (isClosed) throw new Error(RUN_IS_OVER);
    askBridge(bridge.send, header, body);
  };
  const startTimer = (id: number, delayMs: number): void => {
    if (isClosed) throw new Error(RUN_IS_OVER);
    askBridge(bridge.startTimer, id, delayMs);
  };
  const stopTimer = (id: number): void => {
    if (!isClosed) askBridge(bridge.stopTimer, id);
  };
  const log = makeScriptLog(send, now);
  const calls = makeToolCalls(send);
  powers.harden(calls.call);
  const onError = (error: unknown): void => run.uncaught(error);
  const timers = makeTimers({ startTimer, stopTimer }, onError);
  const random = makeRandomBytes();
  const { performance, start: startPerformance } = makePerformance(clock);
  const { DOMException } = powers.webClasses;
  let missing: readonly RunGlobals[] = [
    { names: ["console"], make: () => ({ console: makeConsole(log.log) }) },
    {
      names: ["setTimeout", "clearTimeout"],
      make: () => ({ setTimeout: timers.setTimeout, clearTimeout: timers.clearTimeout }),
    },
    { names: ["queueMicrotask"], make: () => ({ queueMicrotask: makeQueueMicrotask(onError) }) },
    { names: ["performance"], make: () => ({ performance }) },
    { names: ["crypto"], make: () => ({ crypto: makeCrypto(random, DOMException) }) },
    { names: ["Math"], make: (seed) => ({ Math: makeMath(seed) }) },
    {
      names: ["Event", "EventTarget", "AbortController", "AbortSignal"],
      make() {
        const events = makeEvents(performance.now, onError);
        return { ...events, ...makeAbortClasses(events, DOMException, timers) };
      },
    },
  ];
  const compartment = makeCompartment(powers, globals);
  const complete = (program?: string, seed: readonly number[] = []): void => {
    if (missing.length === 0) return;
    const chosen = program === undefined ? missing : selectRunGlobals(missing, program);
    for (const { make } of chosen) addRunGlobals(compartment, powers.harden(make(seed)));
    missing = missing.filter((group) => !chosen.includes(group));
  };
  const utf8Length = (text: string): number => askBridge(bridge.utf8Length, text);
  const start = (header: RunHeader, program: string): void => {
    complete(program, header.seed);
    calls.start(header);
    log.start(header.maxLogBytes);
    random.start(header.randomKey);
    startPerformance();
  };
  const runtime = powers.makeRuntime?.(compartment.globalThis, Math);
  const run = makeScriptRun({ compartment, runtime, calls, timers, send, utf8Length, start });
  const close = (): void => {
    isClosed = true;
  };
  return { run, calls, timers, complete, close };
}

const RUN_IS_OVER = "The run that this belongs to is over";

/** Globals that each run has for itself, because they lead to its log, timers or random numbers. They are made together. */
export interface RunGlobals {
  names: readonly ((typeof ENDOWED_GLOBALS)[number] | "Math")[];
  /** @param seed four unsigned 32-bit numbers, for what is random */
  make(seed: readonly number[]): Readonly<Record<string, unknown>>;
}

/** How a program can reach a global that it does not name: by the global object, or with an escape in a name. */
const REACHES_ANY = /globalThis(?!\.__codemode_)|\\u/;

/** To look through a longer program, in UTF-16 units, takes as long as to make all globals. */
const MAX_PROGRAM_LENGTH = 20_000;

/**
 * The globals that the program may use; the others need not be made, which takes longer than a short run. Programs are strict and get nothing as
 * `this`, so an identifier that stands in them is the only other way to a global.
 */
export function selectRunGlobals(all: readonly RunGlobals[], program: string): readonly RunGlobals[] {
  if (program.length > MAX_PROGRAM_LENGTH || REACHES_ANY.test(program)) return all;
  return all.filter(({ names }) => names.some((name) => program.includes(name)));
}

/** What an entry costs at least, so that empty messages are bounded too. */
const MIN_ENTRY_BYTES = 16;

interface ScriptLog {
  start(maxBytes: number): void;
  log(level: LogLevel, args: readonly unknown[]): void;
}

/** Sends what the script logs, as it happens, up to the limit; the entry that crosses it is cut and says so, later ones are dropped. */
function makeScriptLog(send: (frame: string) => void, now: () => number): ScriptLog {
  let room = 0;
  let isFull = false;
  let startedAt = 0;
  return {
    start(maxBytes) {
      room = maxBytes;
      startedAt = now();
    },
    log(level, args) {
      if (isFull) return;
      const full = printLogMessage(args, room);
      const bytes = Math.max(utf8Length(full), MIN_ENTRY_BYTES);
      const truncated = bytes > room;
      isFull = truncated;
      const message = truncated ? cutToUtf8(full, room) : full;
      room -= bytes;
      send(formatFrame({ type: "log", level, timeMs: Math.max(now() - startedAt, 0), message, truncated }));
    },
  };
}
