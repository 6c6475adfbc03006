import type { SchemaProblem } from "./clean-node.ts";
import { cutReferences, inPlaceEdges, type NodesByReference } from "./cut-circles.ts";
import { MAX_SCHEMA_DEPTH } from "./references.ts";

/**
 * Ends chains of references that all look at the same value once they are as long as a schema may be deep: a validator and the type checker
 * need a level of their stacks for each. The references go in no circle (`cutCircles`).
 */
export function cutChains(nodes: NodesByReference, problems: SchemaProblem[]): NodesByReference {
  const edges = inPlaceEdges(nodes);
  const ends = findChainEnds(edges);
  const message = `ends a chain of ${MAX_SCHEMA_DEPTH} references; what it refers to is not checked there`;
  const removedFrom = (reference: string) => (ends.has(reference) ? new Set(edges.get(reference)) : undefined);
  return cutReferences(nodes, removedFrom, message, problems);
}

/** Where the longest chain to a schema has reached the bound; what follows it begins a new one. */
function findChainEnds(edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const ends = new Set<string>();
  const lengths = new Map<string, number>();
  const waiting = new Map<string, number>();
  for (const target of [...edges.values()].flat()) waiting.set(target, (waiting.get(target) ?? 0) + 1);
  const ready = [...edges.keys()].filter((reference) => !waiting.has(reference));
  // A schema is looked at after all that refer to it.
  for (const reference of ready) {
    const targets = edges.get(reference) ?? [];
    const length = lengths.get(reference) ?? 0;
    const isEnd = length === MAX_SCHEMA_DEPTH && targets.length > 0;
    if (isEnd) ends.add(reference);
    for (const target of targets) {
      if (!isEnd) lengths.set(target, Math.max(length + 1, lengths.get(target) ?? 0));
      const left = (waiting.get(target) ?? 0) - 1;
      waiting.set(target, left);
      if (left === 0) ready.push(target);
    }
  }
  return ends;
}
