import type { Bridge, Realm } from "../../../schemas/bridge.ts";
import { splitFrame, type HostHeader, type RunBody } from "../../../schemas/protocol.ts";
import { askBridge } from "./ask-bridge.ts";
import { makeCompartment } from "./compartment.ts";
import { makeConsole } from "./endowments/console.ts";
import { makeTextDecoder } from "./endowments/text-decoder.ts";
import { makeTextEncoder } from "./endowments/text-encoder.ts";
import { makeTimers } from "./endowments/timers.ts";
import { makeUrlSearchParams } from "./endowments/url-search-params.ts";
import { makeUrl } from "./endowments/url.ts";
import { lockdownRealm } from "./lockdown.ts";
import { makeScriptLog } from "./script-log.ts";
import { makeScriptRun } from "./script-run.ts";
import { scrubStartGlobals } from "./scrub-start-globals.ts";
import { sesGlobals } from "./ses-globals.ts";
import { makeToolCalls } from "./tool-calls.ts";

/** Locks the guest realm down and makes the compartment in it, ready for one script. */
export function startRealm(bridge: Bridge): Realm {
  lockdownRealm();
  const send = (frame: string): void => askBridge(bridge.send, frame);
  const log = makeScriptLog(send);
  const calls = sesGlobals().harden(makeToolCalls(send)); // The script is given its `call`.
  const timers = makeTimers(bridge, (error) => run.uncaught(error));
  const params = makeUrlSearchParams(bridge);
  const compartment = makeCompartment({
    console: makeConsole(log.log),
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clearTimeout,
    URL: makeUrl(bridge, params),
    URLSearchParams: params.URLSearchParams,
    TextEncoder: makeTextEncoder(),
    TextDecoder: makeTextDecoder(bridge),
  });
  const run = makeScriptRun({ compartment, log, calls, timers, send });
  scrubStartGlobals();

  return {
    receive(frame) {
      const { header, body } = splitFrame(frame) as { header: HostHeader; body: string };
      if (header.type === "run") run.start(header, JSON.parse(body) as RunBody);
      else calls.answer(header.id, body);
    },
    fireTimer: timers.fire,
    rejected: run.rejected,
    handled: run.handled,
    uncaught: run.uncaught,
    settle: run.settle,
  };
}
