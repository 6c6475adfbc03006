import type { LogEntry, RunAnswer } from "./answer.ts";
import type { RunLimits } from "../config/config-file.ts";
import type { Bundle, ManifestTool } from "./bundle.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import type { LockedServer, LockedTool, Lockfile } from "../lock/lockfile.ts";
import type { PolicyVerdict } from "../access/policy.ts";
import type { Integrity } from "../lock/integrity.ts";
import type { ApprovalWay, ApprovalVerdict, CallDecision } from "./approval.ts";
import type { QuestionOutcome } from "./question.ts";
import type { ServerEvent, ToolCallEvent } from "./tool-call-event.ts";

/**
 * Receives the events of a host as they happen: logs, the audit log, traces, metrics. An observer has no side effects on a run, except that
 * it adds the `meta` of a call. Each function is optional. `observeByAll` isolates observers that throw. Expensive values are functions, so
 * they are computed on demand only.
 */
export interface Observer {
  /** A client of `serve` calls a tool, for example one that runs scripts. Its runs are reported separately. */
  requestStarted?(facts: RequestFacts): RequestObservation | undefined;
  /** A client of a revision that has sessions has opened one. Returns what is to be called when it is over. */
  sessionStarted?(facts: SessionFacts): (() => void) | undefined;
  /** A script is about to be bundled and run, or one tool to be called without a script. Undefined where this run is of no interest. */
  runStarted?(facts: RunFacts): RunObservation | undefined;
  /** A client was refused; the host has no such run. */
  runTurnedAway?(facts: TurnedAwayFacts): void;
  /** A request over HTTP came without a token that is known here. */
  accessRefused?(facts: AccessRefusedFacts): void;
  serverEvent?(event: ServerEvent): void;
  /** What can be read at any time from now on; offered in parts, as they come to be. */
  stateOffered?(state: HostState): void;
}

/** What a connection to a client of `serve` is like. */
export interface SessionFacts {
  transport: "stdio" | "http";
  protocolVersion?: string | undefined;
}

/** A request of the method `tools/call`. */
export interface RequestFacts extends SessionFacts {
  /** As in `Access`. */
  client?: string | undefined;
  requestId: string | number;
  sessionId?: string | undefined;
  /** Of the request itself; where that names none, of its HTTP request. */
  trace?: TraceContext | undefined;
  /** Of the HTTP request that it came with. */
  httpTrace?: TraceContext | undefined;
}

export interface RequestObservation {
  /** Takes the place of the request's own trace in all that comes of it. */
  trace?: TraceContext | undefined;
  /** It is about to run; before that it has waited for its turn. */
  admitted?(): void;
  /** The run that came of it has an error, or there was none: the code of the first error. */
  failed?(code: string): void;
  /** There is a tool of that name. */
  named?(toolName: string): void;
  ended?(end: RequestEnd): void;
}

export interface RequestEnd {
  /** The result says that the tool failed. A failed run is no failed tool. */
  isError: boolean;
  /** Of JSON-RPC, where there is no result. */
  rpcCode?: number | undefined;
}

/** Where runs come from: `cli` for `run` and `call`, `batch` for `run --inputs`. */
export type RunOrigin = "cli" | "batch" | "serve-stdio" | "serve-http" | "ui" | "library";

/** Who is about to run what. Names are the client's and the script's author's: hostile text. */
export interface RunFacts {
  /** The id in the answer, where it has one: a client and its agent know the run by it. Otherwise a UUID. */
  runId: string;
  origin: RunOrigin;
  /** As in `Access`: absent for the operator. */
  client?: string | undefined;
  /** What is run: a script, or one tool alone. */
  subject:
    | { kind: "script"; name: string; savedAs?: string | undefined }
    | { kind: "call"; serverId: string; toolName: string };
  /** Of the request that asked for it. */
  trace?: TraceContext | undefined;
  /** The idempotency key of a script's run. */
  key?: string | undefined;
}

/** W3C trace context, its form checked. */
export interface TraceContext {
  traceparent: string;
  tracestate?: string | undefined;
}

/** The functions are called in this order, the calls' any number of times; `ended` is the last one, and is always called. */
export interface RunObservation {
  /** The script could be bundled. Not of a single call. */
  bundled?(facts: BundleFacts): void;
  /** Lockfile, policy and perhaps a person have decided about all that it may call. */
  reviewed?(facts: ReviewFacts): void;
  /** A sandbox is there and gets the script: from here on its logs count their time. */
  scriptStarted?(): void;
  /** The script has come to its end, or to a limit; what was found out meanwhile may still be waited for. */
  scriptEnded?(): void;
  /** A call is about to be checked, and made if nothing refuses it. What scripts ask about the tools that there are is no call. */
  callStarted?(facts: CallFacts): CallObservation | undefined;
  /** A person has decided about one call, for whose tool the policy says `askEach`, or could not be asked. */
  callReviewed?(facts: CallReviewFacts): void;
  /** A server has asked a person something in the middle of a call, and this came of it. */
  asked?(facts: AskedFacts): void;
  /** A limit ended the run, or cut its log or result. */
  limitHit?(limit: keyof RunLimits): void;
  ended?(end: RunEnd): void;
}

/** What those who wait for a run see of it. */
export interface RunStream {
  /** A line of the console. */
  logged: (entry: LogEntry) => void;
  /** The start or the end of a call, and what its server reports meanwhile. */
  callEvent: (event: ToolCallEvent) => void;
}

/**
 * Receives the events of one run: the one form of all that watch it. Nothing is computed for a member that is absent; servers are asked for
 * reports where there is a `callEvent`.
 */
export interface RunSink extends RunObservation {
  logged?: RunStream["logged"] | undefined;
  callEvent?: RunStream["callEvent"] | undefined;
}

export interface BundleFacts {
  bundle: Bundle;
  /** What it was bundled with: of a client what it may see. */
  lockfile: Lockfile;
  /** All that is accepted, as the file has it. */
  accepted: Lockfile;
}

/** `denied` by the policy; otherwise what came of asking a person, and `moved` where servers changed meanwhile. */
export type ReviewVerdict = "allowed" | "denied" | "cancelled" | "moved" | ApprovalVerdict;

export interface ReviewFacts {
  verdict: ReviewVerdict;
  /** Present where a person was asked. */
  approvalBy?: ApprovalWay | undefined;
  approvalName?: string | undefined;
  /** All that may be called, each with what the policy says of it. */
  tools: () => readonly ReviewedTool[];
}

export type ReviewedTool = Pick<ManifestTool, "serverId" | "toolName" | "integrity"> & { verdict: PolicyVerdict };

/** What came of asking about one call; `granted-for-run` is for all later ones of its tool in the run too. */
export type CallVerdict = "granted-for-run" | CallDecision["verdict"] | "cancelled" | ApprovalVerdict;

export interface CallReviewFacts {
  serverId: string;
  toolName: string;
  /** Counts the calls of a run, from 1. */
  number: number;
  /** SHA-256 over the tool, its definition and the input that was shown. */
  shown: Integrity;
  verdict: CallVerdict;
  /** Of a call that was `changed`: what it was made with. */
  input?: () => JsonValue;
  approvalBy?: ApprovalWay | undefined;
  approvalName?: string | undefined;
}

export interface AskedFacts {
  serverId: string;
  mode: "form" | "url";
  outcome: QuestionOutcome;
}

export interface CallFacts {
  serverId: string;
  toolName: string;
  /** Counts the calls of a run, from 1. */
  number: number;
  /** Absent where the lockfile has none: the name is the script's then. */
  server?: LockedServer | undefined;
  tool?: LockedTool | undefined;
  /** What the policy says of it. */
  verdict?: PolicyVerdict | undefined;
  /** As the script sent it, not checked; of an own tool as its check leaves it. */
  input: () => JsonValue;
  /** Of its JSON. */
  inputBytes: () => number;
}

export interface CallObservation {
  /** Goes into `_meta` of the request to the server: trace context. */
  meta?: JsonObject | undefined;
  /** Makes the request to the server, so that other reports of it (for example of HTTP) belong to this call. Returns its result. */
  within?<Answer>(send: () => Answer): Answer;
  ended?(end: CallEnd): void;
}

/**
 * `ok`, or `tool_error` where the tool said itself that it failed. `refused` by the host: the server never heard of it; `skipped` in a
 * dry run or where a person gave the result, `failed` between host and server, `cancelled` with the run.
 */
export type CallOutcomeKind = "ok" | "tool_error" | "refused" | "skipped" | "failed" | "cancelled";

export interface CallEnd {
  outcome: CallOutcomeKind;
  /** Of a refusal the class of the error; of a failure the kind of the connection's. */
  code?: string | undefined;
  /** Of JSON-RPC, where the server answered with an error. */
  rpcCode?: number | undefined;
  durationMs: number;
  /** What the server sent, its own credentials masked; undefined where it sent nothing. */
  result: () => JsonObject | undefined;
  /** Of its JSON, roughly; 0 where there is none. */
  resultBytes: () => number;
}

export interface RunEnd {
  /** Whether there is no error among the findings; of a single call, whether the tool did what it was asked. */
  ok: boolean;
  /** Codes of the errors, without repetition: those of diagnostics, or the class of the error of a single call. */
  codes: readonly string[];
  durationMs: number;
  /** How many calls were made or refused. */
  calls: number;
  /** Absent for a single call, and where the host itself failed. */
  answer?: RunAnswer | undefined;
  /** Of the result's JSON. */
  resultBytes: () => number;
  logBytes: () => number;
}

export interface TurnedAwayFacts {
  client?: string | undefined;
  code: "QUEUE_FULL" | "RATE_LIMITED" | "RUN_CANCELLED";
}

/** Where a token was asked for, and what came: none at all, or one that is not known. Nothing of it is here. */
export interface AccessRefusedFacts {
  place: "mcp" | "approvals" | "metrics";
  token: "missing" | "unknown";
  /** The address that the connection came from: of a proxy, where there is one. */
  from?: string | undefined;
  /** How many of these came together: one, unless there were many in a second. */
  count: number;
}

/** Each part is there where the host has such a thing. */
export interface HostState {
  pool?: (() => PoolState) | undefined;
  queue?: (() => QueueState) | undefined;
  store?: (() => StoreState) | undefined;
}

/** Sandbox processes: how many wait for a script, how many have one, and how many are kept waiting at least. */
export interface PoolState {
  ready: number;
  busy: number;
  starting: number;
  size: number;
}

/** What replicas of `serve` share. */
export interface StoreState {
  /** By how much the clock of this machine is ahead of the store's, in milliseconds. */
  skewMs: number;
}

/** Runs that have their turn, and that wait for it. */
export interface QueueState {
  running: number;
  waiting: number;
}

/** Version 00 of W3C Trace Context; neither id is all zeros. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Printable ASCII in the length that everybody passes on. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** The trace that a request is part of, as its `_meta` says; undefined where it says none, or no legal one. */
export function readTraceContext(meta: { [key: string]: unknown } | undefined): TraceContext | undefined {
  const { traceparent, tracestate } = meta ?? {};
  if (typeof traceparent !== "string" || !TRACEPARENT.test(traceparent)) return undefined;
  return typeof tracestate === "string" && TRACESTATE.test(tracestate) ? { traceparent, tracestate } : { traceparent };
}
