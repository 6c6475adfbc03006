import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json.ts";
import { dialectOf } from "./dialect.ts";
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
  let references: References | undefined;
  const resolve: Resolve = (from) => {
    const reference = ownValue(from, "$ref");
    if (typeof reference !== "string") return undefined;
    references ??= indexReferences(document, dialectOf(document));
    return references.find(from, reference)?.schema;
  };
  return rewrite(document, resolve, 0);
}

/** The schema that the `$ref` of a node points to. */
type Resolve = (from: JsonObject) => JsonValue | undefined;

function rewrite(node: JsonValue, resolve: Resolve, depth: number): JsonValue {
  if (!isJsonObject(node) || depth > MAX_SCHEMA_DEPTH) return node;
  const changed = new Map<string, JsonValue | undefined>();
  const required = requiredNames(node, resolve);
  if (required !== undefined) changed.set("required", required.length === 0 ? undefined : required);
  const parts = openParts(node);
  if (parts !== undefined) changed.set("allOf", parts);
  for (const [keyword, holder] of SCHEMA_HOLDERS) {
    const value = changed.get(keyword) ?? ownValue(node, keyword);
    const below = value === undefined ? undefined : rewriteHeld(value, holder, resolve, depth + 1);
    if (below !== value) changed.set(keyword, below);
  }
  if (changed.size === 0) return node;
  const entries = Object.entries(node).map(
    ([key, value]) => [key, changed.has(key) ? changed.get(key) : value] as const,
  );
  return toJsonObject(entries.filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined));
}

function rewriteHeld(value: JsonValue, holder: "schema" | "schemaMap", resolve: Resolve, depth: number): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item) => rewrite(item, resolve, depth));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (holder === "schema" || !isJsonObject(value)) return rewrite(value, resolve, depth);
  const members = Object.entries(value).map(([key, child]) => [key, rewrite(child, resolve, depth)] as const);
  return members.every(([key, child]) => child === value[key]) ? value : toJsonObject(members);
}

/** The required names without those that the server fills in; undefined where all stay. */
function requiredNames(node: JsonObject, resolve: Resolve): JsonValue[] | undefined {
  const required = ownValue(node, "required");
  const properties = ownValue(node, "properties");
  if (!Array.isArray(required) || !isJsonObject(properties)) return undefined;
  const needed = required.filter((name) => {
    const property = typeof name === "string" ? ownValue(properties, name) : undefined;
    return property === undefined || !hasDefault(property, resolve, 0);
  });
  return needed.length === required.length ? undefined : needed;
}

/** References and unions within one another that are followed to find a default. */
const MAX_STEPS_TO_DEFAULT = 8;

/** `.default("a").nullable()` prints the default into a branch; a named type prints it behind a reference. */
function hasDefault(schema: JsonValue, resolve: Resolve, steps: number): boolean {
  if (!isJsonObject(schema) || steps > MAX_STEPS_TO_DEFAULT) return false;
  if (Object.hasOwn(schema, "default")) return true;
  const target = resolve(schema);
  const branches = ["anyOf", "oneOf"].flatMap((keyword) => schemasOf(schema, keyword));
  return [...(target === undefined ? [] : [target]), ...branches].some((part) => hasDefault(part, resolve, steps + 1));
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
