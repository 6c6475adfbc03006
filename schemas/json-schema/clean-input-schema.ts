import { isJsonObject, type JsonValue } from "../json/json.ts";
import { type CleanSchema, cleanSchema } from "./clean-schema.ts";

/** Keywords by which a root without `type` may still be something else than an object. */
export const COMPOSING_KEYWORDS = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "enum", "const"] as const;

/**
 * Cleans the input schema of a tool. In MCP an input is an object, also where its schema leaves that out;
 * a tool without a usable schema accepts any object.
 */
export function cleanInputSchema(schema: JsonValue | undefined): CleanSchema {
  if (!isJsonObject(schema)) {
    const message = `${schema === undefined ? "is missing" : "is not a schema"}; any object is accepted`;
    return {
      dialect: "2020-12",
      root: { type: "object" },
      definitions: new Map(),
      problems: [{ pointer: "", message }],
    };
  }
  const clean = cleanSchema(schema, "input");
  const { root } = clean;
  if (typeof root === "boolean" || Object.hasOwn(root, "type")) return clean;
  const isComposed = COMPOSING_KEYWORDS.some((keyword) => Object.hasOwn(root, keyword));
  return isComposed && !Object.hasOwn(root, "properties") ? clean : { ...clean, root: { type: "object", ...root } };
}
