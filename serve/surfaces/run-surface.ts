import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import type { ServedView, Surface } from "../surface.ts";
import { callRunTool, isRunTool, makeRunToolDefinition, toRunToolName } from "./run-tool.ts";

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
