import { failedAnswer, type RunAnswer } from "../../../schemas/answer.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../../schemas/json.ts";
import type { ServeSettings } from "../../../schemas/serve-settings.ts";
import { makeRunToolDescription } from "../description/describe-run-tool.ts";
import type { SavedScriptCall, ScriptRequest, SentCode, ServedView, SurfaceCall, ToolCallResult } from "../surface.ts";

/** Clients rename tools whose name holds a dot: calls by these names are answered on every surface, but never listed. */
export const RUN_ALIASES: readonly string[] = ["codemode.run", "codemode_run", "codemode-run", "run"];

/** Tells whether a call means the tool that runs code, whatever the client made of its name. */
export function isRunTool(name: string, listedName: string, configuredName: string): boolean {
  return name === listedName || name === configuredName || RUN_ALIASES.includes(name);
}

/**
 * Makes the tool that runs code, as `tools/list` shows it (specification 3.2 and 3.3), under the name that it has there.
 * @param finding says how an agent finds tools that the description does not show
 */
export function makeRunToolDefinition(
  view: ServedView,
  settings: ServeSettings,
  finding: string,
): (name: string) => Promise<JsonObject> {
  const describe = makeRunToolDescription(settings, finding);
  let last: JsonObject = {};
  return async (name) => {
    const scripts = await view.savedScripts();
    const description = describe(view.lockfile(), scripts);
    const inputSchema = scripts.length > 0 ? INPUT_SCHEMA_WITH_SCRIPTS : INPUT_SCHEMA;
    const isSame = last["name"] === name && last["description"] === description && last["inputSchema"] === inputSchema;
    if (!isSame)
      last = { name, title: "Run code against MCP servers", description, inputSchema, outputSchema: OUTPUT_SCHEMA };
    return last;
  };
}

const LIMIT: JsonObject = { type: "integer" };

/** Of UTF-16 units. All clients' scripts are bundled in turn, so that none may be as long as a client likes. */
const MAX_CODE_LENGTH = 512 * 1024;

const CODE: JsonObject = { type: "string", description: "Source of an ES module" };

const WISHES: JsonObject = {
  limits: {
    type: "object",
    description: "Lower limits for this run",
    properties: {
      timeoutMs: LIMIT,
      maxMemoryBytes: LIMIT,
      maxLogBytes: LIMIT,
      maxToolCalls: LIMIT,
      maxResultBytes: LIMIT,
    },
  },
  requestedCapabilities: {
    type: "array",
    items: { type: "string" },
    description: "Ids of servers to have ready",
  },
};

const INPUT_SCHEMA: JsonObject = { type: "object", required: ["code"], properties: { code: CODE, ...WISHES } };

/** An extension. That it is one of the two stands in words: many clients drop a tool with `oneOf` at the root. */
const INPUT_SCHEMA_WITH_SCRIPTS: JsonObject = {
  type: "object",
  properties: {
    code: { ...CODE, description: "Source of an ES module; exactly one of code and script is needed" },
    script: { type: "string", description: "Name of a saved script, to run it instead of code" },
    input: { description: "Input of the saved script" },
    ...WISHES,
  },
};

const OBJECTS: JsonObject = { type: "array", items: { type: "object" } };

/** Of everything that answers as a run does. */
export const OUTPUT_SCHEMA: JsonObject = {
  type: "object",
  required: ["logs", "result", "diagnostics"],
  properties: { logs: OBJECTS, result: {}, diagnostics: OBJECTS, toolTrace: OBJECTS },
};

/** Runs what a call of the run tool asks for. A failing script is an answer; only a malformed call is an error. */
export async function callRunTool(
  view: ServedView,
  input: JsonValue | undefined,
  call: SurfaceCall,
): Promise<ToolCallResult> {
  const request = parseScriptRequest(input);
  if (typeof request === "string") return malformed(request);
  return toRunResult(await view.run(request, call));
}

/** Reads the arguments of a call (specification 3.2); a string says what is wrong with them. */
function parseScriptRequest(input: JsonValue | undefined): ScriptRequest | string {
  if (input === undefined || !isJsonObject(input)) return "The arguments must be an object.";
  const limits = ownValue(input, "limits") ?? {};
  const requestedCapabilities = ownValue(input, "requestedCapabilities") ?? [];
  const program = parseProgram(input);
  if (typeof program === "string") return program;
  if (!isJsonObject(limits)) return 'The argument "limits" must be an object.';
  if (!isListOfStrings(requestedCapabilities)) {
    return 'The argument "requestedCapabilities" must be a list of strings.';
  }
  return { ...program, limits, requestedCapabilities };
}

/** Code, or the name of a saved script; some clients send null for what they leave out. */
function parseProgram(input: JsonObject): SentCode | SavedScriptCall | string {
  const read = (key: string): JsonValue => ownValue(input, key) ?? null;
  const [code, script, scriptInput] = [read("code"), read("script"), read("input")];
  if (script !== null) {
    if (typeof script !== "string") return 'The argument "script" must be a string: the name of a saved script.';
    if (code !== null) return 'Pass "code" or "script", not both.';
    return { script, input: scriptInput };
  }
  if (typeof code !== "string") return 'The argument "code" must be a string: the source of an ES module.';
  if (code.length > MAX_CODE_LENGTH)
    return `The code is longer than ${MAX_CODE_LENGTH} characters: read large data with a tool.`;
  if (scriptInput !== null) return 'The argument "input" is for "script": put it into the code.';
  return { code };
}

function isListOfStrings(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** An answer as the result of a call. */
export function toRunResult(answer: RunAnswer): ToolCallResult {
  return {
    content: [{ type: "text", text: JSON.stringify(answer) }],
    structuredContent: { ...answer } as unknown as JsonObject,
  };
}

/** Clients that know the output schema refuse an error without the answer that it describes. */
function malformed(message: string): ToolCallResult {
  return {
    content: [{ type: "text", text: message }],
    structuredContent: { ...failedAnswer([]) } as unknown as JsonObject,
    isError: true,
  };
}
