import type { ApprovalRequest, ApprovalVerdict, CallDecision } from "../schemas/run/approval.ts";
import type { ConsentWay } from "../schemas/run/approval.ts";
import type { Observer, RunObservation, RunOrigin } from "../schemas/run/observer.ts";
import type { DryRunRequest, ToolCallEvent } from "../schemas/run/tool-call-event.ts";
import type { PersonsReply, ServerQuestion } from "../schemas/run/question.ts";
import type { DurableRunList } from "../schemas/run/durable-run.ts";
import type { RecordRequest } from "../engine/run/record-extra.ts";
import type { OnUnstartable } from "../runtime/host/admit-start.ts";
import type { ShowWork } from "../schemas/progress.ts";
import type { DriftPolicy, TypecheckMode } from "../schemas/config/config.ts";
import type { Isolation } from "../schemas/config/sandbox-settings.ts";
import type { JsonObject, JsonValue } from "../schemas/json/json.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { Diagnostic, LogEntry, RunAnswer, RunLimits } from "../schemas/run/answer.ts";
import type { ToolInputSchema } from "../serve/describe-tool.ts";
import type { Script } from "../engine/project/script.ts";

/** Decides what needs an approval, and learns for whom: `context` of the run, and its key. */
export type AskApproval<Context = unknown> = (
  request: ApprovalRequest & { context?: Context; run?: { key: string } },
) => Promise<boolean | ApprovalVerdict | CallDecision>;

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
  /** Receive what happens, beside the observers that the configuration names (audit, telemetry). */
  observers?: readonly Observer[] | undefined;
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
  consentBy?: ConsentWay | undefined;
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
  /** Receives what happens in this run. */
  observation?: RunObservation | undefined;
}

/** How one call of the tool that runs code is made. */
export type ToolCallOptions<Context = unknown> = Pick<
  RunOptions<Context>,
  "context" | "signal" | "key" | "limits" | "approve" | "onCall" | "onLog"
>;

/** How one tool is called without a script. */
export type CallToolOptions<Context = unknown> = Pick<RunOptions<Context>, "context" | "signal" | "approve">;

/** How an engine is served on a transport. */
export interface ConnectOptions<Context = unknown> {
  /** What own tools and guards get as the context of a request, of what its transport knows: the login, the HTTP request, the session. */
  context?: ((request: ServedRequest) => Context | Promise<Context>) | undefined;
}

/** What a transport of the MCP SDK knows of the request that a message came with. */
export interface ServedRequest {
  // oxlint-disable-next-line typescript/no-explicit-any -- of the SDK that the program uses
  authInfo?: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- the same
  requestInfo?: any;
  sessionId?: string;
}

/** What an agent gets: with more tools than a description can show, `search` finds them. */
export interface DescribedTools<Context = unknown> {
  code: FrameworkTool<Context>;
  search?: {
    name: string;
    description: string;
    inputSchema: object;
    execute(args: unknown): Promise<string>;
  };
}

/** A Standard Schema that gives its JSON Schema (`https://standardschema.dev`), in the form that frameworks take. */
export interface StandardJsonSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    // oxlint-disable-next-line typescript/no-explicit-any -- each framework compares it with what its own tools take
    readonly types?: { readonly input: any; readonly output: any } | undefined;
    // oxlint-disable-next-line typescript/no-explicit-any -- the same
    validate(value: unknown): { value: any };
    readonly jsonSchema: { input(): { [keyword: string]: unknown }; output(): { [keyword: string]: unknown } };
  };
}

/** A tool for an agent framework: what it lists, and the function that it calls. */
export interface DescribedTool<Context = unknown> {
  /** Letters, digits and underscores: every model API accepts it. */
  name: string;
  /** For the model: how to write a script, and what it can import. */
  description: string;
  /** JSON Schema of `args`. */
  inputSchema: ToolInputSchema;
  /** JSON Schema of what `call` resolves to. */
  outputSchema: JsonObject;
  /**
   * Runs the code of `args`. It resolves to an answer for every script; what is wrong with `args` is a diagnostic. As over MCP, a model pays little
   * for it: `toolTrace` is summed up (`serve.trace`), and of a long result it has the beginning, while the next script can import all of it.
   * @throws CodemodeError where the engine is closed (`ENGINE_CLOSED`)
   * @example
   * const answer = await engine.describeTool().call({ code: "export default 6 * 7;" }, { signal: AbortSignal.timeout(10_000) });
   * console.log(answer.result);
   */
  call(args: unknown, options?: ToolCallOptions<Context>): Promise<RunAnswer>;
}

/** The same as a tool of AI SDK, Mastra, TanStack and others, which take it as it is: its schemas are Standard Schemas as well. */
export interface FrameworkTool<Context = unknown> extends DescribedTool<Context> {
  inputSchema: ToolInputSchema & StandardJsonSchema;
  outputSchema: JsonObject & StandardJsonSchema;
  /**
   * `call` for frameworks, which call it with options of their own: it takes `context` (or `experimental_context`, `requestContext`) and `signal`
   * (or `abortSignal`) of them.
   * @example
   * const { execute } = engine.describeTools().code;
   * console.log(await execute({ code: "export default 6 * 7;" }, { abortSignal: AbortSignal.timeout(10_000) }));
   */
  execute(args: unknown, given?: unknown): Promise<RunAnswer>;
}

/** The messages of an MCP connection, as the SDK's transports carry them. */
export interface ServableTransport {
  /** Begins to take messages. */
  start(): Promise<void>;
  /** Sends one message. */
  send(message: never, options?: never): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

/** What one call of a tool came to. */
export interface CallResult {
  /** The whole MCP result; absent where the call was refused or did not reach the tool. */
  result?: JsonObject;
  /** What a binding returns, or the error that it throws. */
  reply: { ok: true; value: JsonValue } | { ok: false; error: { message: string; hint: string } };
  /** What was found beside it: drift, for instance. */
  diagnostics: readonly Diagnostic[];
}

/** How a run is taken back. */
export interface UndoOptions<Context = unknown> {
  /** What `undo` of the tools gets as the context of its call. */
  context?: Context | undefined;
  /** Leaves calls as they are whose tools have no `undo`, whose answer is not known, or whose `undo` a process has begun that has ended. */
  partial?: boolean | undefined;
  /** Calls the latter again. Tools with `idempotentHint` do not need it. */
  repeat?: boolean | undefined;
}

/** How a durable run goes on in this process. */
export interface ResumeOptions<Context = unknown>
  extends
    Pick<RunOptions<Context>, "context" | "onLog">,
    Pick<DurableSettings, "suspendAfterMs" | "waitMs" | "mayMove" | "mayChange"> {}

/** The durable runs of a project, and how this engine goes on with them. */
export interface EngineRuns extends DurableRunList {
  /**
   * Goes on with a run that no other process has, to its end. Gives the answer of one that has ended. Own tools get the context that is given here.
   * @throws CodemodeError `RUN_UNKNOWN`, `RUN_HELD` where another process has it, `RUN_DAMAGED`
   */
  resume(id: string, options?: ResumeOptions): Promise<RunAnswer>;
  /**
   * Lets a run that has failed go on, as `resume` does: calls that were answered with an error after the last other call are made again. One that was
   * cancelled, or taken back, stays as it is.
   * @throws CodemodeError as `resume`, and `RUN_MOVED`
   */
  retry(id: string, options?: ResumeOptions): Promise<RunAnswer>;
  /**
   * Calls `undo` of the own tools that a run has called, the last call first, each once. The run has ended.
   * @returns what was taken back, as SERVER/TOOL
   * @throws CodemodeError (`INVALID_OPTION`) before anything is taken back: where tools that do not only read have no `undo`, a process has ended
   * while it took a call back, or the answer of a call is not known; unless `partial`, or `repeat`
   */
  undo(id: string, options?: UndoOptions): Promise<string[]>;
  /**
   * Goes on with each run that no process has, now and later, until the function that it returns is called, or the engine is closed. Own tools get no
   * context then: one with a guard is refused.
   */
  watch(options?: { suspendAfterMs?: number; onFailure?: (error: unknown) => void }): () => void;
}

/**
 * Holds the connections and credentials of a project, runs scripts in sandboxes and checks each call. Close it, or declare it with
 * `await using`: until then its servers keep the program alive.
 */
export interface Engine<Context = unknown> extends AsyncDisposable {
  /**
   * What scripts can use now. It changes where `drift` follows the servers; with `review`, a definition that waits for a person is in it without
   * its words (`pending`), and such a value is no lockfile to be written.
   */
  readonly lockfile: Lockfile;
  /**
   * Runs a script in a fresh sandbox. It resolves to an answer for every script: a failing one does not reject, but has diagnostics.
   * @throws CodemodeError where a file cannot be read, the engine is closed (`ENGINE_CLOSED`), and with `onUnstartable: "throw"`
   * @example
   * const code = "export default globalThis.__codemode_input__.map((word) => word.length);";
   * const answer = await engine.run({ code }, { input: ["lock", "run"], limits: { timeoutMs: 5000 } });
   * console.log(answer.result, answer.diagnostics);
   */
  run(script: Script, options?: RunOptions<Context>): Promise<RunAnswer>;
  /**
   * Calls one tool with the checks that a script's call gets, and resolves to what a binding returns.
   * @param tool as SERVER/TOOL
   * @throws CodemodeError where the call has no result (`TOOL_CALL_FAILED`), or the name is not one of a tool (`TOOL_UNKNOWN`, `TOOL_UNNAMED`)
   * @throws the reason of the signal, where that ended the call, like `tryTool`
   * @example
   * const graph = await engine.callTool("memory/read_graph");
   * console.log(graph);
   */
  callTool(tool: string, input?: JsonValue, options?: CallToolOptions<Context>): Promise<JsonValue>;
  /**
   * As `callTool`, but a call that fails does not reject: `reply` has its error, and `result` the whole MCP result.
   * @throws CodemodeError where the name is not one of a tool, or the engine is closed
   * @example
   * const { diagnostics } = await engine.tryTool("memory/search_nodes", { query: "release" });
   * console.log(diagnostics);
   */
  tryTool(tool: string, input?: JsonValue, options?: CallToolOptions<Context>): Promise<CallResult>;
  /**
   * Describes the tool that runs code, with what is locked now.
   * @throws CodemodeError where the engine was opened for one script or for calls alone (`ENGINE_LIMITED`)
   * @example
   * const { name, description, inputSchema, call } = engine.describeTool();
   * console.log(name, description.length, inputSchema);
   * const { result } = await call({ code: "export default 6 * 7;" });
   * console.log(result);
   */
  describeTool(): DescribedTool<Context>;
  /**
   * Describes the tool that runs code to an agent of that context: tools that its guards take out are not in it.
   * @throws CodemodeError as `describeTool`
   * @example
   * const { description } = await engine.toolFor({ role: "admin" });
   * console.log(description.length);
   */
  toolFor(context: Context): Promise<FrameworkTool<Context>>;
  /**
   * Describes what an agent gets: the tool that runs code, and where there are more tools than its description can show, one that searches them.
   * @throws CodemodeError as `describeTool`
   * @example
   * const { code, search } = engine.describeTools();
   * console.log(code.name, search?.name);
   */
  describeTools(): DescribedTools<Context>;
  /**
   * Serves the engine over MCP on a transport, until the function that it resolves to is called. Where the policy says `ask`, the connected client
   * gives approval only if `serve.mayApprove` of the configuration is set.
   * @throws CodemodeError where the engine was opened for one script or for calls alone (`ENGINE_LIMITED`)
   * @example
   * import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
   *
   * const [near, far] = InMemoryTransport.createLinkedPair();
   * const end = await engine.connectTo(far);
   * const client = new Client({ name: "example", version: "1.0.0" });
   * await client.connect(near);
   * console.log((await client.listTools()).tools.length);
   * await end();
   */
  connectTo(transport: ServableTransport, options?: ConnectOptions<Context>): Promise<() => Promise<void>>;
  /**
   * Opens the durable runs of the project.
   * @example
   * const runs = await engine.durableRuns();
   * for (const { id, state } of await runs.list()) console.log(id, state);
   */
  durableRuns(): Promise<EngineRuns>;
  /**
   * Ends servers and sandboxes. Runs that are not over then end with `RUN_CANCELLED`; durable ones are left as they are, with `RUN_CONTINUES`.
   * @param options.graceMs how long runs may take to end by themselves, in milliseconds; 0 unless given
   * @example
   * await engine.close({ graceMs: 2000 });
   */
  close(options?: { graceMs?: number }): Promise<void>;
}
