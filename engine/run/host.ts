import type { OnUnstartable } from "../../runtime/host/admit-start.ts";
import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import type { SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { DriftPolicy, RunLimits } from "../../schemas/config/config-file.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { Bundler } from "../bundle/process/bundler.ts";
import type { Approve } from "../../schemas/run/approval.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { AskPerson } from "../../runtime/host/questions/run-questions.ts";
import type { RunCaller } from "@codemode/runtime/connections/server-connection";
import type { ApprovalWay } from "../../schemas/run/approval.ts";
import type { Emit, OnServerEvent, RunEvent } from "../../schemas/run/events.ts";
import type { TraceContext } from "../../schemas/run/trace-context.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ToolCall } from "../../schemas/lock/tools.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import type { BundleOutcome } from "../bundle/bundle-script.ts";
import type { CallOutcome, CallRequest } from "../../runtime/host/call-one-tool.ts";
import type { ScriptToBundle } from "./prepare-script.ts";
import type { BeforeCall, EnterCall } from "../../runtime/host/make-tool-caller.ts";
import type { ConductRun, RecordRequest } from "./record-extra.ts";

/** As `Approve`; the signal is aborted where the question was answered in another way, so that it need not be shown any longer. */
export type ApproveInRun = (...asked: [...Parameters<Approve>, answered?: AbortSignal]) => ReturnType<Approve>;

/** One script to run, and how. */
export interface RunRequest extends ScriptToBundle {
  /** Asks a person, where the policy says `ask`, before anything runs. */
  approve: Approve;
  /** Called before a person is asked about the script, with what would run. */
  beforeApproval?: ((bundle: Bundle, run: { lockfile: Lockfile; limits: RunLimits; key: string }) => void) | undefined;
  /** Asks a person while the script runs: about a call, or a server that has changed meanwhile; `approve` unless given. */
  approveInRun?: ApproveInRun | undefined;
  /** Takes the place of the memory of which calls a person has allowed with an earlier one (`granted` for the rest of the run). */
  isGranted?: ((call: ToolCall & { number: number }) => boolean) | undefined;
  /** As in `CallApprovalOptions`. */
  answered?: ((number: number) => readonly string[] | undefined) | undefined;
  /** Puts questions of servers to a person; they are declined without it. */
  ask?: AskPerson | undefined;
  /** Puts them to the person who runs the host, where the caller's client may not answer. */
  askOutside?: AskPerson | undefined;
  /** Asks the person who runs the host, where the caller's client may not answer. */
  askOperator?: Approve | undefined;
  /** The same while the script runs, about a call. */
  askOperatorInRun?: ApproveInRun | undefined;
  /** Who it is for, for the program's own tools. */
  caller?: RunCaller | undefined;
  limits?: Partial<RunLimits> | undefined;
  /** Read at `globalThis.__codemode_input__`. */
  input?: JsonValue | undefined;
  /** The idempotency key, see `isRunKey`; the run gets one of its own without it. Read at `globalThis.__codemode_run__.key`. */
  key?: string | undefined;
  /** Receives what happens in this run; of a durable run that goes on, what is new. */
  emit?: Emit<RunEvent> | undefined;
  /** Whether servers are asked for reports on their calls. */
  wantsProgress?: boolean | undefined;
  /** As in `ToolCallerOptions`. */
  enterCall?: EnterCall | undefined;
  /** As in `ToolCallerOptions`. */
  beforeCall?: BeforeCall | undefined;
  signal?: AbortSignal | undefined;
  /** Records the run; called unless the script did not get to run. */
  record?: RecordRequest | undefined;
  /** Takes the place of `runBundle`. */
  conduct?: ConductRun | undefined;
  /** Calls only those tools whose servers claim that they only read; no approval is asked for the others. */
  isDryRun?: boolean | undefined;
  /** Takes the place of `limits.maxResultBytes`, where the answer need not hold the whole result. */
  result?: ResultReader | undefined;
  /** What `listScripts` of discovery answers; nothing unless given. */
  listScripts?: (() => Promise<JsonValue[]>) | undefined;
  /** The name under which the configuration has the script, for the events, like the next two. */
  savedAs?: string | undefined;
  approvalBy?: ApprovalWay | undefined;
  /** The id by which its caller knows the run; one is made without it. For the events too. */
  runId?: (() => string) | undefined;
  trace?: TraceContext | undefined;
}

/** What becomes of a result that may be longer than the answer can hold. */
export interface ResultReader {
  /** Of its JSON text; what is longer is cut. */
  maxBytes: number;
  /** What the answer has for the JSON text of a result; undefined where it is none. */
  read(json: string): JsonValue | undefined;
}

/** Holds the connections and credentials of a project, starts sandboxes and checks each call. */
export interface Host {
  /**
   * Bundles and runs one script in a fresh sandbox. It resolves to an answer for every script. It rejects with a `CodemodeError`
   * where a server of the script cannot be started and `onUnstartable` says `throw`.
   */
  run(request: RunRequest): Promise<RunAnswer>;
  /** Bundles a script as a run of it would, and runs nothing. */
  bundle(request: ScriptToBundle): Promise<BundleOutcome>;
  /** Calls one tool without a script, with the same checks. It rejects only where `run` does. */
  callTool(request: CallRequest): Promise<CallOutcome>;
  /** What scripts can use now; it changes as servers do, where the policy for drift follows them. */
  lockfile(): Lockfile;
  /** Takes in what is in the lockfile on disk. */
  refresh(): Promise<void>;
  /** The tools that a caller may currently call, or ask for; the same value until something changes. */
  visibleLockfile(access: Access): Lockfile;
  /** Begins to connect servers that will be used soon, and waits for none. The function says which have failed by then. */
  connectSoon(serverIds: readonly string[], access: Access): () => readonly Diagnostic[];
  /** Looks at servers now, and makes the lockfile follow them where the policy for drift does. */
  follow(serverIds: readonly string[]): Promise<void>;
  /** Ends all servers. */
  close(): Promise<void>;
}

/** What a host is made from. Pool and bundler are the caller's, who starts them early and ends them. */
export interface HostOptions {
  config: Config;
  lockfile: Lockfile;
  /** Where servers start before the host is there; otherwise it makes its own. It ends them either way. */
  connections?: ConnectionSet | undefined;
  /** Receives events of servers; with `connections` of the caller only drift. */
  onServerEvent?: OnServerEvent | undefined;
  pool: SandboxPool;
  bundler: Pick<Bundler, "bundle">;
  drift: DriftPolicy;
  /** For whom the hints of answers are; a person unless given. */
  audience?: Audience | undefined;
  /** With `refuse`: a drifted tool stops the scripts that use it, or a drifted server all scripts that use that. */
  refuseBy: "server" | "tool";
  /** What is in the lockfile on disk where that has changed; without it the host takes no notice of changes. */
  readChanged?: (() => Promise<Lockfile | undefined>) | undefined;
  /** Servers that had no lock entry before: the first answer that has to do with one says so. */
  lockedFirst?: readonly string[] | undefined;
  isFrozenSession?: boolean | undefined;
  /** `report` unless given. */
  onUnstartable?: OnUnstartable | undefined;
  /** What is done around its runs and calls, the outermost first. */
  layers?: readonly (RunLayer | undefined)[] | undefined;
}

/** Does something around each run and call of a host. */
export interface RunLayer {
  run?(run: Host["run"]): Host["run"];
  callTool?(callTool: Host["callTool"]): Host["callTool"];
}
