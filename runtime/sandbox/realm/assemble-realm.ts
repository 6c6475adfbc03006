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
}

/** Puts a compartment together with everything that its script can reach. `now` is the clock of the logs. */
export function assembleRealm(
  powers: StartPowers,
  bridge: Bridge,
  globals: ChangingGlobals,
  now: () => number,
): ScriptRealm {
  const send = (header: string, body?: string): void => askBridge(bridge.send, header, body);
  const log = makeScriptLog(send, now);
  const calls = powers.harden(makeToolCalls(send)); // The script is given its `call`.
  const timers = makeTimers(bridge, (error) => run.uncaught(error));
  const compartment = makeCompartment(powers, {
    console: makeConsole(log.log),
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clearTimeout,
    ...powers.webClasses,
    ...globals,
  });
  const utf8Length = (text: string): number => askBridge(bridge.utf8Length, text);
  const run = makeScriptRun({ compartment, log, calls, timers, send, utf8Length });
  return { run, calls, timers };
}
