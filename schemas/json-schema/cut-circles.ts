import { type JsonObject, type JsonValue, toJsonObject } from "../json/json.ts";
import type { CleanNode, SchemaProblem } from "./clean-node.ts";

/** Keywords whose schemas look at the same value as the schema that they stand in. */
const IN_PLACE = new Set(["allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"]);

/** Schemas by the reference that points to them: `#` and `#/$defs/NAME`. */
export type NodesByReference = ReadonlyMap<string, CleanNode>;

/**
 * Removes references by which a schema is asked of a value that is already being asked of it: a validator would never end.
 * Recursion into the parts of a value stays.
 */
export function cutCircles(nodes: NodesByReference, problems: SchemaProblem[]): NodesByReference {
  const edges = new Map([...nodes].map(([reference, node]) => [reference, inPlaceReferences(node)]));
  const circular = new Set([...nodes.keys()].filter((reference) => reaches(reference, reference, edges)));
  return new Map(
    [...nodes].map(([reference, node]) => {
      if (!circular.has(reference)) return [reference, node];
      problems.push({
        pointer: reference.slice(1),
        message: "refers to itself without end; that reference is not checked",
      });
      return [reference, withoutReferences(node, circular)];
    }),
  );
}

function inPlaceReferences(node: CleanNode): string[] {
  if (typeof node === "boolean") return [];
  return Object.entries(node).flatMap(([keyword, value]) => {
    if (keyword === "$ref") return [String(value)];
    return IN_PLACE.has(keyword) ? nodesOf(keyword, value).flatMap(inPlaceReferences) : [];
  });
}

/** The schemas in the value of an in-place keyword. */
function nodesOf(keyword: string, value: JsonValue): CleanNode[] {
  if (Array.isArray(value)) return value as CleanNode[];
  return keyword === "dependentSchemas" ? (Object.values(value as JsonObject) as CleanNode[]) : [value as CleanNode];
}

function reaches(from: string, goal: string, edges: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of edges.get(next) ?? []) {
      if (target === goal) return true;
      if (!seen.has(target)) open.push(target);
      seen.add(target);
    }
  }
  return false;
}

function withoutReferences(node: CleanNode, removed: ReadonlySet<string>): CleanNode {
  if (typeof node === "boolean") return node;
  const change = (value: JsonValue): CleanNode => withoutReferences(value as CleanNode, removed);
  const isRemoved = ([keyword, value]: [string, JsonValue]): boolean => {
    if (keyword === "$ref") return removed.has(String(value));
    // Without the reference it would refuse everything.
    return keyword === "not" && inPlaceReferences(value as CleanNode).some((reference) => removed.has(reference));
  };
  const entries = Object.entries(node).filter((entry) => !isRemoved(entry));
  return toJsonObject(
    entries.map(([keyword, value]) => {
      if (!IN_PLACE.has(keyword)) return [keyword, value];
      if (Array.isArray(value)) return [keyword, value.map(change)];
      if (keyword !== "dependentSchemas") return [keyword, change(value)];
      return [
        keyword,
        toJsonObject(Object.entries(value as JsonObject).map(([name, schema]) => [name, change(schema)])),
      ];
    }),
  );
}
