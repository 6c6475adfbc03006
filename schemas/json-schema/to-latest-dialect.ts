import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";

/** Keywords unknown to draft-07, with any value. */
const NEWER_KEYWORDS = new Set([
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "prefixItems",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/**
 * Writes one schema node, without what is below it, in the keywords of 2020-12. Keywords of older editions and of
 * OpenAPI (`nullable`) are understood in every dialect where they cannot mean anything else.
 */
export function toLatestDialect(node: JsonObject, dialect: Dialect): JsonObject {
  const entries = new Map(Object.entries(node));
  if (entries.get("nullable") === true && NULL_REFUSING.some((keyword) => entries.has(keyword)))
    return joinNull(entries);
  if (dialect === "draft-07") {
    const reference = entries.get("$ref");
    if (typeof reference === "string") return toJsonObject(keepAnnotations(entries, ["$ref", reference]));
    NEWER_KEYWORDS.forEach((keyword) => entries.delete(keyword));
  }
  if (Array.isArray(entries.get("items"))) toPrefixItems(entries);
  splitDependencies(entries);
  toExclusiveNumbers(entries, "exclusiveMinimum", "minimum");
  toExclusiveNumbers(entries, "exclusiveMaximum", "maximum");
  if (entries.get("nullable") === true) allowNull(entries);
  if (entries.has("$recursiveRef")) entries.set("$ref", entries.get("$recursiveRef") ?? "#");
  return toJsonObject(entries);
}

/** In draft-07 nothing beside a reference is checked; what generators print there all the same describes it. */
function keepAnnotations(entries: Map<string, JsonValue>, reference: [string, JsonValue]): [string, JsonValue][] {
  return [reference, ...[...entries].filter(([keyword]) => keyword === "description" || keyword === "default")];
}

function toPrefixItems(entries: Map<string, JsonValue>): void {
  const rest = entries.get("additionalItems");
  const first = entries.get("items") as JsonValue[];
  entries.delete("items");
  if (first.length > 0) entries.set("prefixItems", first);
  if (rest !== undefined) entries.set("items", rest);
}

function splitDependencies(entries: Map<string, JsonValue>): void {
  const dependencies = entries.get("dependencies");
  if (!isJsonObject(dependencies)) return;
  const all = Object.entries(dependencies);
  for (const [keyword, isKind] of [
    ["dependentRequired", (value: JsonValue) => Array.isArray(value)],
    ["dependentSchemas", (value: JsonValue) => !Array.isArray(value)],
  ] as const) {
    const own = all.filter(([, value]) => isKind(value));
    if (own.length > 0 && !entries.has(keyword)) entries.set(keyword, toJsonObject(own));
  }
}

/** Draft-04 says `exclusiveMinimum: true` of a `minimum`. */
function toExclusiveNumbers(entries: Map<string, JsonValue>, exclusive: string, inclusive: string): void {
  if (typeof entries.get(exclusive) !== "boolean") return;
  const limit = entries.get(inclusive);
  if (entries.get(exclusive) === true && limit !== undefined) {
    entries.set(exclusive, limit);
    entries.delete(inclusive);
  } else entries.delete(exclusive);
}

/** Keywords that may refuse `null` although `type` allows it. */
const NULL_REFUSING = ["$ref", "allOf", "anyOf", "const", "not", "oneOf"];

/** OpenAPI's `nullable`. */
function allowNull(entries: Map<string, JsonValue>): void {
  const values = entries.get("enum");
  if (Array.isArray(values) && !values.includes(null)) entries.set("enum", [...values, null]);
  const types = ownTypes(entries);
  if (types.length > 0 && !types.includes("null")) entries.set("type", [...types, "null"]);
}

/** A union with `null` of all that a schema says, but for its description and default. */
function joinNull(entries: Map<string, JsonValue>): JsonObject {
  const isKept = ([keyword]: [string, JsonValue]): boolean => keyword === "description" || keyword === "default";
  const moved = [...entries].filter((entry) => !isKept(entry) && entry[0] !== "nullable");
  return toJsonObject([...[...entries].filter(isKept), ["anyOf", [toJsonObject(moved), { type: "null" }]]]);
}

function ownTypes(entries: Map<string, JsonValue>): JsonValue[] {
  const type = ownValue(toJsonObject(entries), "type");
  return type === undefined ? [] : [type].flat();
}

/** The editions of JSON Schema that codemode reads; older ones are read as draft-07. */
export type Dialect = "draft-07" | "2019-09" | "2020-12";

/** The dialect that `$schema` names; 2020-12 where it names none, as MCP says (SEP-1613). */
export function dialectOf(schema: JsonValue | undefined): Dialect {
  const uri = isJsonObject(schema) ? ownValue(schema, "$schema") : undefined;
  if (typeof uri !== "string") return "2020-12";
  if (/draft-0[3467]/.test(uri)) return "draft-07";
  return uri.includes("2019-09") ? "2019-09" : "2020-12";
}
