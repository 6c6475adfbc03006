import type { Bridge } from "../../schemas/run/bridge.ts";
import type { RunHeader } from "../../schemas/run/protocol.ts";
import { askBridge } from "./ask-bridge.ts";
import { makeCompartment, type ChangingGlobals, type StartPowers } from "./compartment.ts";
import { makeConsole } from "./endowments/console.ts";
import { makeAbortClasses } from "./endowments/abort.ts";
import { makeCrypto } from "./endowments/crypto.ts";
import { makeEvents } from "./endowments/events.ts";
import { makeQueueMicrotask } from "./endowments/microtasks.ts";
import { makePerformance } from "./endowments/performance.ts";
import { makeRandomBytes } from "./endowments/random-bytes.ts";
import { makeTimers, type Timers } from "./endowments/timers.ts";
import { makeScriptLog } from "./script-log.ts";
import { makeScriptRun, type ScriptRun } from "./script-run.ts";
import { makeToolCalls, type ToolCalls } from "./tool-calls.ts";

/** What is there for one script. */
export interface ScriptRealm {
  run: ScriptRun;
  calls: ToolCalls;
  timers: Timers;
  /** Cuts off all that its script was given: code that is left of it sends nothing and sets no timer from now on. */
  close(): void;
}

/** Puts a compartment together with everything that its script can reach. `now` is the clock of the logs. */
export function assembleRealm(
  powers: StartPowers,
  bridge: Bridge,
  globals: ChangingGlobals,
  now: () => number,
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
  const calls = powers.harden(makeToolCalls(send)); // The script is given its `call`.
  const onError = (error: unknown): void => run.uncaught(error);
  const timers = makeTimers({ startTimer, stopTimer }, onError);
  const random = makeRandomBytes();
  const { performance, start: startPerformance } = makePerformance(globals.Date.now);
  const { DOMException } = powers.webClasses;
  const events = makeEvents(performance.now, onError);
  const compartment = makeCompartment(powers, {
    console: makeConsole(log.log),
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clearTimeout,
    queueMicrotask: makeQueueMicrotask(onError),
    performance,
    crypto: makeCrypto(random, DOMException),
    ...events,
    ...makeAbortClasses(events, DOMException, timers),
    ...powers.webClasses,
    ...globals,
  });
  const utf8Length = (text: string): number => askBridge(bridge.utf8Length, text);
  const start = (header: RunHeader): void => {
    calls.start(header);
    log.start(header.maxLogBytes);
    random.start(header.randomKey);
    startPerformance();
  };
  const run = makeScriptRun({ compartment, calls, timers, send, utf8Length, start });
  const close = (): void => {
    isClosed = true;
  };
  return { run, calls, timers, close };
}

const RUN_IS_OVER = "The run that this belongs to is over";
