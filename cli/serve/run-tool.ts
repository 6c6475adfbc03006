import type { RunLimits } from "../../schemas/answer.ts";
import { type JsonObject, isJsonObject, type JsonValue } from "../../schemas/json.ts";
import type { Lockfile } from "../../schemas/lockfile.ts";

/** The name that the specification gives the one tool (section 3). */
export const DEFAULT_TOOL_NAME = "codemode.run";

/** Clients rename tools whose name holds a dot: calls by these names are answered too, but never listed. */
const ALIASES = ["codemode.run", "codemode_run", "codemode-run", "run"];

/** Tells whether a call means the run tool, whatever the client made of its name. */
export function isRunTool(name: string, toolName: string): boolean {
  return name === toolName || ALIASES.includes(name);
}

/** The tool as `tools/list` shows it. */
export function describeRunTool(toolName: string, lockfile: Lockfile): JsonObject {
  return {
    name: toolName,
    title: "Run code against MCP servers",
    description: describeUse(lockfile),
    inputSchema: INPUT_SCHEMA,
    outputSchema: OUTPUT_SCHEMA,
  };
}

/** What the agent needs to know beside the tool (specification 3.2.1, 3.2.3, 3.2.4, 3.5, 5.3.2). */
export function describeRules(limits: RunLimits): string {
  return [
    "Write one ES module in JavaScript or TypeScript with top-level await; each run starts in a fresh sandbox.",
    'Import tools from "@codemode/servers/<serverId>"; each is an async function of one input object. Nothing else can be imported, except "@codemode/errors" (error classes) and "@codemode/discovery" (searchTools(query), listTools(serverId), getTool(serverId, toolName), listServers(), describeServer(serverId)).',
    "Set globalThis.__codemode_result__ (or export default) to return a JSON value. Filter and aggregate inside the script; log little.",
    "A tool returns its structuredContent if it has one, else the text of a single text block, else the whole MCP result; images and audio come as base64 in the whole result.",
    "A failed call throws ToolCallError, a wrong input SchemaValidationError; both have a hint. Calls may run in parallel with Promise.all.",
    "There is no fetch, process, require, eval, setInterval or file system: tool calls are the only way out.",
    `Limits, which a call may lower: ${Object.entries(limits)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ")}.`,
    "Capability identifiers for requestedCapabilities are the server ids.",
  ].join("\n");
}

function describeUse(lockfile: Lockfile): string {
  const servers = [...lockfile.servers.values()].map(
    ({ id, tools }) => `- @codemode/servers/${id}: ${tools.map(({ exportName }) => exportName).join(", ")}`,
  );
  return `Runs a TypeScript or JavaScript module that calls tools of MCP servers as imported async functions, and returns its logs, result and diagnostics.\nServers and their functions:\n${servers.join("\n")}`;
}

const INPUT_SCHEMA: JsonObject = {
  type: "object",
  required: ["code"],
  properties: {
    code: { type: "string", description: "The source of an ES module." },
    limits: {
      type: "object",
      description: "Lower limits for this run.",
      properties: {
        timeoutMs: { type: "integer" },
        maxMemoryBytes: { type: "integer" },
        maxLogBytes: { type: "integer" },
        maxToolCalls: { type: "integer" },
        maxResultBytes: { type: "integer" },
      },
    },
    requestedCapabilities: {
      type: "array",
      items: { type: "string" },
      description: "Ids of servers that the code will use.",
    },
  },
};

const OUTPUT_SCHEMA: JsonObject = {
  type: "object",
  required: ["logs", "result", "diagnostics"],
  properties: {
    logs: { type: "array", items: { type: "object" } },
    result: { description: "What the script returned; null when it failed." },
    diagnostics: { type: "array", items: { type: "object" } },
    toolTrace: { type: "array", items: { type: "object" } },
  },
};

/** What a call of the run tool asks for. */
export interface RunToolRequest {
  code: string;
  limits: Partial<RunLimits>;
  requestedCapabilities: string[];
}

/** Reads the arguments of a call (specification 3.2); a string says what is wrong with them. */
export function parseRunToolRequest(input: JsonValue | undefined): RunToolRequest | string {
  if (input === undefined || !isJsonObject(input)) return "The arguments must be an object.";
  const { code, limits = {}, requestedCapabilities = [] } = input;
  if (typeof code !== "string") return 'The argument "code" must be a string: the source of an ES module.';
  if (!isJsonObject(limits)) return 'The argument "limits" must be an object.';
  if (!Array.isArray(requestedCapabilities) || !requestedCapabilities.every((item) => typeof item === "string")) {
    return 'The argument "requestedCapabilities" must be a list of strings.';
  }
  return { code, limits, requestedCapabilities };
}
