import type { Bridge } from "../../../schemas/bridge.ts";
import { askBridge } from "./ask-bridge.ts";
import { makeCompartment, type ChangingGlobals, type StartPowers } from "./compartment.ts";
import { makeConsole } from "./endowments/console.ts";
import { makeTimers, type Timers } from "./endowments/timers.ts";
import { makeScriptLog } from "./script-log.ts";
import { makeScriptRun, type ScriptRun } from "./script-run.ts";
import { makeToolCalls, type ToolCalls } from "./tool-calls.ts";

/** What is there for one script. */
export interface ScriptRealm {
  run: ScriptRun;
  calls: ToolCalls;
  timers: Timers;
  /** Cuts off all that its script was given: whatever is left of it sends nothing and sets no timer from now on. */
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
  const timers = makeTimers({ startTimer, stopTimer }, (error) => run.uncaught(error));
  const compartment = makeCompartment(powers, {
    console: makeConsole(log.log),
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clearTimeout,
    ...powers.webClasses,
    ...globals,
  });
  const utf8Length = (text: string): number => askBridge(bridge.utf8Length, text);
  const run = makeScriptRun({ compartment, log, calls, timers, send, utf8Length });
  const close = (): void => {
    isClosed = true;
  };
  return { run, calls, timers, close };
}

const RUN_IS_OVER = "The run that this belongs to is over";
