import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { type Diagnostic, failedAnswer } from "../../schemas/run/answer.ts";
import { SANDBOX_META } from "../../schemas/run/sandbox-metadata.ts";
import { type JsonObject, type JsonValue, asJson } from "../../schemas/json/json.ts";
import { memoizeByLockfile } from "../../schemas/lock/memoize-by-lockfile.ts";
import { DEFAULT_TOOL_NAME, type ServeSettings } from "../../schemas/config/serve-settings.ts";
import { type ClientTraits, UNKNOWN_CLIENT } from "../client-traits.ts";
import { makeRunToolDescription, annotateRunTool } from "../description/describe-run-tool.ts";
import { printSearchHint } from "../description/server-words.ts";
import { orderAnswer, printAnswer } from "../answers/print-answer.ts";
import type { ServedAnswer, ServedView, SurfaceCall, ToolCallResult, Surface } from "../surface.ts";
import { type MalformedRequest, parseScriptRequest } from "./parse-script-request.ts";

/** Clients rename tools whose name holds a dot: calls by these names are answered on every surface, but never listed. */
export const RUN_ALIASES: readonly string[] = ["codemode.run", "codemode_run", "codemode-run", "run"];

/** Whether a call means the run tool, in any spelling of its name by clients. */
export function isRunTool(name: string, { toolName }: ServeSettings): boolean {
  return name === toolName || RUN_ALIASES.includes(name);
}

/** The name under which a client sees the run tool: the configuration's, or else one that it can work with. */
export function toRunToolName({ toolName }: ServeSettings, client: ClientTraits = UNKNOWN_CLIENT): string {
  return toolName ?? (client.toolName === "underscore" ? NAME_WITHOUT_DOT : DEFAULT_TOOL_NAME);
}

/** For programs too, which hand it to a model's API. */
export const NAME_WITHOUT_DOT = "codemode_run";

/**
 * Makes the tool that runs code, as `tools/list` shows it (specification 3.2 and 3.3), under the name that it has there.
 * @param finding says how an agent finds tools that the description does not show
 */
export function makeRunToolDefinition(
  view: ServedView,
  settings: ServeSettings,
  finding: string,
): (name: string, client?: ClientTraits) => Promise<JsonObject> {
  const describe = makeRunToolDescription(settings, finding);
  const known = memoizeByLockfile(() => new Map<string, JsonObject>());
  return async (name, client = UNKNOWN_CLIENT) => {
    const scripts = await view.savedScripts();
    const lockfile = view.lockfile();
    const description = describe(lockfile, scripts);
    const key = JSON.stringify([name, client.answer, description]);
    const definition = known(lockfile).get(key) ?? {
      name,
      title: "Run code against MCP servers",
      description,
      inputSchema: makeInputSchema({ hasScripts: scripts.length > 0, detaches: settings.detachAfterMs > 0 }),
      ...outputSchemaFor(client),
      annotations: annotateRunTool(lockfile),
      _meta: { ...SHOWN_AT_ONCE, "anthropic/searchHint": printSearchHint(lockfile) },
    };
    known(lockfile).set(key, definition);
    return definition;
  };
}

/** For the `_meta` of a tool: clients that hide most tools until a model searches for them show it from the first request on. */
export const SHOWN_AT_ONCE: JsonObject = { "anthropic/alwaysLoad": true };

const LIMIT: JsonObject = { type: "integer" };

const CODE: JsonObject = { type: "string", description: "Source of an ES module" };

const RUN_OPTIONS: { [name: string]: JsonObject } = {
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

/** An extension. */
const INPUT: JsonObject = { description: "Any JSON, read at globalThis.__codemode_input__" };

export const INPUT_SCHEMA = {
  type: "object" as const,
  required: ["code"],
  properties: { code: CODE, input: INPUT, ...RUN_OPTIONS },
};

/** An extension. */
const SCRIPT: JsonObject = { type: "string", description: "Name of a saved script, to run it instead of code" };

/** An extension. */
const RUN_REFERENCE: { [name: string]: JsonObject } = {
  runId: { type: "string", description: "Of a run that continues: wait for its answer" },
  cancel: { type: "boolean", description: "With runId: end that run" },
};

/** That the program is exactly one of several stands in words: many clients drop a tool with `oneOf` at the root. */
function makeInputSchema({ hasScripts, detaches }: { hasScripts: boolean; detaches: boolean }): JsonObject {
  if (!hasScripts && !detaches) return INPUT_SCHEMA;
  const others = [...(hasScripts ? ["script"] : []), ...(detaches ? ["runId"] : [])];
  const code = {
    ...CODE,
    description: `Source of an ES module; exactly one of code${others.length > 1 ? `, ${others[0]}` : ""} and ${others.at(-1)} is needed`,
  };
  return {
    type: "object",
    properties: {
      code,
      ...withoutUndefined({ script: hasScripts ? SCRIPT : undefined }),
      input: INPUT,
      ...RUN_OPTIONS,
      ...(detaches ? RUN_REFERENCE : {}),
    },
  };
}

const OBJECTS: JsonObject = { type: "array", items: { type: "object" } };

/** Of everything that answers as a run does. */
export const OUTPUT_SCHEMA: JsonObject = {
  type: "object",
  required: ["logs", "result", "diagnostics"],
  properties: { logs: OBJECTS, result: {}, diagnostics: OBJECTS, toolTrace: OBJECTS, runId: { type: "string" } },
};

/** Clients hold structured content against the output schema, so there is none where they get text alone. */
export function outputSchemaFor(client: ClientTraits): { outputSchema?: JsonObject } {
  return client.answer === "text" ? {} : { outputSchema: OUTPUT_SCHEMA };
}

/** Runs what a call of the run tool asks for. A failing script is an answer; only a malformed call is an error. */
export async function callRunTool(
  view: ServedView,
  input: JsonValue | undefined,
  call: SurfaceCall,
): Promise<ToolCallResult> {
  const request = parseScriptRequest(input);
  return "problem" in request ? toMalformedResult(request) : toRunResult(await view.run(request, call));
}

/** An answer as the result of a call. */
export function toRunResult({ media = [], sandbox, ...answer }: ServedAnswer): ToolCallResult {
  return {
    ...withoutUndefined({ _meta: sandbox && { [SANDBOX_META]: sandbox } }),
    content: [{ type: "text", text: printAnswer(answer) }, ...media],
    structuredContent: asJson(orderAnswer(answer)),
  };
}

/** In both parts of the result: clients show their model one or the other, and hold it against the output schema. */
export function toMalformedResult(request: MalformedRequest): ToolCallResult {
  return { ...toRunResult(failedAnswer([toInvalidRequest(request)])), isError: true };
}

/** What is wrong with the arguments of a call, as a finding of its answer. */
export function toInvalidRequest({ problem, hint }: MalformedRequest): Diagnostic {
  return { severity: "error", code: "INVALID_REQUEST", message: problem, hint };
}

/** How an agent finds tools: a search for the name that one would give the tool finds more than a question. */
export const FINDING =
  'To find a tool, search for the one that you imagine, by verb and noun: import { searchTools, listServers } from "@codemode/discovery"; each of (await searchTools("refund payment")).results has serverId, exportName and signature. await listServers() has all servers.';

/** The default: one tool, which runs code. */
export function makeRunSurface(view: ServedView, settings: ServeSettings): Surface {
  const describeRun = makeRunToolDefinition(view, settings, FINDING);
  return {
    listTools: async (client) => [await describeRun(toRunToolName(settings, client), client)],
    callTool: (name, input, call) => (isRunTool(name, settings) ? callRunTool(view, input, call) : undefined),
    runKind: (name) => (isRunTool(name, settings) ? "code" : undefined),
  };
}
