import { type JsonObject, type JsonValue, ownValue } from "../../schemas/json/json.ts";
import type { Lockfile, LockedServer } from "../../schemas/lock/lockfile.ts";
import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import { type ToolDetail, toToolDefinition } from "../../schemas/lock/tool-details.ts";
import { declarationsOfTool, signatureOf } from "../../engine/declarations.ts";
import { type FoundTool, searchLockedTools } from "../../engine/search-tools.ts";
import { countTools } from "../servers-in-order.ts";
import type { ServedView, Surface, ToolCallResult } from "../surface.ts";
import {
  answerWithText,
  CallProblem,
  readOptionalCount,
  readOptionalText,
  textArgument,
  serverOfArgument,
} from "./tool-arguments.ts";
import { callRunTool, isRunTool, makeRunToolDefinition, SHOWN_AT_ONCE } from "./run-tool.ts";

const DEFAULT_RESULTS = 10;
const MOST_RESULTS = 50;

export const SEARCH_FINDING =
  'The tool search finds tools and shows their signatures: search for the tool that you imagine, by verb and noun ("refund payment").';

export const SEARCH_TOOL = {
  name: "search",
  title: "Search tools",
  description:
    'Finds tools of MCP servers by the name that you would give them, verb and noun ("refund payment"), the best match first, with the TypeScript signatures that code for execute needs.',
  inputSchema: {
    type: "object",
    required: ["query"],
    properties: {
      query: { type: "string" },
      serverId: { type: "string", description: "Only tools of this server" },
      limit: { type: "integer", minimum: 1, maximum: MOST_RESULTS, default: DEFAULT_RESULTS },
      detail: {
        enum: ["name", "description", "full"],
        default: "description",
        description: "name: names only; full: doc comments and JSON Schemas too",
      },
    },
  },
  annotations: { readOnlyHint: true },
  _meta: SHOWN_AT_ONCE,
} satisfies JsonObject;

/** Two tools: one finds tools, one runs code that uses them. */
export function makeSearchSurface(view: ServedView, settings: ServeSettings): Surface {
  const describeRun = makeRunToolDefinition(view, settings, SEARCH_FINDING);
  const runsCode = (name: string): boolean => name === "execute" || isRunTool(name, settings);
  return {
    runKind: (name) => (runsCode(name) ? "code" : undefined),
    listTools: async (client) => [SEARCH_TOOL, await describeRun("execute", client)],
    callTool(name, input, call) {
      if (runsCode(name)) return callRunTool(view, input, call);
      return name === SEARCH_TOOL.name ? callSearchTool(view, input) : undefined;
    },
  };
}

/** Finds tools of what a view shows now. */
export function callSearchTool(view: ServedView, input: JsonValue | undefined): Promise<ToolCallResult> {
  const lockfile = view.lockfile();
  return answerWithText(input, (given) => search(lockfile, given));
}

async function search(lockfile: Lockfile, input: JsonObject): Promise<ToolCallResult> {
  const query = textArgument(input, "query");
  const detail = readDetail(input);
  const limit = Math.min(readOptionalCount(input, "limit") ?? DEFAULT_RESULTS, MOST_RESULTS);
  const named = readOptionalText(input, "serverId");
  const only = named === undefined ? undefined : serverOfArgument(lockfile, named, "Leave serverId out to search all.");
  const found = groupByServer(searchLockedTools(lockfile, query, { serverId: only?.id, limit }));
  const count = countTools(only === undefined ? [...lockfile.servers.values()] : [only]);
  const summary = `Found ${found.length} of ${count} tools.${found.length === 0 ? " Try other words, or fewer." : ""}`;
  const texts = await Promise.all(found.map((match) => printMatch(match, detail)));
  return {
    content: [{ type: "text", text: `${summary}\n${printUnderImports(found, texts)}`.trimEnd() }],
    structuredContent: { query, count, results: found.map((match) => toResult(match, detail)) },
  };
}

async function printMatch({ server, tool }: FoundTool, detail: ToolDetail): Promise<string> {
  if (detail === "name") return tool.exportName;
  return detail === "full" ? (await declarationsOfTool(server, tool)).trimEnd() : signatureOf(tool);
}

/** The signature begins with what the description begins with; the whole of it, and the schemas, only on demand. */
function toResult({ server, tool }: FoundTool, detail: ToolDetail): JsonObject {
  const definition = toToolDefinition(tool, detail === "full" ? "full" : "name", signatureOf);
  const signature = detail === "description" ? { signature: signatureOf(tool) } : {};
  return { serverId: server.id, ...definition, ...signature };
}

function readDetail(input: JsonObject): ToolDetail {
  const detail: JsonValue = ownValue(input, "detail") ?? "description";
  if (detail === "name" || detail === "description" || detail === "full") return detail;
  throw new CallProblem('The argument "detail" must be "name", "description" or "full".', "Leave it out.");
}

/** The tools of each server together where one server has most of them; otherwise as they are. The servers keep the order of their best matches. */
function groupByServer(found: readonly FoundTool[]): FoundTool[] {
  const groups = new Map<LockedServer, FoundTool[]>();
  for (const match of found) groups.set(match.server, [...(groups.get(match.server) ?? []), match]);
  const isDominated = [...groups.values()].some(({ length }) => length > found.length / 2);
  return isDominated ? [...groups.values()].flat() : [...found];
}

/** Texts of tools, the import before each that comes from another server than the one above it. */
export function printUnderImports(found: readonly FoundTool[], texts: readonly string[]): string {
  const blocks = found.map(({ server }, position) => {
    const isFirst = found[position - 1]?.server !== server;
    return `${isFirst ? `\n// from "@codemode/servers/${server.id}"\n` : ""}${texts[position]}`;
  });
  return blocks.join("\n");
}
