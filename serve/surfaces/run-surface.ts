import type { ServeSettings } from "../../schemas/config/serve-settings.ts";
import type { ServedView, Surface } from "../surface.ts";
import { callRunTool, isRunTool, makeRunToolDefinition, toRunToolName } from "./run-tool.ts";

/** How an agent finds tools that the description does not show. */
export const FINDING =
  'Find tools with import { searchTools, listServers } from "@codemode/discovery": each of (await searchTools("some words")).results has serverId, exportName and signature.';

/** The default: one tool, which runs code. */
export function makeRunSurface(view: ServedView, settings: ServeSettings): Surface {
  const describeRun = makeRunToolDefinition(view, settings, FINDING);
  return {
    listTools: async (client) => [await describeRun(toRunToolName(settings, client), client)],
    callTool: (name, input, call) => (isRunTool(name, settings) ? callRunTool(view, input, call) : undefined),
  };
}
