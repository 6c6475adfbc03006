import { withoutUndefined } from "../json/without-undefined.ts";
import { isJsonObject, type JsonObject, ownValue } from "../json/json.ts";
import { toAcceptedInput } from "../json-schema/clean-schema.ts";
import type { LockedServer, LockedTool } from "./lockfile.ts";
import { modulesOf } from "./operations.ts";

/** The level of detail of a tool (specification 4.3). */
export type ToolDetail = "name" | "description" | "full";

/** A server as `listServers` tells it (specification 4.2.1); `modules` is an extension: what can be imported of it beside its tools. */
export function toServerInfo(server: LockedServer): JsonObject {
  const { id, name, capabilities } = server;
  const [, ...others] = modulesOf(server);
  return {
    serverId: id,
    serverName: name,
    capabilities: Object.keys(capabilities),
    ...withoutUndefined({ modules: others.length === 0 ? undefined : others.map((module) => module.id) }),
  };
}

/** A server as `describeServer` tells it (specification 4.2.2). */
export function toServerDescription(server: LockedServer): JsonObject {
  const description = server.instructions ?? ownValue(server.serverInfo, "description");
  const version = ownValue(server.serverInfo, "version");
  return {
    ...toServerInfo(server),
    ...withoutUndefined({
      description: typeof description === "string" ? description : undefined,
      version: typeof version === "string" ? version : undefined,
    }),
  };
}

/** Gives the compact TypeScript signature of a tool. */
export type SignatureOf = (tool: LockedTool) => string;

/**
 * A tool with as much as the level asks for; what the server did not send is left out (specification 4.2.3, 4.2.4).
 * `signature` is an extension: with it one look-up is enough to write the call.
 */
export function toToolDefinition(tool: LockedTool, detail: ToolDetail, signatureOf: SignatureOf): JsonObject {
  const definition: JsonObject = { toolName: tool.name, exportName: tool.exportName };
  if (detail === "name") return definition;
  if (tool.description !== undefined) definition["description"] = tool.description;
  if (tool.annotations !== undefined && isJsonObject(tool.annotations)) definition["annotations"] = tool.annotations;
  definition["signature"] = signatureOf(tool);
  if (detail === "description") return definition;
  const { inputSchema, outputSchema } = tool;
  // As bindings accept it: a script must not be asked for what the server fills in.
  const accepted = inputSchema === undefined ? undefined : toAcceptedInput(inputSchema);
  if (isJsonObject(accepted)) definition["inputSchema"] = accepted;
  if (isJsonObject(outputSchema)) definition["outputSchema"] = outputSchema;
  return definition;
}
