import { findUnsendable } from "@codemode/runtime/find-unsendable";
import { holdPrinted, LONG_CONTENT_BYTES } from "@codemode/runtime/connections/printed-content";
import type { CallOptions, ServerConnection } from "@codemode/runtime/connections/server-connection";
import { MAX_MESSAGE_BYTES } from "@codemode/runtime/connections/wire/message-transport";
import { isEnabledFor, type OnHidden, type ProgramServer } from "../../schemas/config/program-server.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { toHidden } from "./hide-errors.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { WireTool } from "../../schemas/lock/server-snapshot.ts";
import { describeThrown } from "./describe-thrown.ts";
import { CALL_NUMBER_META, RUN_KEY_META } from "../../schemas/run/run-key.ts";

/** What a function learns of the call that it serves, and does beside its work. */
export interface ToolContext<Context = unknown> {
  /** What the caller of the run has given. */
  context: Context;
  /** Aborted when the result is no longer wanted. */
  signal: AbortSignal;
  /** The run: its id in the audit log and traces, its idempotency key, and which of its calls this is, from 1. A call without a script has no key. */
  run: { id: string; key: string; number: number };
  /** Reports how far the work is. */
  progress(done: number, total?: number, message?: string): void;
  /** Says something to those who watch the run. */
  log(text: string, level?: "debug" | "info" | "warning" | "error"): void;
  /** Puts a question to a person: the parameters of `elicitation/create` of MCP in, its result out. It is declined where there is no one to ask. */
  ask(question: JsonObject): Promise<JsonObject>;
}

/** What reaches the script whole, as `code` and `data` of the error that it catches. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: string | undefined;
  readonly data: JsonValue | undefined;

  constructor(message: string, { code, data }: { code?: string; data?: JsonValue } = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The tool has returned what its caller cannot have: another input does not help. */
export class ToolFault extends TypeError {
  constructor(message: string, options?: ErrorOptions) {
    super(`${message}\nhint: The tool is at fault, not its input: do without it, or tell the user.`, options);
  }
}

/** In `_meta` of a failed call of the program's own tool: its code. */
const CODE_META = "dev.codemode/error-code";

type Functions = Extract<ProgramServer, { kind: "functions" }>;

/** The functions of a program as a server that is always there. */
export function connectFunctions({ id, tools, onHidden }: Omit<Functions, "kind"> & { id: string }): ServerConnection {
  return {
    id,
    ending: undefined,
    renewals: 0,
    snapshot: async () => ({
      serverInfo: { name: id },
      protocolVersion: "2025-11-25",
      era: "legacy" as const,
      capabilities: { tools: {} },
      clientCapabilities: {},
      tools: [...tools.values()].map(({ definition }): WireTool => definition),
    }),
    async callTool(name, input = {}, options = {}) {
      const call = toToolContext(options);
      const tool = tools.get(name);
      if (tool === undefined) return noSuchTool(name);
      call.signal.throwIfAborted();
      try {
        const taken = options.taken === undefined ? await (tool.check?.(input) ?? input) : options.taken.value;
        const value = await untilAborted(tool.run(taken, call), call.signal);
        return toResult(value, options.leavesText === true);
      } catch (error) {
        if (call.signal.aborted) throw error;
        return toFailure(error, onHidden);
      }
    },
    onToolsChanged: () => () => undefined,
    close: async () => undefined,
  };
}

/** The same connection, with the look at guards that counts: what was enabled when the run began may be no more. */
export function withGuards(connection: ServerConnection, { tools }: ProgramServer): ServerConnection {
  if (![...tools.values()].some(({ isEnabled }) => isEnabled !== undefined)) return connection;
  const guarded: Pick<ServerConnection, "callTool"> = {
    callTool: async (name, input, options = {}) =>
      (await isEnabledFor(tools.get(name) ?? {}, options.caller?.context, options.caller?.onFailed))
        ? connection.callTool(name, input, options)
        : noSuchTool(name),
  };
  return Object.assign(Object.create(connection) as ServerConnection, guarded);
}

/** What the function of a call gets. */
export function toToolContext({ signal, meta = {}, onProgress, listener, caller }: CallOptions): ToolContext {
  const wanted = signal ?? new AbortController().signal;
  return {
    context: caller?.context,
    signal: wanted,
    run: toRun(caller?.runId, meta),
    progress: (progress, total, message) => onProgress?.({ progress, total, message }),
    log: (text, level = "info") => listener?.log?.({ level, text }),
    ask: async (question) => listener?.elicit(question, wanted) ?? { action: "decline" },
  };
}

function toRun(id = "", meta: JsonObject): ToolContext["run"] {
  return { id, key: String(meta[RUN_KEY_META] ?? ""), number: Number(meta[CALL_NUMBER_META] ?? 1) };
}

/** The result of MCP that a binding makes the value of. */
function toResult(value: unknown, leavesText: boolean): JsonObject {
  const json = printValue(value);
  if (json.length > MAX_MESSAGE_BYTES)
    throw new ToolFault(`The result is ${json.length} bytes of JSON, the limit is ${MAX_MESSAGE_BYTES}.`);
  const result: JsonObject = { content: [] };
  if (leavesText && json.length >= LONG_CONTENT_BYTES) holdPrinted(result, Buffer.from(json));
  else result["structuredContent"] = JSON.parse(json) as JsonValue;
  return result;
}

function printValue(value: unknown): string {
  const found = findUnsendable(value);
  if (found !== undefined) {
    const place = found.pointer === "" ? "The result" : `"${found.pointer}" of the result`;
    throw new ToolFault(`${place} is ${found.what}, which cannot be written as JSON.`);
  }
  try {
    return JSON.stringify(value ?? null) ?? "null";
  } catch (error) {
    throw new ToolFault(`The result cannot be written as JSON: ${describeCause(error)}`);
  }
}

/** The first line: the engine draws the circle below it. */
function describeCause(error: unknown): string {
  return (describeThrown(error).split("\n")[0] as string).replace(/\.?$/, ".");
}

/** The result of MCP that says why a function has failed. */
export function toFailure(error: unknown, onHidden: OnHidden | undefined): JsonObject {
  if (error instanceof ToolError)
    return {
      ...failed(error.message),
      ...withoutUndefined({
        structuredContent: error.data,
        _meta: error.code === undefined ? undefined : { [CODE_META]: error.code },
      }),
    };
  return onHidden === undefined ? failed(describeThrown(error)) : toHidden(error, onHidden);
}

function noSuchTool(name: string): JsonObject {
  return failed(`There is no tool "${name}".`);
}

function failed(text: string): JsonObject {
  return { isError: true, content: [{ type: "text", text }] };
}

/** A function that does not look at its signal ends for the run all the same; what becomes of it then is its own affair. */
function untilAborted(value: unknown, signal: AbortSignal): unknown {
  if (!(value instanceof Object && "then" in value)) return value;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    const settle = (end: (outcome: unknown) => void) => (outcome: unknown) => {
      signal.removeEventListener("abort", stop);
      end(outcome);
    };
    signal.addEventListener("abort", stop);
    Promise.resolve(value).then(settle(resolve), settle(reject));
  });
}
