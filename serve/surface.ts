import type { AskPerson, RunCaller } from "../engine/open-host.ts";
import type { Approve } from "../schemas/run/approval.ts";
import type { ApprovalWay } from "../schemas/run/approval.ts";
import type { Emit, RequestEvent, RunEvent } from "../schemas/run/events.ts";
import type { TraceContext } from "../schemas/run/trace-context.ts";
import type { RunAnswer } from "../schemas/run/answer.ts";
import type { RunLimits } from "../schemas/config/config-file.ts";
import type { JsonObject, JsonValue } from "../schemas/json/json.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { SavedScript } from "../schemas/run/saved-script.ts";
import type { ClientTraits } from "./client-traits.ts";

/** The MCP tools that an agent sees, and what they do. One for each view, which is what one client may see. */
export interface Surface {
  /** As `tools/list` shows them to such a client, always in the same order. */
  listTools(client?: ClientTraits): Promise<JsonObject[]>;
  /** Undefined where the surface has no such tool, or where it turns out that this client has not. */
  callTool(
    name: string,
    input: JsonValue | undefined,
    call: SurfaceCall,
  ): Promise<ToolCallResult | undefined> | undefined;
  /** What a tool of that name runs: code that it is sent, or one saved script. Undefined where its answer is no run's. */
  runKind(name: string): "code" | "script" | undefined;
}

/** A result of `tools/call`. */
export interface ToolCallResult {
  content: JsonObject[];
  structuredContent?: JsonObject | undefined;
  isError?: boolean | undefined;
  _meta?: JsonObject | undefined;
}

/** The answer of a run as an agent gets it. */
export interface ServedAnswer extends RunAnswer {
  /** Images and sounds that were in the result, as content blocks of MCP, in the order of their placeholders. */
  media?: readonly JsonObject[] | undefined;
  /** What its sandbox does not guarantee, for `_meta`. */
  sandbox?: JsonObject | undefined;
}

/** Context of the current request, for everything that it starts. */
export interface SurfaceCall {
  signal: AbortSignal;
  /** Absent where a program calls without MCP. */
  client?: ClientTraits | undefined;
  /** Receives what happens in the run. */
  emit?: Emit<RunEvent> | undefined;
  /** As in `RunRequest`. */
  wantsProgress?: boolean | undefined;
  /** Asks a person; `unavailable` where the client cannot. */
  approve: Approve;
  /** Puts questions of servers to a person; they are declined without it. */
  ask?: AskPerson | undefined;
  /** Puts them to the person who runs codemode, where the client may not answer. */
  askOutside?: AskPerson | undefined;
  /** Asks the person who runs codemode, where the client may not answer (`mayApprove` of its access). */
  askOperator?: Approve | undefined;
  /** Who it is for, where the program that serves has tools of its own. */
  caller?: RunCaller | undefined;
  /** Limits of a program that calls for a model, below the limits of the request. */
  limits?: Partial<RunLimits> | undefined;
  /** How approval is had; in a form of the client unless given. */
  approvalBy?: ApprovalWay | undefined;
  /** The trace that the client's request is part of. */
  trace?: TraceContext | undefined;
  /** Receives what happens with the request. */
  emitRequest?: Emit<RequestEvent> | undefined;
  /** Whether images and sounds go beside the answer; to clients of MCP unless given. */
  takesMedia?: boolean | undefined;
  /** The id of the client's session, where its revision of the protocol has sessions with ids. */
  session?: string | undefined;
  /** The id by which the run is asked for later, where it outlives its request. */
  runId?: (() => string) | undefined;
  /** As in `RunInside`. */
  entersLate?: ((enter: () => Promise<void>) => void) | undefined;
  /** Waited for when a durable run gives its sandbox back, and before it goes on. */
  onSuspended?: ((isSuspended: boolean) => Promise<void>) | undefined;
  /** The idempotency key that the `_meta` of the request gives the run. */
  key?: string | undefined;
}

/** What surfaces are made from: a project as one client may see it. */
export interface ServedView {
  /** What the client may see now; a new value whenever anything in it has changed. */
  lockfile(): Lockfile;
  /** Takes in what was learned of results meanwhile. */
  refresh(): Promise<void>;
  limits: RunLimits;
  /** The scripts of the configuration that the client may run now. */
  savedScripts(): Promise<readonly SavedScript[]>;
  /** Whether a run of that name is more to the client than one of a script that does not exist. */
  hasScript(name: string): Promise<boolean>;
  /** Runs a script as the client. */
  run(request: ScriptRequest, call: SurfaceCall): Promise<ServedAnswer>;
  /** Calls one tool as the client, with every check that a script's call gets. */
  callTool(serverId: string, toolName: string, input: JsonValue, call: SurfaceCall): Promise<ToolCallResult>;
}

/** What an agent wants to be run: code that it sends, or a saved script. */
export type ScriptRequest = (SentCode | SavedScriptCall) & {
  /** Read at `globalThis.__codemode_input__`; `null` unless given. */
  input?: JsonValue | undefined;
  /** The idempotency key that the client gives the run. */
  key?: string | undefined;
  limits: Partial<RunLimits>;
  requestedCapabilities: readonly string[];
};

export interface SentCode {
  code: string;
}

export interface SavedScriptCall {
  /** Its name. */
  script: string;
}
