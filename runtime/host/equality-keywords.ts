import type { FuncKeywordDefinition } from "ajv";
import { _ } from "ajv/dist/compile/codegen/index.js";
import { canonicalJson } from "../../schemas/canonical-json.ts";
import type { JsonValue } from "../../schemas/json.ts";

/**
 * The keywords that compare values, by their canonical text. The compiler's own comparison calls methods of the values that it compares, so
 * that a property `toString` in an input would throw; it also takes time by the number of members for each value.
 */
export const EQUALITY_KEYWORDS: ReadonlyMap<string, FuncKeywordDefinition> = new Map(
  [
    {
      keyword: "const",
      error: { message: "must be equal to constant", params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
      compile: (allowed: JsonValue) => isOneOf([allowed]),
    } satisfies FuncKeywordDefinition,
    {
      keyword: "enum",
      schemaType: "array",
      error: {
        message: "must be equal to one of the allowed values",
        params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
      },
      compile: isOneOf,
    } satisfies FuncKeywordDefinition,
    {
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      error: { message: "must NOT have duplicate items" },
      validate: (isWanted: boolean, items: readonly JsonValue[]) =>
        !isWanted || new Set(items.map(canonicalJson)).size === items.length,
    } satisfies FuncKeywordDefinition,
  ].map((definition) => [definition.keyword, definition]),
);

function isOneOf(allowed: readonly JsonValue[]): (value: JsonValue) => boolean {
  const texts = new Set(allowed.map(canonicalJson));
  const hasObjects = allowed.some((value) => typeof value === "object" && value !== null);
  return (value) => (hasObjects || typeof value !== "object" || value === null) && texts.has(canonicalJson(value));
}
