import { type JsonObject, type JsonValue, toJsonObject } from "../json/json.ts";
import type { CleanNode, SchemaProblem } from "./keywords.ts";

/** Keywords whose schemas look at the same value as the schema that they stand in. */
const IN_PLACE = new Set(["allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"]);

/** Schemas by the reference that points to them: `#` and `#/$defs/NAME`. */
export type NodesByReference = ReadonlyMap<string, CleanNode>;

/**
 * Removes references by which a schema is asked of a value that is already being asked of it: a validator would never end.
 * Recursion into the parts of a value stays.
 */
export function cutCircles(nodes: NodesByReference, problems: SchemaProblem[]): NodesByReference {
  const edges = inPlaceEdges(nodes);
  const circular = new Set([...nodes.keys()].filter((reference) => reaches(reference, reference, edges)));
  const message = "refers to itself without end; that reference is not checked";
  return cutReferences(nodes, (reference) => (circular.has(reference) ? circular : undefined), message, problems);
}

/** By the reference to a schema: the references by which others look at the same value as it does. */
export function inPlaceEdges(nodes: NodesByReference): ReadonlyMap<string, readonly string[]> {
  return new Map([...nodes].map(([reference, node]) => [reference, inPlaceReferences(node)]));
}

/**
 * Takes references out of schemas, which accept at least what they accepted before. Each schema that is changed is a problem.
 * @param removedFrom the references to take out of the schema that a reference points to; undefined for none
 */
export function cutReferences(
  nodes: NodesByReference,
  removedFrom: (reference: string) => ReadonlySet<string> | undefined,
  message: string,
  problems: SchemaProblem[],
): NodesByReference {
  return new Map(
    [...nodes].map(([reference, node]) => {
      const removed = removedFrom(reference);
      if (removed === undefined) return [reference, node];
      problems.push({ pointer: reference.slice(1), message });
      return [reference, withoutReferences(node, removed)];
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
