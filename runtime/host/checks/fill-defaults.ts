import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";

/**
 * An input with the defaults of its schema: a tool that checks its input itself fills them in where it is not seen.
 * @returns the same object where nothing is missing
 */
export function fillDefaults(schema: JsonValue | undefined, input: JsonObject): JsonObject {
  const properties = isJsonObject(schema) ? ownValue(schema, "properties") : undefined;
  if (!isJsonObject(properties)) return input;
  let filled = input;
  for (const [name, property] of Object.entries(properties)) {
    const value = ownValue(input, name);
    const made = isJsonObject(value)
      ? fillDefaults(property, value)
      : value === undefined
        ? defaultOf(property)
        : value;
    if (made !== undefined && made !== value) filled = { ...filled, [name]: made };
  }
  return filled;
}

function defaultOf(property: JsonValue): JsonValue | undefined {
  return isJsonObject(property) ? structuredClone(ownValue(property, "default")) : undefined;
}
