import type { Bridge } from "../../../schemas/run/bridge.ts";
import type { RunHeader } from "../../../schemas/run/protocol.ts";
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
import { type RunGlobals, selectRunGlobals } from "./run-globals.ts";
import { makeScriptLog } from "./script-log.ts";
import { makeScriptRun, type ScriptRun } from "./script-run.ts";
import { makeToolCalls, type ToolCalls } from "./tool-calls.ts";

/** What is there for one script. */
export interface ScriptRealm {
  run: ScriptRun;
  calls: ToolCalls;
  timers: Timers;
  /** Makes those globals of its own that the program may use; all of them unless one is given. The seed is that of `RunHeader`. */
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
  const run = makeScriptRun({ compartment, calls, timers, send, utf8Length, start });
  const close = (): void => {
    isClosed = true;
  };
  return { run, calls, timers, complete, close };
}

const RUN_IS_OVER = "The run that this belongs to is over";
