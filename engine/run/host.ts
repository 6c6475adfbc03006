import type { ToolOutcome } from "../../runtime/host/call/make-call.ts";
import type { CallHost, Requester, Run } from "../../runtime/host/run.ts";
import type { SandboxRun } from "../../runtime/sandbox/pool/run-bundle.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { RunLimits } from "../../schemas/config/config-file.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ToolCall } from "../../schemas/lock/tools.ts";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import type { Approve } from "../../schemas/run/approval.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import type { BundleOutcome } from "../bundle/bundle-script.ts";
import type { ScriptToBundle } from "./prepared-script.ts";
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

/** Does something around the run of a script. */
export type AroundScript = (request: RunRequest, run: Host["run"]) => Promise<RunAnswer>;
/** A run of a script that has been admitted. */
export interface AdmittedRun extends Run {
  readonly request: RunRequest;
  readonly key: string;
  readonly limits: RunLimits;
  readonly bundle: Bundle;
}
