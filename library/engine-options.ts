import type { ApprovalRequest, ApprovalVerdict, CallDecision, ApprovalWay } from "../schemas/run/approval.ts";
import type { HostEvent, RunEvent, RunOrigin, SkippedCall } from "../schemas/run/events.ts";
import type { ToolCallEvent } from "../schemas/run/tool-call-event.ts";
import type { PersonsReply, ServerQuestion } from "../schemas/run/question.ts";
import type { RecordRequest } from "../engine/run/record-extra.ts";
import type { OnUnstartable } from "../runtime/host/admit-start.ts";
import type { ShowWork } from "../schemas/progress.ts";
import type { DriftPolicy, Isolation, RunLimits, TypecheckMode } from "../schemas/config/config-file.ts";
import type { JsonValue } from "../schemas/json/json.ts";
import type { LogEntry } from "../schemas/run/answer.ts";
import type { Script } from "../engine/project/script.ts";

/** What `approve` may answer with. Anything else approves nothing. */
export type ApprovalAnswer = boolean | ApprovalVerdict | CallDecision;

/** Decides what needs an approval, and learns for whom: `context` of the run, and its key. */
export type AskApproval<Context = unknown> = (
  request: ApprovalRequest & { context?: Context; run?: { key: string } },
) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** How an engine works. Everything has a default. */
export interface EngineOptions<Context = unknown> {
  /** What is done about drift; unless given what the configuration says, else `review`, and `warn` with one `script`. */
  drift?: DriftPolicy | undefined;
  /** Lock and generate nothing, and refuse drift, a missing lockfile and outdated packages. */
  frozen?: boolean | undefined;
  /** What refused drift stops: scripts that use a drifted tool (`tool`, the default), or a drifted server (`server`). */
  refuseBy?: "server" | "tool" | undefined;
  /**
   * Decides where the policy says `ask`, before a script runs, and with `askEach` about a call (`request.call`) while it runs. Without it such
   * scripts do not run, and such calls are refused.
   */
  approve?: AskApproval<Context> | undefined;
  /**
   * Puts a question that a server asks in the middle of a call to a person. All its texts are the server's, cleaned. Without it questions are
   * declined. The time of the run stands still meanwhile.
   */
  ask?: ((question: ServerQuestion, signal: AbortSignal) => Promise<PersonsReply>) | undefined;
  /**
   * Names the user of a context: long results are kept for the scripts of one user. Unless given, contexts with the same JSON are one user's, and a
   * context that JSON cannot hold is a user of its own.
   */
  userOf?: ((context: Context) => string) | undefined;
  /** A name of `serve.clients`: the engine may do what that client may. */
  client?: string | undefined;
  /** When scripts are type-checked; unless given what the configuration says. An engine for one `script` checks none. */
  typecheck?: TypecheckMode | undefined;
  /** How many runs there are at a time: so many sandboxes are kept ready. Unless given the number follows the load. */
  concurrency?: number | undefined;
  /** What each run has for itself: a process, a realm or a compartment; unless given what the configuration says. */
  isolation?: Isolation | undefined;
  /** How many further runs a sandbox process serves, for one client, with realms and compartments; unless given what the configuration says. */
  reuse?: number | undefined;
  /**
   * Called with all that happens in the engine, in the order in which it happens. One that throws hears no more of that run, which goes on; `onNote` gets a
   * line.
   */
  observers?: readonly ((event: HostEvent) => void)[] | undefined;
  /** The one script that will run, as often as it may: only what it needs is prepared, and its servers and its bundle start at once. */
  script?: Script | undefined;
  /** No script will run: neither a bundler nor a sandbox starts. */
  callsOnly?: boolean | undefined;
  /**
   * Limits of all runs, in place of those of the configuration: milliseconds (`timeoutMs`), bytes (`maxMemoryBytes`, `maxLogBytes`,
   * `maxResultBytes`) and numbers (`maxToolCalls`).
   */
  limits?: Partial<RunLimits> | undefined;
  /** What happens with a server that a user has to act on first: an error of the call (`report`, the default), a question, or an exception. */
  onUnstartable?: OnUnstartable | undefined;
  /** Names the caller in logs, traces and metrics; `library` unless given. */
  origin?: RunOrigin | undefined;
  /** How `approve` asks, for the audit log. */
  approvalBy?: ApprovalWay | undefined;
  /** Called with each line on what is locked, generated or left out. */
  onNote?: ((line: string) => void) | undefined;
  /** Called when long work begins, with what it is; it gets the progress, and is called back at the end. */
  showProgress?: ShowWork | undefined;
  /** Ends the preparation of the engine. */
  signal?: AbortSignal | undefined;
}

/** How a durable run waits, and what is called meanwhile. */
export interface DurableSettings {
  suspendAfterMs?: number;
  /**
   * The id of a run that has ended: this script goes on with it. What that run was answered is taken over, up to the first call that this script makes
   * otherwise; its input too, unless given.
   */
  from?: string;
  /**
   * The id of a run that has ended: this script takes back what it has done. Its input are the calls of that run that have succeeded, the last first, as
   * `{ call, tool, input, result }`. When it ends without an error they count as taken back.
   */
  undo?: string;
  /** Asked where the run of `from` has changed something by later calls, as SERVER/TOOL: whether this one begins all the same. It does not unless given. */
  mayLeave?: (calls: readonly string[]) => boolean | Promise<boolean>;
  /** Asked where servers of the run of `from` or `undo`, or of one that is retried, are elsewhere now, by their ids: whether it goes on there. It does not unless given. */
  mayMove?: (servers: readonly string[]) => boolean | Promise<boolean>;
  /**
   * Asked where tools of a run that goes on have changed so that its calls may mean something else, as SERVER/TOOL: whether it goes on with them. It does not
   * unless given. A change of words, or one by which a tool takes or gives more, is not asked about.
   */
  mayChange?: (tools: readonly string[]) => boolean | Promise<boolean>;
  /** How long it waits for a person while nothing else happens, in milliseconds; then it is left as it is, with `APPROVAL_REQUIRED`. As long as it takes unless given. */
  waitMs?: number;
  /** Called with the id of the run as soon as it is kept. */
  onBegun?: (runId: string, endedAt?: number) => void;
  /** Called when its sandbox is given back (true), and when it goes on (false). */
  onSuspended?: (isSuspended: boolean) => void;
}

/** Asks for a dry run. */
export interface DryRunRequest {
  /** Called for each call that a real run would make. */
  onSkipped?: (call: SkippedCall) => void;
}

/** How one script runs. */
export interface RunOptions<Context = unknown> {
  /** Any JSON, read at `globalThis.__codemode_input__`; `null` unless given. */
  input?: JsonValue | undefined;
  /**
   * The idempotency key of the run: 1 to 128 letters, digits, dots, colons, slashes, underscores and dashes. The script reads it at
   * `globalThis.__codemode_run__.key`, and servers get it with each call. Unless given the run gets one of its own.
   */
  key?: string | undefined;
  /** Lower limits for this run, in the units of the engine's `limits`. A higher one than the engine's has no effect. */
  limits?: Partial<RunLimits> | undefined;
  /** For own tools, their guards and approvals: they get it with each call of the run. */
  context?: Context | undefined;
  /** Decides about this run, in place of the engine's `approve`. */
  approve?: AskApproval<Context> | undefined;
  /** Cancels the run. */
  signal?: AbortSignal | undefined;
  /** Called for each console line as it happens. */
  onLog?: ((entry: LogEntry) => void) | undefined;
  /** Called at the start and the end of each tool call, and with the progress and the log messages that its server sends meanwhile. */
  onCall?: ((event: ToolCallEvent) => void) | undefined;
  /** Calls only tools whose servers claim that they only read. */
  dryRun?: DryRunRequest | undefined;
  /** Records the run. */
  record?: RecordRequest | undefined;
  /**
   * Keeps the run so that it survives the end of this process: each call before it is made, and each answer. While it waits for a person or a timer for
   * longer than `suspendAfterMs` (10,000 milliseconds unless given) it has no sandbox. The answer has the id of the run (`runId`). Closing the engine leaves it as it is:
   * `engine.durableRuns()` goes on with it, then or in another process.
   */
  durable?: boolean | DurableSettings | undefined;
  /** Called with all that happens in this run, in the order in which it happens. */
  onEvent?: ((event: RunEvent) => void) | undefined;
}

/** How one call of the tool that runs code is made. */
export type ToolCallOptions<Context = unknown> = Pick<
  RunOptions<Context>,
  "context" | "signal" | "key" | "limits" | "approve" | "onCall" | "onLog"
>;

/** How one tool is called without a script. */
export type CallToolOptions<Context = unknown> = Pick<RunOptions<Context>, "context" | "signal" | "approve">;

/** For whom a script is checked. */
export type CheckOptions<Context = unknown> = Pick<RunOptions<Context>, "context">;
