import type { RunAnswer } from "../schemas/run/answer.ts";
import type { DescribedTool, FrameworkTool, StandardJsonSchema, ToolContent } from "./engine.ts";
import type { ToolCallOptions } from "./engine-options.ts";

/** The tool as agent frameworks take it. */
export function toFrameworkTool<Context>(tool: DescribedTool<Context>): FrameworkTool<Context> {
  const execute: FrameworkTool<Context>["execute"] = async (args, ...given) => {
    const answer = await tool.call(args, fromFramework(...given));
    if (Object.hasOwn(Object(given[0]) as object, "experimental_sandbox")) ofAiSdk7.add(answer);
    return answer;
  };
  return {
    ...tool,
    inputSchema: withStandard(tool.inputSchema),
    outputSchema: withStandard(tool.outputSchema),
    execute,
    content: async (args, ...given) => toContent(await execute(args, ...given)),
    toModelOutput,
    // LangChain takes for a tool what has these.
    lc_runnable: true,
    schema: tool.inputSchema,
    invoke: (input, config) => execute(argsOf(input), config),
  };
}

/**
 * What an agent framework gives beside the input: the request's values and its signal, under the names of AI SDK, Mastra, LangChain and others. OpenAI
 * Agents give the signal apart.
 */
export function fromFramework<Context>(given?: unknown, details?: unknown): ToolCallOptions<Context> {
  const options = Object(given) as { [name: string]: unknown };
  const { signal: apart } = Object(details) as { signal?: unknown };
  const {
    context = options["experimental_context"] ?? options["requestContext"] ?? options["configurable"],
    signal = options["abortSignal"] ?? apart,
  } = options;
  return { context: context as Context, signal: signal instanceof AbortSignal ? signal : undefined };
}

/** LangGraph gives the whole call of the model. */
function argsOf(input: unknown): unknown {
  const { type, args } = Object(input) as { type?: unknown; args?: unknown };
  return type === "tool_call" ? args : input;
}

function toContent(answer: RunAnswer): ToolContent[] {
  return [{ type: "text", text: JSON.stringify(answer) }, ...mediaOf(answer)];
}

/** Answers to AI SDK 7: it gives a tool a sandbox, and no version before it does. */
const ofAiSdk7 = new WeakSet<RunAnswer>();

/** What a model sees of an answer: AI SDK 6 and 7 give the call beside it, AI SDK 5 and Mastra the answer alone, and each has its own name for a picture. */
function toModelOutput(given: unknown): { type: "content"; value: object[] } | { type: "json"; value: unknown } {
  const { toolCallId, output } = Object(given) as { toolCallId?: unknown; output?: unknown };
  const isWhole = toolCallId !== undefined;
  const answer = isWhole ? output : given;
  const media = mediaOf(answer);
  if (media.length === 0) return { type: "json", value: answer };
  const parts = media.map(({ type, data, mimeType: mediaType }) => {
    if (ofAiSdk7.has(answer as RunAnswer)) return { type: "file", data: { type: "data", data }, mediaType };
    return { type: isWhole ? (type === "image" ? "image-data" : "file-data") : "media", data, mediaType };
  });
  return { type: "content", value: [{ type: "text", text: JSON.stringify(answer) }, ...parts] };
}

function mediaOf(answer: unknown): readonly Exclude<ToolContent, { type: "text" }>[] {
  return (Object(answer) as { media?: readonly Exclude<ToolContent, { type: "text" }>[] }).media ?? [];
}

/** The schema with a Standard Schema beside it, which no printer of the schema sees. */
export function withStandard<Schema extends object>(schema: Schema): Schema & StandardJsonSchema {
  const print = () => schema as { [keyword: string]: unknown };
  // The tool itself says what is wrong with its input.
  const validate = (value: unknown) => ({ value });
  const standard = { version: 1, vendor: "codemode", validate, jsonSchema: { input: print, output: print } };
  return Object.defineProperty({ ...schema }, "~standard", { value: standard }) as Schema & StandardJsonSchema;
}
