import { type Access, resourceVerdict } from "../../../schemas/access/access.ts";
import { readResourceUri } from "../../../schemas/access/resource-uri.ts";
import { isJsonObject, type JsonObject, ownValue } from "../../../schemas/json/json.ts";
import { LIST_RESOURCES } from "../../../schemas/lock/operations.ts";
import type { ToolCall } from "../../../schemas/lock/tools.ts";

/** The result of a call as the caller may see it: a list of resources has only what it may read. */
export function visibleResult({ serverId, toolName }: ToolCall, result: JsonObject, access: Access): JsonObject {
  if (toolName !== LIST_RESOURCES) return result;
  const listed = ownValue(result, "structuredContent");
  const resources = (Array.isArray(listed) ? listed : []).filter((resource) => {
    const uri = isJsonObject(resource) ? ownValue(resource, "uri") : undefined;
    const read = readResourceUri(typeof uri === "string" ? uri : "");
    return read.ok && resourceVerdict(access, serverId, read.forms) !== "deny";
  });
  return { ...result, structuredContent: resources };
}
