import { createCompileCache, loadPrograms } from "./programs.ts";
import { takeCollector } from "./collect-realms.ts";
import { freezeIntrinsics } from "./freeze-intrinsics.ts";
import { makeBridge } from "./bridge.ts";
import { makeFrameReader, sendBytes, sendFrame } from "./wire.ts";
import { scrubGlobals } from "./scrub-globals.ts";
import { makeTimers } from "./timers.ts";
import { formatFrame } from "../../../schemas/run/protocol.ts";
import type { Realm } from "../../../schemas/run/bridge.ts";

/*
 * The main realm of a sandbox process: `boot.cjs CACHE-FILE [--print-cache]`.
 *
 * It makes the guest realm, gives it nothing but the bridge, and then takes itself apart: the parts of Node that the program still needs
 * are in its own variables, the globals are gone and the intrinsics are frozen. So even a function of this
 * realm in a script's hands would find nothing to call.
 */

const { process, setImmediate } = globalThis;
const [cacheFile = "", mode] = process.argv.slice(2);
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);

const EMPTY_SCRIPT = '{"code":"(async function () {}).call(undefined)","input":null}';

const timers = makeTimers((id) => inTurn(() => realm.fireTimer(id)));
const programs = loadPrograms(cacheFile);
let realmCount = 0;
let realm = openRealm(true);

if (mode === "--print-cache") {
  // A script has to run for the functions that run scripts to be compiled. Nothing looks for its end, so it sends nothing.
  const limits = { maxLogBytes: 0, maxResultBytes: 0, maxFrameBytes: 0, firstCallId: 1, randomKey: [], seed: [] };
  realm.receive(formatFrame({ type: "run", ...limits }, EMPTY_SCRIPT));
  sendBytes(createCompileCache(programs));
  exit(0);
}

const ready = formatFrame({ type: "ready" });
const renewed = formatFrame({ type: "reset", isClean: true });
const collect = takeCollector();
freezeIntrinsics();
scrubGlobals();

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
  return programs.startRealm(bridge, isFirst);
}
