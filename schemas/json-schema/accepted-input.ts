import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import { dialectOf } from "./to-latest-dialect.ts";
import { SCHEMA_HOLDERS } from "./keywords.ts";
import { indexReferences, MAX_SCHEMA_DEPTH, type References } from "./references.ts";

/**
 * Rewrites the input schema that a server prints into the one that it acts on. Generators describe the value after the
 * server has filled in its defaults, so two of their habits refuse inputs that the server accepts:
 *
 * - a property with a `default` is `required` (zod 4 in output mode, pydantic in serialization mode, TypeBox)
 * - the parts of an intersection are each closed, so that together they refuse everything (zod 4 in output mode)
 *
 * What needs no change is returned as it is.
 */
export function toAcceptedInput(document: JsonValue): JsonValue {
  return rewrite(document, makeDefaultSearch(document), 0);
}

/** Tells whether a server fills in what has this schema. */
type HasDefault = (schema: JsonValue) => boolean;

/** `.default("a").nullable()` prints the default into a branch; a named type prints it behind a reference. */
function makeDefaultSearch(document: JsonValue): HasDefault {
  let references: References | undefined;
  const known = new Map<JsonObject, boolean>();
  const resolve = (from: JsonObject): JsonValue[] => {
    const reference = ownValue(from, "$ref");
    if (typeof reference !== "string") return [];
    references ??= indexReferences(document, dialectOf(document));
    const target = references.find(from, reference)?.schema;
    return target === undefined ? [] : [target];
  };
  const hasDefault = (schema: JsonValue, depth: number): boolean => {
    if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return false;
    const before = known.get(schema);
    if (before !== undefined) return before;
    // Where a schema leads back to itself, that way finds nothing.
    known.set(schema, false);
    const parts = [...resolve(schema), ...schemasOf(schema, "anyOf"), ...schemasOf(schema, "oneOf")];
    const found = Object.hasOwn(schema, "default") || parts.some((part) => hasDefault(part, depth + 1));
    known.set(schema, found);
    return found;
  };
  return (schema) => hasDefault(schema, 0);
}

function rewrite(node: JsonValue, hasDefault: HasDefault, depth: number): JsonValue {
  if (!isJsonObject(node) || depth > MAX_SCHEMA_DEPTH) return node;
  const changed = new Map<string, JsonValue | undefined>();
  const required = requiredNames(node, hasDefault);
  if (required !== undefined) changed.set("required", required.length === 0 ? undefined : required);
  const parts = openParts(node);
  if (parts !== undefined) changed.set("allOf", parts);
  for (const [keyword, holder] of SCHEMA_HOLDERS) {
    const value = changed.get(keyword) ?? ownValue(node, keyword);
    const below = value === undefined ? undefined : rewriteHeld(value, holder, hasDefault, depth + 1);
    if (below !== value) changed.set(keyword, below);
  }
  if (changed.size === 0) return node;
  const entries = Object.entries(node).map(
    ([key, value]) => [key, changed.has(key) ? changed.get(key) : value] as const,
  );
  return toJsonObject(entries.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined));
}

function rewriteHeld(
  value: JsonValue,
  holder: "schema" | "schemaMap",
  hasDefault: HasDefault,
  depth: number,
): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => rewrite(item, hasDefault, depth));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (holder === "schema" || !isJsonObject(value)) return rewrite(value, hasDefault, depth);
  const members = Object.entries(value).map(([key, child]) => [key, rewrite(child, hasDefault, depth)] as const);
  return members.every(([key, child]) => child === value[key]) ? value : toJsonObject(members);
}

/** The required names without those that the server fills in; undefined where all stay. */
function requiredNames(node: JsonObject, hasDefault: HasDefault): JsonValue[] | undefined {
  const required = ownValue(node, "required");
  const properties = ownValue(node, "properties");
  if (!Array.isArray(required) || !isJsonObject(properties)) return undefined;
  const needed = required.filter((name) => {
    const property = typeof name === "string" ? ownValue(properties, name) : undefined;
    return property === undefined || !hasDefault(property);
  });
  return needed.length === required.length ? undefined : needed;
}

/** The parts of an `allOf` without their `additionalProperties: false`; undefined unless several of them are closed. */
function openParts(node: JsonObject): JsonValue[] | undefined {
  const parts = schemasOf(node, "allOf");
  return parts.filter(isClosed).length < 2
    ? undefined
    : parts.map((part) => (isClosed(part) ? withoutClosing(part) : part));
}

function isClosed(schema: JsonValue): schema is JsonObject {
  return isJsonObject(schema) && ownValue(schema, "additionalProperties") === false;
}

function withoutClosing(schema: JsonObject): JsonObject {
  return toJsonObject(Object.entries(schema).filter(([keyword]) => keyword !== "additionalProperties"));
}

function schemasOf(node: JsonObject, keyword: string): JsonValue[] {
  const value = ownValue(node, keyword);
  return Array.isArray(value) ? value : [];
}
