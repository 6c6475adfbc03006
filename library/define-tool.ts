import type { ToolContext } from "../runtime/mcp/connect-functions.ts";
import type { OwnTool } from "./given-tool.ts";

/** What a schema says of its values: by Standard Schema; anything for JSON Schema. */
type ValueOf<Schema, Side extends "input" | "output"> = Schema extends {
  readonly "~standard": { readonly types?: infer Types };
}
  ? NonNullable<Types> extends { readonly [Key in Side]: infer Value }
    ? Value
    : never
  : // oxlint-disable-next-line typescript/no-explicit-any -- JSON Schema has no type of its own
    any;

/** A tool whose function has the types of its schemas. */
export interface DefinedTool<Input, Output, Context> extends Omit<
  OwnTool<Context>,
  "inputSchema" | "outputSchema" | "execute" | "undo" | "needsApproval"
> {
  inputSchema?: Input;
  outputSchema?: Output;
  needsApproval?:
    | boolean
    | ((input: ValueOf<Input, "output">, call: { context: Context }) => boolean | Promise<boolean>);
  execute(
    input: ValueOf<Input, "output">,
    call: ToolContext<Context>,
  ): ValueOf<Output, "input"> | Promise<ValueOf<Output, "input">>;
  undo?(input: ValueOf<Input, "output">, result: ValueOf<Output, "output">, call: ToolContext<Context>): unknown;
}

/**
 * The same tool, with `execute` typed by its schemas. It only adds types, and returns the same object.
 * @example
 * import { defineTool } from "codemode";
 *
 * const tool = defineTool({
 *   inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
 *   execute: ({ name }: { name: string }, { context }) => `${name} for ${String(context)}`,
 * });
 * console.log(Object.keys(tool));
 */
export function defineTool<Context = unknown, Input = unknown, Output = unknown>(
  tool: DefinedTool<Input, Output, Context>,
): DefinedTool<Input, Output, Context> {
  return tool;
}
