import type { Programs } from "./programs.ts";
import { makeRealmStarter } from "./guest-realm.ts";
import { printCompileCache } from "./print-cache.ts";
import { takeCollector } from "./collect-realms.ts";
import { freezeIntrinsics } from "./freeze-intrinsics.ts";
import { makeBridge } from "./bridge.ts";
import { makeFrameReader, sendFrame } from "./wire.ts";
import { scrubGlobals } from "./scrub-globals.ts";
import { makeTimers } from "./timers.ts";
import { formatFrame } from "../../../../schemas/run/protocol.ts";
import type { Realm } from "../../../../schemas/run/bridge.ts";

/*
 * The main realm of a sandbox process. The build wraps it into a function with these parameters.
 *
 * It makes the guest realm, gives it nothing but the bridge, and then takes itself apart: the parts of Node that the program still needs
 * are in its own variables, the globals are gone and the intrinsics are frozen. So even a function of this
 * realm in a script's hands would find nothing to call.
 */

declare const programs: Programs;
declare const mode: string | undefined;

const { process, setImmediate } = globalThis;
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);

/** A run of nothing. */
const EMPTY_RUN = formatFrame(
  {
    ...{ type: "run", maxLogBytes: 0, maxResultBytes: 0, maxFrameBytes: 0, firstCallId: 1 },
    ...{ randomKey: [], seed: [] },
  },
  '{"code":"(async function () {}).call(undefined)","input":null}',
);

const timers = makeTimers((id) => inTurn(() => realm.fireTimer(id)));
const startRealm = makeRealmStarter(programs);
let realmCount = 0;
let realm = openRealm(true);

const ready = formatFrame({ type: "ready" });
const renewed = formatFrame({ type: "reset", isClean: true });
const collect = takeCollector();
freezeIntrinsics();
scrubGlobals();

if (mode === "--print-cache") {
  // A script has to run for the functions that run scripts to be compiled. Nothing looks for its end, so it sends nothing.
  realm.receive(EMPTY_RUN);
  printCompileCache(programs);
  exit(0);
}

const reader = makeFrameReader(
  (text) => inTurn(() => realm.receive(text)),
  () => exit(0),
);
sendFrame(ready);
endTurn();

// Reasons and errors are the script's objects: they go back to its realm, and are not looked at here.
// These come last, because they would swallow an error of the start itself.
process.on("unhandledRejection", (reason, promise) => inTurn(() => realm.rejected(promise, reason)));
process.on("rejectionHandled", (promise) => inTurn(() => realm.handled(promise)));
process.on("uncaughtException", (error) => inTurn(() => realm.uncaught(error)));

/** Runs one event of the script. */
function inTurn(event: () => void): void {
  event();
  endTurn();
}

/** Lets the realm see whether the script has ended, when all its promises have had their turn. */
function endTurn(): void {
  setImmediate(() => {
    const settled = realm.settle();
    if (settled === "again") return endTurn();
    if (settled === "spent") renew();
    reader.awaitFrame(!timers.isAnyRunning());
  });
}

/** Puts a new realm in the place of one whose script has left nothing behind. */
function renew(): void {
  collect();
  realm = openRealm(false);
  sendFrame(renewed);
}

/** Starts a realm. It can send frames and set timers until another takes its place. */
function openRealm(isFirst: boolean): Realm {
  const own = (realmCount += 1);
  const whileCurrent =
    <Args extends unknown[]>(act: (...args: Args) => void) =>
    (...args: Args): void => {
      if (own === realmCount) act(...args);
    };
  const { start, stop } = timers;
  const bridge = makeBridge(whileCurrent(sendFrame), { start: whileCurrent(start), stop: whileCurrent(stop) });
  return startRealm(bridge, isFirst);
}
