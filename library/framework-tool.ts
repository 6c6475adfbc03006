import type { ToolCallOptions } from "./engine-options.ts";
import type { DescribedTool, FrameworkTool, StandardJsonSchema } from "./engine.ts";

/** The tool as agent frameworks take it. OpenAI Agents take a plain JSON Schema alone. */
export function toFrameworkTool<Context>(tool: DescribedTool<Context>): FrameworkTool<Context> {
  return {
    ...tool,
    inputSchema: withStandard(tool.inputSchema),
    outputSchema: withStandard(tool.outputSchema),
    execute: (args, options) => tool.call(args, fromFramework(options)),
  };
}

/** What an agent framework gives beside the input: the request's values and its signal, under the names of AI SDK, Mastra and others. */
export function fromFramework<Context>(given: unknown): ToolCallOptions<Context> {
  const options = Object(given) as { [name: string]: unknown };
  const { context = options["experimental_context"] ?? options["requestContext"], signal = options["abortSignal"] } =
    options;
  return { context: context as Context, signal: signal instanceof AbortSignal ? signal : undefined };
}

/** The schema with a Standard Schema beside it, which no printer of the schema sees. */
export function withStandard<Schema extends object>(schema: Schema): Schema & StandardJsonSchema {
  const print = () => schema as { [keyword: string]: unknown };
  // The tool itself says what is wrong with its input.
  const validate = (value: unknown) => ({ value });
  const standard = { version: 1, vendor: "codemode", validate, jsonSchema: { input: print, output: print } };
  return Object.defineProperty({ ...schema }, "~standard", { value: standard }) as Schema & StandardJsonSchema;
}
