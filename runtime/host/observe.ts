import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { printedContent, withoutContent } from "@codemode/runtime/connections/printed-content";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { ToolCall, ToolError } from "../../schemas/lock/tools.ts";
import type {
  CallEnd,
  CallFacts,
  CallObservation,
  Observer,
  RequestObservation,
  RunObservation,
  RunSink,
} from "../../schemas/run/observer.ts";
import { CALL_NUMBER_META } from "../../schemas/run/run-key.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { FindRuledTool } from "./checks/admit-call.ts";

/** One observer that tells all of these; undefined where there are none, which costs a host nothing. One that throws is passed over. */
export function observeByAll(observers: readonly Observer[]): Observer | undefined {
  if (observers.length === 0) return undefined;
  return {
    requestStarted(facts) {
      const observations = collect(observers, (observer) => observer.requestStarted?.(facts));
      return observations.length === 0 ? undefined : observeRequestByAll(observations);
    },
    sessionStarted(facts) {
      const ends = collect(observers, (observer) => observer.sessionStarted?.(facts));
      return () => tell(ends, (end) => end());
    },
    runStarted(facts) {
      return joinSinks(collect(observers, (observer) => observer.runStarted?.(facts)));
    },
    runTurnedAway: (facts) => tell(observers, (observer) => observer.runTurnedAway?.(facts)),
    serverEvent: (event) => tell(observers, (observer) => observer.serverEvent?.(event)),
    stateOffered: (state) => tell(observers, (observer) => observer.stateOffered?.(state)),
  };
}

function observeRequestByAll(requests: readonly RequestObservation[]): RequestObservation {
  const [trace] = collect(requests, (request) => request.trace);
  return {
    trace,
    admitted: () => tell(requests, (request) => request.admitted?.()),
    failed: (code) => tell(requests, (request) => request.failed?.(code)),
    named: (toolName) => tell(requests, (request) => request.named?.(toolName)),
    ended: (end) => tell(requests, (request) => request.ended?.(end)),
  };
}

/** One sink that tells all of these; undefined where there are none. */
export function joinSinks(sinks: readonly (RunSink | undefined)[]): RunSink | undefined {
  const runs = sinks.filter((sink) => sink !== undefined);
  if (runs.length === 0) return undefined;
  const logs = runs.flatMap(({ logged }) => logged ?? []);
  const calls = runs.flatMap(({ callEvent }) => callEvent ?? []);
  const joined: RunSink = {
    // These two are the caller's own, which is to learn of its mistakes.
    logged: logs.length === 0 ? undefined : (entry) => logs.forEach((tellLog) => tellLog(entry)),
    callEvent: calls.length === 0 ? undefined : (event) => calls.forEach((tellCall) => tellCall(event)),
    bundled: (facts) => tell(runs, (run) => run.bundled?.(facts)),
    reviewed: (facts) => tell(runs, (run) => run.reviewed?.(facts)),
    scriptStarted: () => tell(runs, (run) => run.scriptStarted?.()),
    scriptEnded: () => tell(runs, (run) => run.scriptEnded?.()),
    callReviewed: (facts) => tell(runs, (run) => run.callReviewed?.(facts)),
    asked: (facts) => tell(runs, (run) => run.asked?.(facts)),
    limitHit: (limit) => tell(runs, (run) => run.limitHit?.(limit)),
    ended: (end) => tell(runs, (run) => run.ended?.(end)),
  };
  if (runs.some(({ callStarted }) => callStarted !== undefined))
    joined.callStarted = (facts) => observeCallByAll(collect(runs, (run) => run.callStarted?.(facts)));
  return joined;
}

function observeCallByAll(calls: readonly CallObservation[]): CallObservation | undefined {
  if (calls.length === 0) return undefined;
  const metas = collect(calls, ({ meta }) => meta);
  return {
    meta: metas.length === 0 ? undefined : (Object.assign({}, ...metas) as JsonObject),
    within: (send) => calls.reduce((inner, { within }) => (within === undefined ? inner : () => within(inner)), send)(),
    ended: (end) => tell(calls, (call) => call.ended?.(end)),
  };
}

function tell<Listener>(listeners: readonly Listener[], say: (listener: Listener) => void): void {
  collect(listeners, say);
}

/** The results of the observers, without undefined ones. A failing observer must not stop a run. */
function collect<Listener, Answer>(
  listeners: readonly Listener[],
  ask: (listener: Listener) => Answer | undefined,
): Answer[] {
  const answers: Answer[] = [];
  for (const listener of listeners) {
    try {
      const answer = ask(listener);
      if (answer !== undefined) answers.push(answer);
    } catch {
      // Not reported: observers are the reporting channel.
    }
  }
  return answers;
}

/** One call in progress, reported to observers. Exactly one of the functions must be called. */
export interface ObservedCall {
  /** For the request to the server. */
  meta: JsonObject | undefined;
  /** Makes the request. */
  within<Answer>(send: () => Answer): Answer;
  refused(error: ToolError): void;
  skipped(): void;
  answered(result: JsonObject): void;
  /** `isCancelled` where the run has ended meanwhile. */
  failed(error: unknown, isCancelled: boolean): void;
}

/** Makes the function that reports calls; undefined where nothing receives calls. */
export function makeCallObservation(
  sink: RunObservation | undefined,
  { servers }: Lockfile,
  find: FindRuledTool,
): ((call: ToolCall) => ObservedCall | undefined) | undefined {
  if (sink?.callStarted === undefined) return undefined;
  return ({ serverId, toolName, input, number = 1 }) => {
    const ruled = find(serverId, toolName);
    const facts: CallFacts = {
      serverId,
      toolName,
      number,
      server: ruled?.server ?? servers.get(serverId),
      tool: ruled?.tool,
      verdict: ruled?.verdict,
      input: () => input,
      inputBytes: () => jsonBytes(input),
    };
    const observed = sink.callStarted?.(facts);
    if (observed === undefined) return undefined;
    const startedAt = performance.now();
    const end = (outcome: Pick<CallEnd, "outcome" | "code" | "rpcCode">, result?: JsonObject): void =>
      observed.ended?.({
        ...outcome,
        durationMs: performance.now() - startedAt,
        result: () => result,
        resultBytes: () => (result === undefined ? 0 : resultBytes(result)),
      });
    return {
      meta: observed.meta,
      within: (send) => (observed.within === undefined ? send() : observed.within(send)),
      refused: ({ errorClass }) => end({ outcome: "refused", code: errorClass }),
      skipped: () => end({ outcome: "skipped" }),
      answered: (result) => end({ outcome: result["isError"] === true ? "tool_error" : "ok" }, result),
      failed: (error, isCancelled) => end(isCancelled ? { outcome: "cancelled" } : toFailure(error)),
    };
  };
}

function toFailure(error: unknown): Pick<CallEnd, "outcome" | "code" | "rpcCode"> {
  if (!(error instanceof ConnectionError)) return { outcome: "failed", code: "not-connected" };
  return { outcome: "failed", code: error.kind, ...withoutUndefined({ rpcCode: error.code }) };
}

/** A long result is counted as the text that it still is. */
function resultBytes(result: JsonObject): number {
  const printed = printedContent(result);
  return printed === undefined ? jsonBytes(result) : printed.length + jsonBytes(withoutContent(result));
}

/** The bytes of a value as JSON; 0 where it is nested too deep to be printed. */
export function jsonBytes(value: JsonValue): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return 0;
  }
}

/** What a call has in its `_meta`: of its run, its own number, and of what observes it. */
export function joinMeta(
  ofRun: JsonObject | undefined,
  ofCall: JsonObject | undefined,
  { number }: ToolCall,
): JsonObject | undefined {
  if (ofRun === undefined) return ofCall;
  return number === undefined ? { ...ofRun, ...ofCall } : { ...ofRun, [CALL_NUMBER_META]: number, ...ofCall };
}
