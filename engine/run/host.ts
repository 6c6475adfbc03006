import type { AdmitStart, OnUnstartable } from "../../runtime/host/admit-start.ts";
import type { ToolOutcome } from "../../runtime/host/call/make-call.ts";
import type { Refusal } from "../../runtime/host/lock/drift-verdict.ts";
import type { LiveLock } from "../../runtime/host/lock/live-lock.ts";
import type { PendingReview } from "../../runtime/host/pending-review.ts";
import type { CallHost, Requester, Run } from "../../runtime/host/run.ts";
import type { VisibleLockfiles } from "../../runtime/host/visible-lockfiles.ts";
import type { ConnectionSet } from "../../runtime/mcp/connection-set.ts";
import type { SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import type { SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { Audience } from "../../schemas/audience.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { DriftPolicy, RunLimits } from "../../schemas/config/config-file.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ToolCall } from "../../schemas/lock/tools.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import type { Approve } from "../../schemas/run/approval.ts";
import type { Bundle, Manifest } from "../../schemas/run/bundle.ts";
import type { HostEvents, OnServerEvent, RunOrigin } from "../../schemas/run/events.ts";
import type { BundleOutcome } from "../bundle/bundle-script.ts";
import type { Bundler } from "../bundle/process/bundler.ts";
import type { AuditGate } from "./audit-gate.ts";
import type { ScriptPreparation, ScriptToBundle } from "./prepare-script.ts";
import type { RecordRequest } from "./record-extra.ts";

/** One script to run, and how. */
export interface RunRequest extends ScriptToBundle, Requester {
  access: Access;
  approve: Approve;
  signal?: AbortSignal | undefined;
  /** Called before a person is asked about the script, with what would run. */
  beforeApproval?: ((bundle: Bundle, run: { lockfile: Lockfile; limits: RunLimits; key: string }) => void) | undefined;
  limits?: Partial<RunLimits> | undefined;
  /** Read at `globalThis.__codemode_input__`. */
  input?: JsonValue | undefined;
  /** The idempotency key, see `isRunKey`; the run gets one of its own without it. Read at `globalThis.__codemode_run__.key`. */
  key?: string | undefined;
  /** Records the run; called unless the script did not get to run. */
  record?: RecordRequest | undefined;
  /** Takes the place of `runBundle`. */
  execute?: Execute | undefined;
  /** Calls only those tools whose servers claim that they only read; no approval is asked for the others. */
  isDryRun?: boolean | undefined;
  /** Takes the place of `limits.maxResultBytes`, where the answer need not hold the whole result. */
  result?: ResultReader | undefined;
  /** What `listScripts` of discovery answers; nothing unless given. */
  listScripts?: (() => Promise<JsonValue[]>) | undefined;
  /** The name under which the configuration has the script, for the events. */
  savedAs?: string | undefined;
}

/** Runs the bundle of an admitted run. */
export type Execute = (bundle: Bundle, sandbox: SandboxRun, of: { host: CallHost; run: Run }) => Promise<RunAnswer>;

/** What becomes of a result that may be longer than the answer can hold. */
export interface ResultReader {
  /** Of its JSON text; what is longer is cut. */
  maxBytes: number;
  /** What the answer has for the JSON text of a result; undefined where it is none. */
  read(json: string): JsonValue | undefined;
}

/** The whole MCP result or a refusal of a call without a script, and what was found on the way, drift for instance. */
export type CallOutcome = ToolOutcome & { diagnostics: Diagnostic[] };

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
  callTool(request: ToolCall & Requester): Promise<CallOutcome>;
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
  /** Undefined where no one listens. */
  events?: HostEvents | undefined;
  /** Names the caller in events. */
  origin?: RunOrigin | undefined;
  /** Present where every run must be written down. */
  gate?: AuditGate | undefined;
  /** What is done around the run of each script, the outermost first: types are checked, results are looked at. */
  around?: readonly AroundScript[] | undefined;
}

/** Does something around the run of a script. */
export type AroundScript = (request: RunRequest, run: Host["run"]) => Promise<RunAnswer>;

/** What the runs of a host share, until it is closed. */
export interface RunHost extends CallHost {
  readonly mostLimits: RunLimits;
  readonly pool: SandboxPool;
  readonly lock: LiveLock;
  readonly pending: PendingReview;
  readonly preparation: ScriptPreparation;
  /** Says why servers must not be started. */
  readonly admitStart: AdmitStart;
  /** What an access shows of a lockfile. */
  readonly visible: VisibleLockfiles;
  /** What may be imported or called now. */
  importable(access: Access): Lockfile;
  /** When drift stops a run with that manifest. */
  refusalOf(manifest: Manifest): Refusal;
  /** What has changed of the tools of a manifest while a person was asked. */
  findNewDrift(manifest: Manifest, access: Access): Promise<Diagnostic[]>;
  /** Makes what takes the credentials of the configuration out of a text that a person is shown. */
  makeMask(): (text: string) => string;
}
