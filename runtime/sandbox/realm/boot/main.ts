import { isAscii } from "node:buffer";
import { read, readSync, writeSync } from "node:fs";
import type { Programs } from "./programs.ts";
import { makeRealmStarter } from "./guest-realm.ts";
import { takeCollector } from "./collect-realms.ts";
import { freezeIntrinsics } from "./freeze-intrinsics.ts";
import { makeBridge } from "./bridge.ts";
import { scrubGlobals } from "./scrub-globals.ts";
import { makeHostTimers } from "./timers.ts";
import { isSurrogatePair, MAX_UNIT_BYTES } from "../../../../schemas/json/utf8.ts";
import { formatFrame, FRAME_HEADER_BYTES } from "../../../../schemas/run/protocol.ts";
import type { Realm } from "../../../../schemas/run/bridge.ts";

/*
 * The main realm of a sandbox process: its pipe, its turns and its guest realms. The build wraps it into a function with these parameters.
 *
 * It makes the guest realm, gives it nothing but the bridge, and then takes itself apart: the parts of Node that the program still needs
 * are in its own variables, the globals are gone and the intrinsics are frozen. So even a function of this
 * realm in a script's hands would find nothing to call.
 */

declare const programs: Programs;
declare const mode: string | undefined;

const { process, Buffer, setImmediate } = globalThis;
const { apply } = Reflect;
const { env } = process;
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process);

/** A program that starts this one for the host may pass on no more than the standard streams. */
const [IN, OUT] = process.argv[3] === "--standard-streams" ? ([0, 1] as const) : ([3, 4] as const);
const CHUNK_BYTES = 64 * 1024;
/** A longer body is sent in parts of so many UTF-16 units: no second copy of it is made. */
const PART_LENGTH = 64 * 1024;

/** A run of nothing. */
const EMPTY_RUN = formatFrame(
  {
    ...{ type: "run", maxLogBytes: 0, maxResultBytes: 0, maxFrameBytes: 0, firstCallId: 1 },
    ...{ randomKey: [], seed: [] },
  },
  '{"code":"(async function () {}).call(undefined)","input":null}',
);

const timers = makeHostTimers((id) => inTurn(() => realm.fireTimer(id)));
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
  printCompileCache();
  exit(0);
}

const awaitFrame = makeFrameReader(
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
  setImmediate(settle);
}

function settle(): void {
  const settled = realm.settle();
  if (settled === "again") return endTurn();
  if (settled === "spent") renew();
  awaitFrame(!timers.isAnyRunning());
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
      if (own === realmCount) apply(act, undefined, args);
    };
  const { start, stop } = timers;
  const bridge = makeBridge(whileCurrent(sendFrame), { start: whileCurrent(start), stop: whileCurrent(stop) });
  return startRealm(bridge, isFirst);
}

/** Sends what V8 has compiled so far, for the next start: each program's length (four bytes) and code. */
function printCompileCache(): void {
  for (const program of [programs.main, programs.ses, programs.realm, programs.runtime]) {
    const compiled = program.createCachedData();
    const length = Buffer.alloc(4);
    length.writeUInt32LE(compiled.length);
    sendBytes(length);
    sendBytes(compiled);
  }
}

/** Writes a frame and returns when the host's side of the pipe has it, so that nothing logged is lost when the process is killed. */
function sendFrame(header: string, body?: string): void {
  if (body === undefined) return sendStart(header, 0);
  const first = takePart(body, 0);
  const isWhole = first.length === body.length;
  sendStart(`${header}\n${first}`, isWhole ? 0 : Buffer.byteLength(body) - Buffer.byteLength(first));
  if (!isWhole) sendRest(body, first.length);
}

/** Writes the length of a frame, and its text up to where so many bytes are still to come. */
function sendStart(text: string, missingBytes: number): void {
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(FRAME_HEADER_BYTES + length);
  bytes.writeUInt32LE(length + missingBytes, 0);
  bytes.write(text, FRAME_HEADER_BYTES);
  sendBytes(bytes);
}

function sendRest(text: string, start: number): void {
  const bytes = Buffer.allocUnsafe(PART_LENGTH * MAX_UNIT_BYTES);
  for (let sent = start; sent !== text.length;) {
    const part = takePart(text, sent);
    sendBytes(bytes.subarray(0, bytes.write(part)));
    sent += part.length;
  }
}

/** The part that begins there, with whole surrogate pairs. */
function takePart(text: string, start: number): string {
  const part = text.slice(start, start + PART_LENGTH);
  return isSurrogatePair(text, start + part.length - 1) ? part.slice(0, -1) : part;
}

function sendBytes(bytes: Buffer): void {
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(OUT, bytes, sent);
    } catch (error) {
      if ((error as { code?: string }).code !== "EAGAIN") throw error;
    }
  }
}

/**
 * Hands over the text of every frame that the host sends. It reads the descriptor itself: no socket object exists in this process, and
 * leaving out `node:net` saves a tenth of the start. A long frame is read into a buffer of its length.
 *
 * @returns waits for the next frame of the host, unless it does so already. Alone is a process that nothing but the host can wake: it stands
 * still meanwhile, and wakes without the detour over another thread.
 */
function makeFrameReader(onFrame: (text: string) => void, onEnd: () => void): (isAlone: boolean) => void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let buffer = chunk;
  let filled = 0;
  let isWaiting = false;

  const takeFrames = (): void => {
    isWaiting = false;
    let start = 0;
    for (;;) {
      const wanted = wantedBytes(start);
      if (filled - start < wanted) return keepRest(start, wanted);
      onFrame(decode(buffer.subarray(start + FRAME_HEADER_BYTES, start + wanted)));
      start += wanted;
    }
  };
  /** The bytes of the frame that begins there; those of its header while that is not there. */
  const wantedBytes = (start: number): number =>
    FRAME_HEADER_BYTES + (filled - start < FRAME_HEADER_BYTES ? 0 : buffer.readUInt32LE(start));
  /** Puts what is not a whole frame yet to the front, with room for all of it. */
  const keepRest = (start: number, wanted: number): void => {
    if (start === 0 && wanted <= buffer.length) return; // It has room.
    const rest = buffer.subarray(start, filled);
    buffer = wanted <= CHUNK_BYTES ? chunk : Buffer.allocUnsafe(wanted);
    filled = rest.copy(buffer);
  };
  /** Notes what was read. False where the frame is not whole yet. */
  const isWhole = (count: number): boolean => {
    filled += count;
    const wanted = wantedBytes(0);
    if (filled >= wanted) return true;
    keepRest(0, wanted);
    return false;
  };
  const readFrame = (): void => {
    for (;;) {
      const count = readSync(IN, buffer, filled, buffer.length - filled, null);
      if (count === 0) return onEnd();
      if (isWhole(count)) break;
    }
    setImmediate(takeFrames); // In the next round of the event loop, whose clock has not stood still: timers start from it.
  };
  const readInBackground = (): void => {
    read(IN, buffer, filled, buffer.length - filled, null, (_error, count) => {
      if (count === 0) return onEnd(); // After an error too.
      if (isWhole(count)) takeFrames();
      else readInBackground();
    });
  };
  env["UV_THREADPOOL_SIZE"] = "1"; // Four threads would start with the first read in the background, and there is one read at a time.
  return (isAlone) => {
    if (isWaiting) return;
    isWaiting = true;
    if (isAlone) readFrame();
    else readInBackground();
  };
}

/** Plain ASCII, which most frames are, need not be looked through for sequences. */
function decode(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}
