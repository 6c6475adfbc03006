import { nearestName } from "@codemode/runtime/nearest-name";
import { describeMismatch } from "@codemode/runtime/validation";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../../schemas/json/json.ts";
import { shortenText } from "../../../schemas/text/short-text.ts";
import { validateInput } from "./input-check.ts";
import { toSourceLiteral } from "../../../schemas/text/visible-text.ts";

/** Of a name in a message, in characters. */
const LONGEST_NAME = 100;

/**
 * Why what a person has changed of a call cannot be what they mean: it changes nothing, it does not fit the schema of the tool, or it names an argument
 * that neither the call nor that schema has, at the top or inside of an argument. Most servers ignore such a name, and would do what the person did not want.
 */
export function findMistakenChange(
  schema: JsonValue | undefined,
  before: JsonObject,
  after: JsonObject,
): string | undefined {
  const unknown = makeSearch(schema)(schema, before, after);
  if (unknown !== undefined) {
    const { written, meant } = unknown;
    const hint = meant === undefined ? "" : ` Did you mean ${quote(meant)}?`;
    return `The call has no argument ${quote(written)}, and neither has its tool.${hint}`;
  }
  const isSame = canonicalJson(before) === canonicalJson(after);
  if (isSame) return "The answer changes nothing. Allow the call if it may be made as it is.";
  const issues = validateInput(schema)(after);
  if (issues.length === 0) return undefined;
  const { pointer, expected, received, hint } = describeMismatch(after, issues);
  const place = pointer === "" ? "The arguments" : quote(pointer);
  return `${place} should be ${expected}, received ${received}. ${hint}`;
}

interface Mistake {
  written: string;
  meant: string | undefined;
}

/** Looks at one value of the input, whose schema is known as far as `properties` and `items` lead to it. */
function makeSearch(root: JsonValue | undefined) {
  // What a reference or a combination declares is looked for in all of the schema.
  let everywhere: ReadonlySet<string> | undefined;
  const search = (
    schema: JsonValue | undefined,
    before: JsonValue | undefined,
    after: JsonValue,
  ): Mistake | undefined => {
    if (Array.isArray(after)) {
      const old = Array.isArray(before) ? before : [];
      return firstOf(after, (item, index) => search(member(schema, "items"), old[index], item));
    }
    if (!isJsonObject(after)) return undefined;
    const old = isJsonObject(before) ? before : {};
    const properties = member(schema, "properties");
    if (isJsonObject(schema) && isClosed(schema)) {
      const own = isJsonObject(properties) ? Object.keys(properties) : [];
      const declares = (name: string): boolean => {
        if (!ELSEWHERE.some((keyword) => Object.hasOwn(schema, keyword))) return own.includes(name);
        everywhere ??= new Set(namesIn(root));
        return everywhere.has(name);
      };
      const written = Object.keys(after).find((name) => !Object.hasOwn(old, name) && !declares(name));
      if (written !== undefined) return { written, meant: nearestName(written, [...own, ...Object.keys(old)]) };
    }
    return firstOf(Object.entries(after), ([name, value]) =>
      search(member(properties, name), ownValue(old, name), value),
    );
  };
  return search;
}

/** Keywords that lead to other schemas of the same value. */
const ELSEWHERE = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"];

/** Whether an object names its members: a map and a value of any form do not. */
function isClosed(schema: JsonObject): boolean {
  const { additionalProperties, patternProperties } = schema;
  if (isJsonObject(patternProperties)) return false;
  if (isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0) return false;
  return isJsonObject(schema["properties"]) || ELSEWHERE.some((keyword) => Object.hasOwn(schema, keyword));
}

function namesIn(schema: JsonValue | undefined): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (!isJsonObject(schema)) return [];
  const { properties } = schema;
  return [...(isJsonObject(properties) ? Object.keys(properties) : []), ...Object.values(schema).flatMap(namesIn)];
}

function firstOf<Item, Found>(
  items: readonly Item[],
  find: (item: Item, index: number) => Found | undefined,
): Found | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function member(schema: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(schema) ? ownValue(schema, key) : undefined;
}

function quote(name: string): string {
  return toSourceLiteral(shortenText(name, LONGEST_NAME));
}
