import { withoutUndefined } from "../json/without-undefined.ts";
import type { ManifestTool } from "./bundle.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/json.ts";

/** A script of the configuration that can be run, as an agent may know it. */
export interface SavedScript {
  name: string;
  description?: string;
  /** The JSON Schema of its input; any input will do where it is absent. */
  input?: JsonValue;
  /** All that it may call. */
  tools: readonly ManifestTool[];
}

/** A saved script as `listScripts` of discovery tells it. */
export function toScriptInfo({ name, description, input, tools }: SavedScript): JsonObject {
  return {
    name,
    ...withoutUndefined({ description, inputSchema: isJsonObject(input) ? input : undefined }),
    tools: tools.map(({ serverId, toolName }) => `${serverId}/${toolName}`),
  };
}

/** Whether its input can be the arguments of an MCP tool, which are an object. */
export function takesObject({ input }: SavedScript): boolean {
  if (!isJsonObject(input)) return input !== false;
  const type = ownValue(input, "type");
  return type === undefined || [type].flat().includes("object");
}
