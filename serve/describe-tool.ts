import type { JsonObject, JsonValue } from "../schemas/json/json.ts";
import type { ServeSettings } from "../schemas/config/serve-settings.ts";
import { failedAnswer, type RunAnswer } from "../schemas/run/answer.ts";
import { makeRunToolDescription } from "./description/describe-run-tool.ts";
import { orderAnswer } from "./answers/print-answer.ts";
import type { ServedView, SurfaceCall } from "./surface.ts";
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
export function describeRunTool(view: ServedView, settings: ServeSettings): RunTool {
  // A program waits for its call as long as it likes.
  const shown: ServeSettings = { ...settings, surface: "run", detachAfterMs: 0 };
  return {
    name: (settings.toolName ?? NAME_WITHOUT_DOT).replaceAll(/[^A-Za-z0-9_-]/g, "_"),
    description: makeRunToolDescription(shown, FINDING)(view.lockfile(), []),
    inputSchema: { ...INPUT_SCHEMA, additionalProperties: true },
    outputSchema: OUTPUT_SCHEMA,
    async call(args, call) {
      const request = parseScriptRequest(args as JsonValue);
      if ("problem" in request) return failedAnswer([toInvalidRequest(request)]);
      return orderAnswer(await view.run(request, call));
    },
  };
}
