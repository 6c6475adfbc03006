import type { ToolContext } from "../runtime/mcp/connect-functions.ts";
import type { GivenTool } from "./given-tool.ts";

/** How the tools of one framework are recognized and called. */
export interface Framework {
  name: string;
  /** The versions that this row is tested with, the oldest and the newest. */
  versions: string;
  isToolOf(given: GivenTool): boolean;
  /** Its functions, in the order in which they count. */
  functions: readonly ("execute" | "invoke" | "handler" | "call")[];
  /** Its schemas, in the order in which they count. */
  schemas: readonly ("inputSchema" | "parameters" | "schema")[];
  /** It checks the input itself, by a schema that its tools do not show. */
  checksWithin?: true;
  /** The arguments of its function. */
  take(input: unknown, call: ToolContext): unknown[];
  /** The arguments of its `needsApproval`. */
  takeToAsk(input: unknown, context: unknown): unknown[];
  /** A member that says for whom the tool exists, beside `enabled`, and its arguments. */
  guard?: { name: string; take(context: unknown): unknown[] };
  /** Why a tool cannot be called outside of its framework. */
  findObstacle?(given: GivenTool): string | undefined;
  /** The message of a result by which the framework says that the tool has failed. */
  findFailure?(result: unknown): string | undefined;
}

/** Objects of the program, and of the AI SDK, whose tools are plain objects too. */
const OBJECT: Framework = {
  name: "AI SDK, or an object",
  versions: "ai 5.0 to 7.0",
  isToolOf: (given) => typeof given === "function" || isPlain(given),
  functions: ["execute", "invoke", "handler", "call"],
  schemas: ["inputSchema", "parameters", "schema"],
  take: (input, call) => [input, toOptions(call)],
  takeToAsk: askWithContext,
};

/** In the order in which a tool is held against them. */
export const FRAMEWORKS: readonly Framework[] = [
  {
    name: "OpenAI Agents",
    versions: "@openai/agents 0.2 to 0.20",
    isToolOf: (given) => given.type === "function" && has(given, "invoke") && has(given, "parameters"),
    functions: ["invoke"],
    schemas: ["parameters"],
    checksWithin: true,
    // The context first, and the input as text.
    take: (input, call) => [{ context: call.context }, JSON.stringify(input), { signal: call.signal }],
    takeToAsk: (input, context) => [{ context }, input],
    guard: { name: "isEnabled", take: (context) => [{ context }, undefined] },
    findObstacle: (given) =>
      ["inputGuardrails", "outputGuardrails"].find((name) => lengthOf(Reflect.get(given, name)) > 0),
  },
  {
    name: "LangChain",
    versions: "@langchain/core 0.3 to 1.4",
    isToolOf: (given) => Reflect.get(given, "lc_runnable") === true && has(given, "invoke"),
    functions: ["invoke"],
    schemas: ["schema"],
    take: (input, call) => [input, { ...toOptions(call), configurable: Object(call.context) as object }],
    takeToAsk: askWithContext,
  },
  {
    name: "Mastra 1",
    versions: "@mastra/core 1.0 to 1.71",
    isToolOf: (given) => has(given, "mastra") && has(given, "mcp") && has(given, "execute"),
    functions: ["execute"],
    schemas: ["inputSchema"],
    take: (input, call) => [input, Object.assign(toOptions(call), { requestContext: toRequestContext(call.context) })],
    takeToAsk: (input, context) => [input, { context, requestContext: toRequestContext(context) }],
    findFailure: findMastraFailure,
  },
  {
    name: "Mastra 0",
    versions: "@mastra/core 0.24",
    isToolOf: (given) => has(given, "mastra") && has(given, "suspendSchema") && has(given, "execute"),
    functions: ["execute"],
    schemas: ["inputSchema"],
    take(input, call) {
      const runtimeContext = toRequestContext(call.context);
      return [{ context: input, runtimeContext, requestContext: runtimeContext }, toOptions(call)];
    },
    takeToAsk: askWithContext,
    findFailure: findMastraFailure,
  },
  {
    name: "TanStack AI",
    versions: "@tanstack/ai 0.2 to 0.58",
    isToolOf: (given) => has(given, "__toolSide"),
    functions: ["execute"],
    schemas: ["inputSchema"],
    take: (input, call) => [
      input,
      Object.assign(toOptions(call), {
        emitCustomEvent: (name: string, value: unknown) => call.log(`${name} ${JSON.stringify(value)}`),
      }),
    ],
    takeToAsk: askWithContext,
    findObstacle: (given) => (Reflect.get(given, "__toolSide") === "client" ? "client" : undefined),
  },
  OBJECT,
];

/** What a function gets beside its input, under our names and the names of AI SDK and LangChain. */
function toOptions({ context, signal, run, progress, log, ask }: ToolContext): ToolContext {
  const toolCallId = `${run.key}:${run.number}`;
  const named = { toolCallId, messages: [], abortSignal: signal, experimental_context: context };
  // For each call, as in `makeCallGate`: spread into another object this takes fifteen times as long.
  return Object.assign(named, { context, signal, run, progress, log, ask });
}

function askWithContext(input: unknown, context: unknown): unknown[] {
  return [input, { context, experimental_context: context }];
}

/** The context as Mastra's tools read it: by `get`, or all at once. */
function toRequestContext(context: unknown): unknown {
  if (typeof (Object(context) as { get?: unknown }).get === "function") return context;
  const values = Object(context) as { [name: string]: unknown };
  return Object.assign(new Map(Object.entries(values)), { all: values });
}

/** Mastra returns what is wrong with the input or the context of a call as a result. */
function findMastraFailure(result: unknown): string | undefined {
  const { error, message, validationErrors } = Object(result) as { [name: string]: unknown };
  return error === true && validationErrors !== undefined ? String(message) : undefined;
}

function has(given: object, name: string): boolean {
  return name in given;
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function isPlain(given: object): boolean {
  const prototype = Object.getPrototypeOf(given) as unknown;
  return prototype === Object.prototype || prototype === null;
}
