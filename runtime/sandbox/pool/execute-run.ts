import { decodeUtf8 } from "@codemode/runtime/connections/decode-text";
import { randomInt } from "node:crypto";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { RunLimits } from "../../../schemas/config/config-file.ts";
import { parseForeignJson } from "../../../schemas/json/foreign-json.ts";
import { isLongerThan } from "../../../schemas/json/utf8.ts";
import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import { type Bundle, leaveOutRuntime } from "../../../schemas/run/bundle.ts";
import type { Renewal, SandboxFrame, RunBody, RunHeader } from "../../../schemas/run/protocol.ts";
import type { Ending } from "./ending-diagnostics.ts";
import { printFrameBody } from "./frames.ts";
import { takeRandomWords } from "./random-words.ts";
import { type RunClock, makeRunClock } from "./run-clock.ts";
import type { RunLog } from "./run-log.ts";
import type { Sandbox, SandboxEnd } from "./sandbox-engine.ts";
import type { Timekeeper } from "./timekeeper.ts";
import type { ToolCallDispatcher } from "./tool-call-dispatcher.ts";

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
  /** Present where calls are to have their places: as in `ScriptPositions`. */
  pathOf?: ((stack: string) => string | undefined) | undefined;
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
export function executeRun(run: Run): Promise<Ending> {
  return new Promise((resolve) => new RunExecution(run, resolve).start());
}

class RunExecution {
  readonly #run: Run;
  readonly #resolve: (ending: Ending) => void;
  /** How a process goes on to its next script. */
  readonly #renew: Renewal | undefined;
  readonly #firstCallId: number;
  #callCount = 0;
  #ending: Ending | undefined;
  #stopWatching: (() => void)[] = [];

  constructor(run: Run, resolve: (ending: Ending) => void) {
    this.#run = run;
    this.#resolve = resolve;
    this.#renew = run.sandbox.renew;
    this.#firstCallId = randomInt(FIRST_CALL_IDS);
  }

  start(): void {
    const { sandbox, bundle, input, key = "", limits, signal, clock = makeRunClock(), timekeeper } = this.#run;
    const { maxLogBytes, maxResultBytes } = limits;
    const maxFrameBytes = Math.max(MIN_FRAME_BYTES, maxLogBytes * MAX_ESCAPED_BYTES, maxResultBytes) + HEADER_BYTES;
    const maxMemoryBytes = Math.max(limits.maxMemoryBytes, sandbox.residentBytes() + MIN_SCRIPT_BYTES);
    const cancel = (): void => this.#end({ kind: "cancelled" });
    this.#stopWatching = [
      clock.start(limits.timeoutMs, () => this.#end({ kind: "limit", limit: "timeoutMs" })),
      sandbox.watchMemory(maxMemoryBytes, () => this.#end({ kind: "limit", limit: "maxMemoryBytes" })),
      () => signal?.removeEventListener("abort", cancel),
    ];
    signal?.addEventListener("abort", cancel);
    const listener = {
      onFrame: (frame: SandboxFrame, longBody?: Buffer) => this.#receive(frame, longBody),
      onBrokenFrame: (reason: string) => this.#break(reason),
      onEnd: (sandboxEnd: SandboxEnd) => {
        this.#ending ??= toEnding(sandboxEnd);
        this.#finish();
      },
    };
    sandbox.listen(listener, maxFrameBytes);
    const shorter = sandbox.runtimeLine && leaveOutRuntime(bundle.code, sandbox.runtimeLine);
    const program = shorter ? { code: shorter, takesRuntime: true } : { code: bundle.code };
    const body: RunBody = { ...program, input, key };
    const header: RunHeader = {
      ...{ type: "run", maxLogBytes, maxResultBytes, maxFrameBytes, firstCallId: this.#firstCallId },
      randomKey: timekeeper === undefined ? takeRandomWords(8) : twice(timekeeper.start.seed),
      seed: timekeeper === undefined ? takeRandomWords(4) : timekeeper.start.seed,
      ...withoutUndefined({ replayable: timekeeper?.start, renew: this.#renew, notesPlaces: this.#run.pathOf && true }),
    };
    timekeeper?.begin({ send: this.#sendCounted, end: (ending) => this.#end(ending) });
    sandbox.send(header, JSON.stringify(body));
    if (signal?.aborted === true) cancel();
  }

  /** A log of a run counts its calls from 1, while their ids on the wire cannot be guessed. */
  #countOf(id: number): number {
    return id - this.#firstCallId + 1;
  }

  readonly #sendCounted: Sandbox["send"] = (header, ...body) =>
    this.#run.sandbox.send(
      header.type === "reply" ? { ...header, id: header.id + this.#firstCallId - 1 } : header,
      ...body,
    );

  /** The first end counts. What the process wrote before is still in the pipe, so its logs are read to the last. */
  #end(reached: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = reached;
    const { sandbox } = this.#run;
    if (reached.kind === "result" && this.#renew !== undefined) sandbox.release();

    // The answer goes first: ending a process takes the host a while.
    else if (this.#isAnswered()) setImmediate(sandbox.kill);
    else sandbox.kill();
    if (this.#isAnswered()) this.#finish();
  }

  #break(reason: string): void {
    this.#end({ kind: "broken", reason });
  }

  /** Whether the script itself came to an end: then nothing more is awaited of its process. */
  #isAnswered(): boolean {
    return this.#ending?.kind === "result" || this.#ending?.kind === "failure";
  }

  #finish(): void {
    for (const stop of this.#stopWatching) stop();
    if (this.#ending === undefined) return;
    this.#run.timekeeper?.close(this.#ending);
    this.#resolve(this.#ending);
  }

  #receive(frame: SandboxFrame, longBody: Buffer | undefined): void {
    if (this.#ending !== undefined && frame.type !== "log") return;
    switch (frame.type) {
      case "ready":
        return this.#break("a second ready frame");
      case "log":
        if (this.#isAnswered()) return;
        if (this.#run.log.add(frame.level, frame.message, frame.timeMs, frame.truncated)) return;
        return this.#break("more logs than the sandbox may send");
      case "call":
        return this.#receiveCall(frame, longBody);
      case "timer":
      case "stopTimer":
      case "idle":
        if (this.#run.timekeeper?.onFrame(frame) === true) return;
        return this.#break("a timer that it may not set");
      case "reset":
        return this.#break("a reset before its result");
      case "result":
        return this.#end(toResultEnding(frame, longBody, this.#run));
      case "failure":
        return this.#end({ kind: "failure", errors: frame.errors });
    }
  }

  #receiveCall({ id, serverId, toolName, stack, body }: CallFrame, longBody: Buffer | undefined): void {
    const { dispatcher, sandbox, timekeeper, pathOf } = this.#run;
    const inputJson = longBody === undefined ? body : decodeUtf8(longBody);
    if (id !== this.#firstCallId + this.#callCount) return this.#break("a call with an id out of order");
    this.#callCount += 1;
    const place = stack === undefined ? undefined : pathOf?.(stack);
    const call = { serverId, toolName, inputJson, place };
    const isAccepted = dispatcher.accept(call, (json, onSent) => {
      if (this.#ending !== undefined) return;
      if (timekeeper === undefined) sandbox.send({ type: "reply", id }, json, onSent);
      else timekeeper.onReply(this.#countOf(id), printFrameBody(json));
    });
    if (!isAccepted) return this.#end({ kind: "limit", limit: "maxToolCalls" });
    timekeeper?.onCall(this.#countOf(id), call);
  }
}

type CallFrame = SandboxFrame & { type: "call" };
function twice(seed: readonly number[]): number[] {
  return [...seed, ...seed];
}

function toResultEnding(frame: SandboxFrame & { type: "result" }, longBody: Buffer | undefined, run: Run): Ending {
  const { truncations, bigInts, unawaited } = frame;
  const { maxResultBytes } = run.limits;
  const body = longBody ?? frame.body;
  const isTooLong =
    typeof body === "string" ? isLongerThan(body, maxResultBytes, Buffer.byteLength) : body.length > maxResultBytes;
  if (isTooLong) return { kind: "broken", reason: "a result that is longer than allowed" };
  const value = readBody(body, run);
  if (value === undefined) return { kind: "broken", reason: "a result that is not JSON" };
  return { kind: "result", value, truncations, ...withoutUndefined({ bigInts }), unawaited };
}

/** A script may return the answer of a call as it came: its value is parsed once, where it is long. */
function readBody(body: Buffer | string, { readResult, dispatcher }: Run): JsonValue | undefined {
  if (typeof body === "string") return (readResult ?? parseForeignJson)(body);
  if (readResult !== undefined) return readResult(decodeUtf8(body));
  return dispatcher.findParsed?.(body) ?? parseForeignJson(decodeUtf8(body));
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
