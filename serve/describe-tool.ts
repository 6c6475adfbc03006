import type { JsonObject, JsonValue } from "../schemas/json/json.ts";
import type { ServeSettings } from "../schemas/config/serve-settings.ts";
import { failedAnswer, type RunAnswer } from "../schemas/run/answer.ts";
import type { RunLimits } from "../schemas/config/config-file.ts";
import { makeRunToolDescription } from "./description/describe-run-tool.ts";
import { orderAnswer } from "./answers/print-answer.ts";
import type { ServedView, SurfaceCall } from "./surface.ts";
import { callSearchTool, SEARCH_FINDING, SEARCH_TOOL } from "./surfaces/search-surface.ts";
import { parseScriptRequest } from "./surfaces/parse-script-request.ts";
import { INPUT_SCHEMA, NAME_WITHOUT_DOT, OUTPUT_SCHEMA, toInvalidRequest, FINDING } from "./surfaces/run-tool.ts";

/** A JSON Schema of an object, as agent frameworks take it. */
export type ToolInputSchema = JsonObject & {
  type: "object";
  properties: { [name: string]: JsonObject };
  required: string[];
  additionalProperties: true;
};

/** The tool that runs code, for a program that calls it without MCP. */
export interface RunTool {
  /** Letters, digits, underscores and dashes, which every model API accepts. */
  name: string;
  description: string;
  inputSchema: ToolInputSchema;
  outputSchema: JsonObject;
  call(args: unknown, call: SurfaceCall): Promise<RunAnswer>;
}

/** Describes the tool with what the view has now. Saved scripts are answered, and not listed: whether one may run needs its bundle. */
export function describeRunTool(view: ServedView, settings: ServeSettings, finding = FINDING): RunTool {
  // A program waits for its call as long as it likes.
  const surface = finding === FINDING ? "run" : "search";
  const shown: ServeSettings = { ...settings, surface, detachAfterMs: 0 };
  return {
    name: (settings.toolName ?? NAME_WITHOUT_DOT).replaceAll(/[^A-Za-z0-9_-]/g, "_"),
    description: makeRunToolDescription(shown, finding)(view.lockfile(), []),
    inputSchema: { ...INPUT_SCHEMA, additionalProperties: true },
    outputSchema: OUTPUT_SCHEMA,
    call: (args, call) => runCode(view, args, call),
  };
}

/** The two tools where there are too many tools to describe: one finds tools, one runs code that uses them. */
export function describeSearchTool(view: ServedView, settings: ServeSettings) {
  const { name, description, inputSchema } = SEARCH_TOOL;
  return {
    search: {
      ...{ name, description, inputSchema },
      async execute(args: unknown): Promise<string> {
        const { content } = await callSearchTool(view, args as JsonValue);
        return content.map(({ text }) => String(text)).join("\n");
      },
    },
    code: describeRunTool(view, settings, SEARCH_FINDING),
  };
}

/** Runs the code of the arguments, within the lower limits of the two. */
export async function runCode(view: ServedView, args: unknown, call: SurfaceCall): Promise<RunAnswer> {
  const request = parseScriptRequest(args as JsonValue);
  if ("problem" in request) return failedAnswer([toInvalidRequest(request)]);
  const { limits = {} } = call;
  const asked: Partial<RunLimits> = request.limits;
  const lower = Object.entries(limits).filter(([name, limit]) => !(Number(asked[name as keyof RunLimits]) <= limit));
  const answer = await view.run({ ...request, limits: { ...asked, ...Object.fromEntries(lower) } }, call);
  // Not printed with it: as text they cost a model tokens and show it nothing.
  return Object.defineProperty(orderAnswer(answer), "media", { value: answer.media ?? [] });
}
