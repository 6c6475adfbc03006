import type { Approve } from "../../schemas/run/approval.ts";
import type { AskPerson } from "../../runtime/host/questions/ask-person.ts";
import type { ConsentWay, RunObservation, TraceContext } from "../../schemas/run/observer.ts";
import type { DryRunRequest, ToolCallEvent } from "../../schemas/run/tool-call-event.ts";
import type { Access } from "../../schemas/access/access.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { Diagnostic, LogEntry, RunAnswer, RunLimits } from "../../schemas/run/answer.ts";
import type { BundleOutcome } from "../bundle/bundle-script.ts";
import type { CallOutcome, CallRequest } from "./call-one-tool.ts";
import type { ScriptToBundle } from "./prepare-script.ts";
import type { RecordRequest } from "./record-run.ts";

/** One script to run, and how. */
export interface RunRequest extends ScriptToBundle {
  /** Asks a person, where the policy says `ask`, before anything runs. */
  approve: Approve;
  /** Puts questions of servers to a person; they are declined without it. */
  ask?: AskPerson | undefined;
  /** Asks the person who runs the host, where the caller's client may not answer. */
  askOperator?: Approve | undefined;
  limits?: Partial<RunLimits>;
  /** Read at `globalThis.__codemode_input__`. */
  input?: JsonValue;
  /** The idempotency key, see `isRunKey`; the run gets one of its own without it. Read at `globalThis.__codemode_run__.key`. */
  key?: string | undefined;
  /** Called for each console line as it happens. */
  onLog?: (entry: LogEntry) => void;
  /** Called at the start and the end of each tool call. */
  onToolCall?: (event: ToolCallEvent) => void;
  /** Waited for before each call is made. */
  beforeCall?: (() => Promise<void>) | undefined;
  signal?: AbortSignal;
  /** Records the run; called unless the script did not get to run. */
  record?: RecordRequest;
  /** Calls only those tools whose servers claim that they only read; no consent is asked for the others. */
  dryRun?: DryRunRequest;
  /** Takes the place of `limits.maxResultBytes`, where the answer need not hold the whole result. */
  result?: ResultReader;
  /** What `listScripts` of discovery answers; nothing unless given. */
  listScripts?: () => Promise<JsonValue[]>;
  /** The name under which the configuration has the script, for those who observe runs; so are the next three. */
  savedAs?: string;
  consentBy?: ConsentWay;
  trace?: TraceContext;
  observation?: RunObservation;
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
  /** What is accepted now; it changes where the policy lets the lockfile follow the servers. */
  lockfile(): Lockfile;
  /** Takes in what was learned of results and is in the lockfile on disk. */
  refresh(): Promise<void>;
  /** The tools that a caller may currently call, or ask for; the same value until something changes. */
  visibleLockfile(access: Access): Lockfile;
  /** Begins to connect servers that will be used soon, and waits for none. The function says which have failed by then. */
  connectSoon(serverIds: readonly string[], access: Access): () => readonly Diagnostic[];
  /** Looks at servers now, and makes the lockfile follow them where the policy for drift does. Says what was found. */
  follow(serverIds: readonly string[]): Promise<Diagnostic[]>;
  /** Ends all servers. */
  close(): Promise<void>;
}
