import type { LogEntry, RunAnswer, ToolTraceEntry } from "./answer.ts";
import type { RunLimits } from "../config/config-file.ts";
import type { Bundle, ManifestTool } from "./bundle.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";
import type { LockedServer, LockedTool, Lockfile } from "../lock/lockfile.ts";
import type { PolicyVerdict } from "../access/policy.ts";
import type { Integrity } from "../lock/integrity.ts";
import type { ToolCall } from "../lock/tools.ts";
import type { ApprovalWay, ApprovalVerdict, CallDecision } from "./approval.ts";
import type { QuestionOutcome } from "./question.ts";
import type { TraceContext } from "./trace-context.ts";

/**
 * What happens in a host, in the order in which it happens: the one stream that logs, the audit log, traces, metrics and progress are made from. Events
 * of a run name it by one object, `run`, and events of a request by `request`. What is expensive is a function, and computed where a listener calls it.
 */
export type HostEvent =
  | (RunEvent & { run: RunFacts })
  | (RequestEvent & { request: RequestFacts })
  /** A client of a revision that has sessions has opened one. */
  | { type: "session-started"; session: SessionFacts }
  /** The session is over. */
  | { type: "session-ended"; session: SessionFacts; durationMs: number }
  /** A client was refused; the host has no such run. */
  | { type: "run-turned-away"; client?: string | undefined; code: TurnedAwayCode }
  /** A request over HTTP came without a token that is known here. */
  | ({ type: "access-refused" } & AccessRefusedFacts)
  /** A server has connected, ended or logged something, cannot be reached, or differs from the lockfile: `kind` says which. */
  | ({ type: "server-changed" } & ServerEvent)
  /** What can be read at any time from now on; offered in parts, as they come to be. */
  | { type: "state-offered"; state: HostState };

/** What happens in one run, or in one call of a tool without a script. `run-started` is the first event, and `run-ended` always comes. */
export type RunEvent =
  /** A script is about to be bundled and run, or one tool to be called without a script. */
  | { type: "run-started" }
  /** The script could be bundled. Not of a single call. */
  | {
      type: "bundled";
      bundle: Bundle;
      /** What it was bundled with: of a client what it may see. */
      lockfile: Lockfile;
      /** All that is accepted, as the file has it. */
      accepted: Lockfile;
    }
  /** Lockfile, policy and perhaps a person have decided about all that it may call. */
  | ({
      type: "reviewed";
      verdict: ReviewVerdict;
      /** All that may be called, each with what the policy says of it. */
      tools: () => readonly ReviewedTool[];
    } & ApprovedBy)
  /** A sandbox is there and gets the script: from here on its logs count their time. */
  | { type: "script-started" }
  /** A line of the console. */
  | ({ type: "log"; entry: Readonly<LogEntry> } & Replayable)
  /** A dry run does not make a call. */
  | { type: "call-skipped"; call: SkippedCall }
  /** The script makes a call. What it asks about the tools that there are is no call. */
  | ({ type: "call-started" } & CallPlace & Replayable)
  /** The host has checked a call: it is made if nothing refuses it. */
  | ({ type: "call-checked" } & CheckedCall)
  /** A person has decided about one call, for whose tool the policy says `askEach`, or could not be asked. */
  | ({
      type: "call-reviewed";
      /** SHA-256 over the tool, its definition and the input that was shown. */
      shown: Integrity;
      verdict: CallVerdict;
      /** Of a call that was `changed`: what it was made with. */
      input?: (() => JsonValue) | undefined;
    } & CallPlace &
      ApprovedBy)
  /** The server of a call says something meanwhile. */
  | ({ type: "call-progress"; sign: CallSign } & CallPlace)
  /** The host knows what came of a call that was checked; where the run was over by then, after `run-ended`. */
  | ({ type: "call-settled" } & CheckedCall & CallEnd)
  /** The script has the answer of a call, or the run is over before. */
  | { type: "call-ended"; number: number; entry: Readonly<ToolTraceEntry>; isReplayed?: true }
  /** A server has asked a person something in the middle of a call, and this came of it. */
  | { type: "question-ended"; serverId: string; mode: "form" | "url"; outcome: QuestionOutcome }
  /** The script has come to its end, or to a limit; what was found out meanwhile may still be waited for. */
  | {
      type: "script-ended";
      /** The limits that ended the run, or cut its log or result. */
      limits: readonly (keyof RunLimits)[];
    }
  /** There is an answer, or the host itself has failed. */
  | ({ type: "run-ended" } & RunEnd);

/** What happens with a request of the method `tools/call`. Its runs are reported separately. */
export type RequestEvent =
  /** It has arrived. */
  | { type: "request-started" }
  /** It is about to run; before that it has waited for its turn. */
  | { type: "request-admitted" }
  /** The run that came of it has an error, or there was none: the code of the first error. */
  | { type: "request-failed"; code: string }
  /** There is a tool of that name. */
  | { type: "request-named"; toolName: string }
  /** It is answered. */
  | {
      type: "request-ended";
      /** The last of `request-named`. */
      toolName?: string | undefined;
      /** The last of `request-failed`, since it was admitted. */
      code?: string | undefined;
      /** The result says that the tool failed. A failed run is no failed tool. */
      isError: boolean;
      /** Of JSON-RPC, where there is no result. */
      rpcCode?: number | undefined;
      durationMs: number;
    };

/** Tells all listeners of an event. */
export type Emit<Event> = (event: Event) => void;

/** The one of these events that has this type. */
export type EventOf<Type extends HostEvent["type"]> = Extract<HostEvent, { type: Type }>;

/** Which call of a run: `number` counts them from 1. */
interface CallPlace {
  serverId: string;
  toolName: string;
  number: number;
}

/** A call, and what the host knows of it. */
interface CheckedCall extends CallPlace {
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

/** Of a durable run that goes on: it has happened in an earlier attempt already. The run's own listener does not get it again. */
interface Replayable {
  isReplayed?: true;
}

/** Present where a person was asked. */
interface ApprovedBy {
  approvalBy?: ApprovalWay | undefined;
  approvalName?: string | undefined;
}

/** A call of a dry run: admitted, and not made. */
export interface SkippedCall extends ToolCall {
  /** Counts the skipped calls of a run, from 1. */
  number: number;
  /** A person would be asked about this call. */
  asks?: true;
}

/** What a server says while it works on a call, on one line: its own words. A log message may belong to another call of the same person. */
export type CallSign =
  /** Increases with each report of a call. */
  | { kind: "progress"; progress: number; total?: number; message?: string }
  | { kind: "log"; level: ServerLogLevel; text: string };

/** Those of MCP. */
export type ServerLogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

export type OnCallSign = (sign: CallSign) => void;

/**
 * What was done about a difference: `refreshed`: the lockfile has followed it; `pending`: it waits for a person; `accepted`: a person has
 * accepted these tools; `warned`: it was named; `refused`: a run was stopped.
 */
export type DriftHandling = "refreshed" | "pending" | "accepted" | "warned" | "refused";

/** What happens to servers. Codes are our own words; names of tools are the servers'. */
export type ServerEvent = ServerChangeEvent & {
  /** The client that the server runs for alone; absent where it is shared. */
  client?: string | undefined;
};

type ServerChangeEvent =
  | {
      kind: "connected";
      serverId: string;
      transport: "stdio" | "http" | "sse" | "program";
      durationMs: number;
      /** How often it was connected before by this host: more than 0 is a restart. */
      restarts: number;
    }
  /**
   * It could not be started or reached. The code is a `ConnectionErrorKind`, or the code of a `CodemodeError`; the reason is for the operator: one masked line, which may
   * have the last words of its program, and paths of this machine.
   */
  | { kind: "unreachable"; serverId: string; code: string; reason: string; durationMs: number }
  /** It has ended by itself, after so long. */
  | { kind: "disconnected"; serverId: string; code: string; afterMs: number }
  /** It has sent a log message: its own words, on one line and of bounded length. */
  | { kind: "logged"; serverId: string; level: ServerLogLevel; text: string }
  /** It differs from the lockfile: reported once per difference. */
  | {
      kind: "drifted";
      serverId: string;
      handling: DriftHandling;
      toolsAdded: readonly string[];
      toolsRemoved: readonly string[];
      toolsChanged: readonly string[];
    };

export type OnServerEvent = (event: ServerEvent) => void;

/** The listeners of a host; absent where there are none, and nothing is traced. */
export interface HostEvents {
  /** For what belongs to no run and no request. */
  emit: Emit<HostEvent>;
  /** For one run or one request: a listener that fails hears no more of it. Undefined where no one listens: then no event is made. */
  open(): Emit<HostEvent> | undefined;
  tracing?: Tracing | undefined;
}

/** Takes part in what the events only tell of: the trace contexts of requests. */
export interface Tracing {
  /** Takes the place of the request's own trace in all that comes of it. Called after `request-started`. */
  traceOf(request: RequestFacts): TraceContext | undefined;
  /** Called after `call-checked`, for the request to the server. */
  enter(run: RunFacts, number: number): CallTracing | undefined;
}

export interface CallTracing {
  /** Goes into `_meta` of the request: trace context. */
  meta?: JsonObject | undefined;
  /** Makes the request, so that other reports of it (for example of HTTP) belong to this call. Returns its result. */
  within<Answer>(send: () => Answer): Answer;
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
  /** By `performance.now()`. */
  arrivedAt: number;
  sessionId?: string | undefined;
  /** Of the request itself; where that names none, of its HTTP request. */
  trace?: TraceContext | undefined;
  /** Of the HTTP request that it came with. */
  httpTrace?: TraceContext | undefined;
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

/** `denied` by the policy; otherwise what came of asking a person, and `moved` where servers changed meanwhile. */
export type ReviewVerdict = "allowed" | "denied" | "cancelled" | "moved" | ApprovalVerdict;

export type ReviewedTool = Pick<ManifestTool, "serverId" | "toolName" | "integrity"> & { verdict: PolicyVerdict };

/** What came of asking about one call; `granted-for-run` is for all later ones of its tool in the run too. */
export type CallVerdict = "granted-for-run" | CallDecision["verdict"] | "cancelled" | ApprovalVerdict;

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

export type TurnedAwayCode = "QUEUE_FULL" | "RATE_LIMITED" | "RUN_CANCELLED";

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
