import type { CallTracing, Emit, RunEvent } from "../../schemas/run/events.ts";
import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import type { ServerConnection } from "@codemode/runtime/connections/connect-server";
import type { Access } from "../../schemas/access/access.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { LockedServer, LockedTool, Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { ApprovalWay, Approve, ToolToApprove } from "../../schemas/run/approval.ts";
import type { Manifest } from "../../schemas/run/bundle.ts";
import type { CallView } from "../../schemas/run/describe-call.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import type { TraceContext } from "../../schemas/run/trace-context.ts";
import type { InputCheck } from "./checks/input-check.ts";
import type { OutputCheck } from "./checks/output-check.ts";
import type { OwnInputCheck } from "./checks/own-input.ts";

/** Puts a question to a person. The signal is aborted when the answer is no longer wanted. */
export type AskPerson = (question: ServerQuestion, signal: AbortSignal) => Promise<PersonsReply>;

/** Who asks for a run, how people are reached, and what hears of it. */
export interface Requester {
  access: Access;
  /** Asks a person, where the policy says so: before anything runs, and in the run about a call, or a server that has changed meanwhile. */
  approve: Approve;
  /** Asks the person who runs the host, where the caller's client may not answer. */
  askOperator?: Approve | undefined;
  /** Puts questions of servers to a person; they are declined without it. */
  ask?: AskPerson | undefined;
  /** Puts them to the person who runs the host, where the caller's client may not answer. */
  askOutside?: AskPerson | undefined;
  /** For the events: how `approve` gets its answers. */
  approvalBy?: ApprovalWay | undefined;
  /** Who it is for, for the program's own tools. */
  caller?: RunCaller | undefined;
  /** Receives what happens in this run; of a durable run that goes on, what is new. */
  emit?: Emit<RunEvent> | undefined;
  /** Whether servers are asked for reports on their calls. */
  wantsProgress?: boolean | undefined;
  /** Takes part in the request of the call with that number. */
  enterCall?: ((number: number) => CallTracing | undefined) | undefined;
  /** When it is aborted, no call is made any more. */
  signal?: AbortSignal | undefined;
  /** The id by which its caller knows the run; one is made without it. For the events too, like the next. */
  runId?: (() => string) | undefined;
  trace?: TraceContext | undefined;
}

/** A run that was admitted, of a script or of one call. Nothing of it changes any more but what is found. */
export interface Run {
  readonly request: Requester;
  /** What exists for the requester: the lockfile that the run is bound to. */
  readonly lockfile: Lockfile;
  /** Its servers that were listed when it was bound, as they were: their differences are in the answer already. */
  readonly seen: ReadonlyMap<string, LockedServer>;
  readonly manifest: Manifest;
  /** The tools of the manifest that a person has approved for this run. */
  readonly granted: readonly ToolToApprove[];
  /** Of a script: its idempotency key, which goes into `_meta` of its calls. */
  readonly key?: string | undefined;
  /** Of a script: how long one of its calls may take that makes progress all the time, in milliseconds. */
  readonly maxCallMs?: number | undefined;
  /** Stops the time of the run until the returned function is called. */
  readonly hold: () => () => void;
  /** Receives what is found while it runs, for its answer. */
  readonly report: (finding: Diagnostic) => void;
  /** Receives `SERVER/TOOL` of each call that is sent and may not be sent a second time. */
  readonly unrepeatable: Set<string>;
}

/** What a host has for the calls of all its runs, until it is closed. */
export interface CallHost {
  /** For whom the hints of answers are. */
  readonly audience: Audience;
  readonly checkInput: InputCheck;
  readonly checkOutput: OutputCheck;
  readonly checkOwnInput?: OwnInputCheck | undefined;
  /** What the lines about a call of a tool need beside it. */
  readonly viewOf?: ((tool: LockedTool) => CallView) | undefined;
  /** Makes what the calls of one run go through on their way to a server. */
  guard(run: Run): CallGuard;
}

/** Gives the connection for the next call of a server. It connects on first use, and rejects with a `ConnectionError` or a `DriftRefusal`. */
export type CallGuard = (serverId: string) => GuardedConnection | Promise<GuardedConnection>;

export type GuardedConnection = Pick<ServerConnection, "callTool">;
