import { type JsonObject, type JsonValue, ownValue, toJsonObject } from "../../schemas/json/json.ts";
import type { CleanNode } from "../../schemas/json-schema/clean-node.ts";
import type { CleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { ASSERTIONS } from "../../schemas/json-schema/keywords.ts";

/** Stands where something was left out: a reference to nothing. */
const PRUNED = "#pruned";

/** Parts of one schema that are kept, and how far they may be inside of one another. */
const MAX_NODES = 1500;
const MAX_NESTING = 40;
/** More than a short signature shows, so that the printer sees that there is more. */
const MAX_OPTIONAL = 100;
const MAX_MEMBERS = 100;
const MAX_REQUIRED = 300;

/**
 * Cuts a schema down to what a short signature can show, so that a schema of any size costs little to print.
 * @param depth how many objects within one another are kept
 * @returns the root as `#` and the definitions that are still referred to, by their reference
 */
export function pruneSchema(clean: CleanSchema, depth: number): Map<string, CleanNode> {
  const references = new Set(["#"]);
  let nodes = 0;

  const prune = (node: CleanNode, level: number, nesting: number): CleanNode => {
    if (typeof node === "boolean") return node;
    nodes += 1;
    if (nodes > MAX_NODES || nesting > MAX_NESTING || level > depth || isTooWide(node)) return { $ref: PRUNED };
    const reference = ownValue(node, "$ref");
    if (typeof reference === "string") references.add(reference);
    const below = (child: CleanNode): CleanNode => prune(child, level + 1, nesting + 1);
    const beside = (child: CleanNode): CleanNode => prune(child, level, nesting + 1);
    return toJsonObject(
      Object.entries(node).map(([keyword, value]) => [keyword, pruneValue(node, keyword, value, { below, beside })]),
    );
  };

  const pruned = new Map<string, CleanNode>();
  // Pruning a definition may find further ones, which join the end of the set.
  for (const reference of references) {
    const node = reference === "#" ? clean.root : clean.definitions.get(reference.slice("#/$defs/".length));
    if (node !== undefined && nodes <= MAX_NODES) pruned.set(reference, prune(node, 0, 0));
  }
  return pruned;
}

interface Pruning {
  /** For what an object holds. */
  below(child: CleanNode): CleanNode;
  /** For what looks at the same value, and for items. */
  beside(child: CleanNode): CleanNode;
}

function pruneValue(node: JsonObject, keyword: string, value: JsonValue, { below, beside }: Pruning): JsonValue {
  if (keyword === "properties") return pruneProperties(node, value as JsonObject, below);
  if (keyword === "enum") return pruneValues(value as JsonValue[]);
  switch (ASSERTIONS.get(keyword)) {
    case "schema":
      return beside(value as CleanNode);
    case "schemas":
      return (value as CleanNode[]).slice(0, MAX_MEMBERS).map(beside);
    case "schemaMap":
    case "patternMap":
      return toJsonObject(Object.entries(value as JsonObject).map(([key, child]) => [key, below(child as CleanNode)]));
    default:
      return value;
  }
}

/** Values of a type that is not among the first stay, so that an output type can name all types. */
function pruneValues(values: readonly JsonValue[]): JsonValue[] {
  const kindOf = (value: JsonValue): string => (value === null ? "null" : typeof value);
  const kinds = new Set(values.slice(0, MAX_MEMBERS).map(kindOf));
  return values.filter((value, index) => index < MAX_MEMBERS || !kinds.has(kindOf(value)));
}

function pruneProperties(node: JsonObject, properties: JsonObject, below: Pruning["below"]): JsonObject {
  const required = new Set(requiredOf(node));
  const entries = Object.entries(properties);
  const needed = entries.filter(([name]) => required.has(name));
  const optional = entries.filter(([name]) => !required.has(name)).slice(0, MAX_OPTIONAL);
  return toJsonObject([...needed, ...optional].map(([name, child]) => [name, below(child as CleanNode)]));
}

/** Where a part cannot be left out without saying something else, all of it is. */
function isTooWide(node: JsonObject): boolean {
  const size = (keyword: string): number => Object.keys((ownValue(node, keyword) ?? {}) as object).length;
  return (
    requiredOf(node).length > MAX_REQUIRED || size("allOf") > MAX_MEMBERS || size("patternProperties") > MAX_MEMBERS
  );
}

function requiredOf(node: JsonObject): JsonValue[] {
  const required = ownValue(node, "required");
  return Array.isArray(required) ? required : [];
}
