import type { ToolContext } from "../runtime/mcp/connect-functions.ts";
import type { JsonObject } from "../schemas/json/json.ts";

/** What the program says of a tool beside what it does: also of one of an MCP server. */
export interface OwnToolRules<Context = unknown> {
  /** Whether the tool exists for a context; where not, nothing tells of it, and its call is refused. */
  enabled?: boolean | ((context: Context) => boolean | Promise<boolean>) | undefined;
  /** Whether a person is asked about each call, or about which: a boolean, or a function of the input and `{ context }`. */
  needsApproval?: unknown;
  /** Takes back what a call has done, for `undo` of a run. */
  undo?(input: never, result: never, call: ToolContext<Context>): unknown;
}

/**
 * A function as a tool, as AI SDK, Mastra, TanStack, LangChain and OpenAI Agents make it, or an object literal. It has an input schema and one
 * function, under one of their names each.
 */
export interface OwnTool<Context = unknown> extends OwnToolRules<Context> {
  /** For agents; a function of the AI SDK counts as none. */
  description?: unknown;
  title?: unknown;
  /** Standard Schema that gives its JSON Schema (zod, arktype, `toStandardJsonSchema` of valibot), JSON Schema, or `jsonSchema()` of the AI SDK. */
  inputSchema?: unknown;
  /** The same, as OpenAI Agents call it. */
  parameters?: unknown;
  /** The same, as LangChain calls it. */
  schema?: unknown;
  /** Of what the function returns; unless given the result is `unknown` to scripts. */
  outputSchema?: unknown;
  /** What the tool claims (MCP, ToolAnnotations). */
  annotations?: JsonObject | undefined;
  /** The same, as Mastra calls it. */
  requireApproval?: unknown;
  // Methods, so that a tool of a narrower input is one.
  execute?(input: never, call: never): unknown;
  invoke?(input: never, ...rest: never[]): unknown;
  handler?(input: never, call: never): unknown;
  call?(input: never, call: never): unknown;
}

/** What is given as a tool: any value, whose members are looked at. */
export type GivenTool = { [Name in keyof OwnTool]?: unknown } & { type?: unknown; contextSchema?: unknown };
