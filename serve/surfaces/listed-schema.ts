import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { isJsonObject, type JsonObject, type JsonValue, toJsonObject } from "../../schemas/json/json.ts";

/**
 * A schema as MCP allows it at the root. Clients drop the whole list of tools where one of them has anything else there,
 * and one server must not take the tools of all others with it.
 */
export function toListedSchema(schema: JsonObject): JsonObject {
  const { properties, required, ...rest } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return {
    ...rest,
    type: "object",
    ...withoutUndefined({
      properties: isJsonObject(properties) ? toJsonObject(Object.entries(properties).map(toListedProperty)) : undefined,
      required: names.length > 0 ? names : undefined,
    }),
  };
}

function toListedProperty([name, schema]: [string, JsonValue]): [string, JsonValue] {
  if (isJsonObject(schema)) return [name, schema];
  return [name, schema === false ? { not: {} } : {}];
}
