import type { DurableRunList } from "../schemas/run/durable-run.ts";
import type { JsonObject, JsonValue } from "../schemas/json/json.ts";
import type { Lockfile } from "../schemas/lock/lockfile.ts";
import type { Diagnostic, RunAnswer } from "../schemas/run/answer.ts";
import type { ToolInputSchema } from "../serve/describe-tool.ts";
import type { DurableSettings, RunOptions, ToolCallOptions, CallToolOptions, CheckOptions } from "./engine-options.ts";
import type { CheckResult } from "./check-result.ts";
import type { Script } from "../engine/project/script.ts";

/** How an engine is served on a transport. */
export interface ServeOnOptions<Context = unknown> {
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
    /** Searches what the context of these tools may call, or the one that a framework gives, as `execute` of `code` takes it. */
    execute(args: unknown, given?: unknown): Promise<string>;
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
  call(args: unknown, options?: ToolCallOptions<Context>): Promise<ToolAnswer>;
}

/** What a model is given of an answer: its text, and images and sounds, in the words of MCP. */
export type ToolContent = { type: "text"; text: string } | { type: "image" | "audio"; data: string; mimeType: string };

/** What the tool answers. */
export interface ToolAnswer extends RunAnswer {
  /**
   * Images and sounds of the result, in which each has `content` in place of its data: which of these it is, from 1. It is no member that is printed, so
   * that a model does not read them as text.
   */
  readonly media?: readonly ToolContent[];
}

/** The same as a tool of AI SDK, Mastra, TanStack and LangChain, which take it as it is: its schemas are Standard Schemas as well. */
export type FrameworkTool<Context = unknown> = {
  // A type of members: LangChain takes a record.
  [Member in keyof FrameworkMembers<Context>]: FrameworkMembers<Context>[Member];
};

interface FrameworkMembers<Context> extends DescribedTool<Context> {
  inputSchema: ToolInputSchema & StandardJsonSchema;
  outputSchema: JsonObject & StandardJsonSchema;
  /**
   * `call` for frameworks, which call it with options of their own: it takes `context` (or `experimental_context`, `requestContext`, `configurable`)
   * and `signal` (or `abortSignal`) of them.
   * @example
   * const { execute } = engine.describeTools().code;
   * console.log(await execute({ code: "export default 6 * 7;" }, { abortSignal: AbortSignal.timeout(10_000) }));
   */
  execute(args: unknown, given?: unknown, details?: unknown): Promise<ToolAnswer>;
  /**
   * The same as content for a model: the answer as text, and beside it images and sounds.
   * @example
   * const { content } = engine.describeTools().code;
   * console.log((await content({ code: "export default 6 * 7;" })).map(({ type }) => type));
   */
  content(args: unknown, given?: unknown, details?: unknown): Promise<ToolContent[]>;
  /** For AI SDK and Mastra: an image of the result reaches the model as an image. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each version has types of its own
  toModelOutput(given: unknown): any;
  /** For LangChain and LangGraph, like the next two. */
  readonly lc_runnable: true;
  readonly schema: ToolInputSchema;
  invoke(input: unknown, config?: unknown): Promise<ToolAnswer>;
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
  /** Calls again an `undo` that a process began and did not finish. Tools with `idempotentHint` do not need it. */
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
 * Holds the connections and credentials of a project, runs scripts in sandboxes and checks each call. Close it: until then
 * its servers keep the program alive.
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
   * The same for an agent of that context: what its guards take out is in neither of the tools.
   * @throws CodemodeError as `describeTool`
   * @example
   * const { code, search } = await engine.toolsFor({ role: "admin" });
   * console.log(code.description.length, search?.name);
   */
  toolsFor(context: Context): Promise<DescribedTools<Context>>;
  /**
   * Bundles and type-checks a script with the tools that there are now, and compares what it may call with the policy. Runs nothing.
   * @throws CodemodeError where a file cannot be read; what is wrong with the script is a diagnostic
   * @example
   * const { ok, diagnostics } = await engine.check({ code: "export default 6 * 7;" });
   * console.log(ok, diagnostics);
   */
  check(script: Script, options?: CheckOptions<Context>): Promise<CheckResult>;
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
  connectTo(transport: ServableTransport, options?: ServeOnOptions<Context>): Promise<() => Promise<void>>;
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
