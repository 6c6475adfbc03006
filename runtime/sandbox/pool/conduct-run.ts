import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { randomInt } from "node:crypto";
import { decodeText } from "@codemode/runtime/connections/decode-text";
import type { RunLimits } from "../../../schemas/run/answer.ts";
import type { Bundle } from "../../../schemas/run/bundle.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { RunBody, RunHeader, SandboxFrame } from "../../../schemas/run/protocol.ts";
import { isLongerThan } from "../../../schemas/json/utf8.ts";
import type { RunLog } from "./run-log.ts";
import type { ToolCallDispatcher } from "./tool-call-dispatcher.ts";
import type { Timekeeper } from "./timekeeper.ts";
import type { Ending } from "./ending.ts";
import { printBody } from "./frames.ts";
import { parseForeignJson } from "./parse-foreign-json.ts";
import { takeRandomWords } from "./random-words.ts";
import { makeRunClock, type RunClock } from "./run-clock.ts";
import type { Sandbox, SandboxEnd } from "./sandbox-engine.ts";

/** The value of a result's JSON text, or what stands for it; undefined where it is no JSON. */
export type ReadResult = (json: string) => JsonValue | undefined;

interface Run {
  sandbox: Sandbox;
  bundle: Bundle;
  input: JsonValue;
  key?: string | undefined;
  limits: RunLimits;
  log: RunLog;
  dispatcher: ToolCallDispatcher;
  readResult?: ReadResult | undefined;
  signal: AbortSignal | undefined;
  clock?: RunClock | undefined;
  /** Present where the run must be repeatable. */
  timekeeper?: Timekeeper | undefined;
}

/** The longest frame that a sandbox may send, under all limits: large inputs of tools fit into it. */
const MIN_FRAME_BYTES = 8 * 1024 * 1024;
/** One byte of a message can take six in a frame: a control character as its escape. */
const MAX_ESCAPED_BYTES = 6;
const HEADER_BYTES = 64 * 1024;
/** What a script gets at least beyond the memory of an idle process. */
const MIN_SCRIPT_BYTES = 16 * 1024 * 1024;

/** Code of an earlier run in the same process would have to guess one of so many. Recorded runs count from 1: their process is their own. */
const FIRST_CALL_IDS = 2 ** 48 - 1;

/**
 * Runs one script in a sandbox of its own, up to its end or the first limit. In every case the process is killed and
 * what it had logged until then is read.
 */
export function conductRun({
  sandbox,
  bundle,
  input,
  key = "",
  limits,
  log,
  dispatcher,
  readResult,
  signal,
  clock = makeRunClock(),
  timekeeper,
}: Run): Promise<Ending> {
  const maxFrameBytes =
    Math.max(MIN_FRAME_BYTES, limits.maxLogBytes * MAX_ESCAPED_BYTES, limits.maxResultBytes) + HEADER_BYTES;
  const maxMemoryBytes = Math.max(limits.maxMemoryBytes, sandbox.residentBytes() + MIN_SCRIPT_BYTES);

  /** A script may return the answer of a call as it came: its value is parsed once, where it is long. */
  const readBody = (body: Buffer | string): JsonValue | undefined => {
    if (typeof body === "string") return (readResult ?? parseForeignJson)(body);
    if (readResult !== undefined) return readResult(decodeText(body));
    return dispatcher.findParsed?.(body) ?? parseForeignJson(decodeText(body));
  };

  // What a repeatable run has done to the process is not undone.
  const renew = timekeeper === undefined ? sandbox.renew : undefined;

  return new Promise((resolve) => {
    let ending: Ending | undefined;
    /** The first end counts. What the process wrote before is still in the pipe, so its logs are read to the last. */
    const end = (reached: Ending): void => {
      if (ending !== undefined) return;
      ending = reached;
      if (reached.kind === "result" && renew !== undefined) sandbox.release();
      else if (isAnswered())
        setImmediate(sandbox.kill); // The answer goes first: ending a process takes the host a while.
      else sandbox.kill();
      if (isAnswered()) finish();
    };
    /** Whether the script itself came to an end: then nothing more is awaited of its process. */
    const isAnswered = (): boolean => ending?.kind === "result" || ending?.kind === "failure";
    const finish = (): void => {
      stopClock();
      stopWatching();
      signal?.removeEventListener("abort", cancel);
      if (ending === undefined) return;
      timekeeper?.close(ending);
      resolve(ending);
    };
    const cancel = (): void => end({ kind: "cancelled" });
    const firstCallId = timekeeper === undefined ? randomInt(FIRST_CALL_IDS) : 1;
    let callCount = 0;
    const onFrame = (frame: SandboxFrame, longBody?: Buffer): void => {
      if (ending !== undefined && frame.type !== "log") return;
      switch (frame.type) {
        case "ready":
          return end({ kind: "broken", reason: "a second ready frame" });
        case "log":
          if (isAnswered()) return;
          if (log.add(frame.level, frame.message, frame.timeMs, frame.truncated)) return;
          return end({ kind: "broken", reason: "more logs than the sandbox may send" });
        case "call": {
          const { id, serverId, toolName } = frame;
          const inputJson = longBody === undefined ? frame.body : decodeText(longBody);
          if (id !== firstCallId + callCount) return end({ kind: "broken", reason: "a call with an id out of order" });
          callCount += 1;
          const call = { serverId, toolName, inputJson };
          const isAccepted = dispatcher.accept(call, (json, onSent) => {
            if (ending !== undefined) return;
            if (timekeeper === undefined) sandbox.send({ type: "reply", id }, json, onSent);
            else timekeeper.onReply(id, printBody(json));
          });
          if (!isAccepted) return end({ kind: "limit", limit: "maxToolCalls" });
          return timekeeper?.onCall(id, call);
        }
        case "timer":
        case "stopTimer":
        case "idle":
          if (timekeeper?.onFrame(frame) === true) return;
          return end({ kind: "broken", reason: "a timer that it may not set" });
        case "reset":
          return end({ kind: "broken", reason: "a reset before its result" });
        case "result":
          return end(toResultEnding(frame, longBody, limits.maxResultBytes, readBody));
        case "failure":
          return end({ kind: "failure", errors: frame.errors });
      }
    };

    const stopClock = clock.start(limits.timeoutMs, () => end({ kind: "limit", limit: "timeoutMs" }));
    const stopWatching = sandbox.watchMemory(maxMemoryBytes, () => end({ kind: "limit", limit: "maxMemoryBytes" }));
    signal?.addEventListener("abort", cancel);
    const onEnd = (sandboxEnd: SandboxEnd): void => {
      ending ??= toEnding(sandboxEnd);
      finish();
    };
    sandbox.listen({ onFrame, onBrokenFrame: (reason) => end({ kind: "broken", reason }), onEnd }, maxFrameBytes);
    const { maxLogBytes, maxResultBytes } = limits;
    const body: RunBody = { code: bundle.code, input, key };
    const header: RunHeader = {
      ...{ type: "run", maxLogBytes, maxResultBytes, maxFrameBytes, firstCallId },
      randomKey: timekeeper === undefined ? takeRandomWords(8) : twice(timekeeper.start.seed),
      seed: timekeeper === undefined ? takeRandomWords(4) : timekeeper.start.seed,
      ...withoutUndefined({ replayable: timekeeper?.start, renew }),
    };
    timekeeper?.begin({ send: sandbox.send, end });
    sandbox.send(header, JSON.stringify(body));
    if (signal?.aborted === true) cancel();
  });
}

function twice(seed: readonly number[]): number[] {
  return [...seed, ...seed];
}

function toResultEnding(
  frame: SandboxFrame & { type: "result" },
  longBody: Buffer | undefined,
  maxResultBytes: number,
  readBody: (body: Buffer | string) => JsonValue | undefined,
): Ending {
  const { truncations, bigInts, unawaited } = frame;
  const body = longBody ?? frame.body;
  const isTooLong =
    typeof body === "string" ? isLongerThan(body, maxResultBytes, Buffer.byteLength) : body.length > maxResultBytes;
  if (isTooLong) return { kind: "broken", reason: "a result that is longer than allowed" };
  const value = readBody(body);
  if (value === undefined) return { kind: "broken", reason: "a result that is not JSON" };
  return { kind: "result", value, truncations, ...withoutUndefined({ bigInts }), unawaited };
}

/** Signals that V8 ends a process with when it gets no more memory, and the kernel when the process is over its own limits. */
const OUT_OF_MEMORY: ReadonlySet<string | null> = new Set(["SIGABRT", "SIGBUS", "SIGILL", "SIGSEGV", "SIGTRAP"]);

const HOST_MEMORY: Ending = { kind: "host-memory" };

/** The meaning of an unrequested end of a process. */
export function toEnding({ isOutOfMemory, signal, wasKilled, isMemoryShort }: SandboxEnd): Ending {
  if (wasKilled) return { kind: "cancelled" };
  if (signal === "SIGXCPU") return { kind: "limit", limit: "timeoutMs" };
  if (signal === "SIGKILL" && !isOutOfMemory) {
    return isMemoryShort === false ? { kind: "broken", reason: "its process was killed from outside" } : HOST_MEMORY;
  }
  if (isOutOfMemory || OUT_OF_MEMORY.has(signal)) return { kind: "limit", limit: "maxMemoryBytes" };
  return { kind: "broken", reason: "its process ended by itself" };
}
