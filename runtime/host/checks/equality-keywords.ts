import type { FuncKeywordDefinition } from "ajv";
import { _ } from "ajv/dist/compile/codegen/index.js";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";

/** Receives the number of characters of canonical text that a comparison creates. May throw, which ends the check. */
type Charge = (characters: number) => void;

/**
 * Makes the keywords that compare values, by their canonical text. The compiler's own comparison calls methods of the values that it
 * compares, so that a property `toString` in an input would throw; it also takes time by the number of members for each value.
 *
 * @param charge because a schema can have the same large value printed once for each of its levels, or for each of its branches
 */
export function makeEqualityKeywords(charge: Charge): ReadonlyMap<string, FuncKeywordDefinition> {
  const print = (value: JsonValue): string => {
    const text = canonicalJson(value);
    charge(text.length);
    return text;
  };
  const isOneOf = (allowed: readonly JsonValue[]): ((value: JsonValue) => boolean) => {
    const texts = new Set(allowed.map(canonicalJson));
    const hasObjects = allowed.some((value) => typeof value === "object" && value !== null);
    return (value) => (hasObjects || typeof value !== "object" || value === null) && texts.has(print(value));
  };
  const definitions: FuncKeywordDefinition[] = [
    {
      keyword: "const",
      error: { message: "must be equal to constant", params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
      compile: (allowed: JsonValue) => isOneOf([allowed]),
    },
    {
      keyword: "enum",
      schemaType: "array",
      error: {
        message: "must be equal to one of the allowed values",
        params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
      },
      compile: isOneOf,
    },
    {
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      error: { message: "must NOT have duplicate items" },
      validate: (isWanted: boolean, items: readonly JsonValue[]) =>
        !isWanted || items.length < 2 || new Set(items.map(print)).size === items.length,
    },
  ];
  return new Map(definitions.map((definition) => [String(definition.keyword), definition]));
}
