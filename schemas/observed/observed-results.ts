import { withoutUndefined } from "../json/without-undefined.ts";
import { byCodeUnits } from "../json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import type { LockedTool } from "../lock/lockfile.ts";
import { countOf } from "../text/count-of.ts";
import { BLOCK_TYPES, joinResultShapes, type ResultShape } from "./result-shape.ts";
import { parseShapeSchema, toShapeSchema } from "./shape-schema.ts";

/** What was learned of a tool's results. It is no part of the tool's integrity: the server does not promise it. */
export interface ObservedResults {
  /** How many results each source had. A source is a recording or a series of runs, by an id that tells nothing of it. */
  sources: ReadonlyMap<string, number>;
  shape: ResultShape;
}

/** The sources that are kept are the first in the order of their ids, so that the order of learning changes nothing. */
export const MOST_SOURCES = 32;

const SOURCE_ID = /^[\w-]{16}$/;

/** Both together. A source that both have counts once. */
export function joinObserved(left: ObservedResults, right: ObservedResults): ObservedResults {
  const sources = new Map(left.sources);
  for (const [id, results] of right.sources) sources.set(id, Math.max(results, sources.get(id) ?? 0));
  const kept = [...sources].toSorted(([one], [other]) => byCodeUnits(one, other)).slice(0, MOST_SOURCES);
  return { sources: new Map(kept), shape: joinResultShapes(left.shape, right.shape) };
}

/** On how many results an observation rests; of very many sources a lower bound. */
export function countResults({ sources }: ObservedResults): number {
  return [...sources.values()].reduce((sum, results) => sum + results, 0);
}

/** What a type rests on that was made of an observation. */
export function describeObserved(observed: ObservedResults): string {
  const { text, json } = observed.shape;
  const mixed = text === true && json !== undefined ? " Some results were a plain text." : "";
  return `Observed in ${countOf(countResults(observed), "result")}; the server does not promise it.${mixed}`;
}

/** The form in the lockfile. */
export function formatObserved({ sources, shape }: ObservedResults): JsonObject {
  const { text, json, structured, blocks } = shape;
  return {
    ...withoutUndefined({
      blocks: blocks === undefined ? undefined : [...blocks].toSorted(byCodeUnits),
      json: json === undefined ? undefined : toShapeSchema(json),
    }),
    sources: toJsonObject([...sources].toSorted(([left], [right]) => byCodeUnits(left, right))),
    ...withoutUndefined({ structured: structured === undefined ? undefined : toShapeSchema(structured), text }),
  };
}

/**
 * Reads what `formatObserved` writes.
 * @throws what `fail` makes of a problem
 */
export function parseObserved(value: JsonValue, fail: (problem: string) => Error): ObservedResults {
  if (!isJsonObject(value)) throw fail("it is not an object");
  const unknown = Object.keys(value).find((key) => !["blocks", "json", "sources", "structured", "text"].includes(key));
  if (unknown !== undefined) throw fail(`${JSON.stringify(unknown)} is unknown`);
  const shape: ResultShape = {};
  const { blocks, text } = value;
  if (text !== undefined && text !== true) throw fail('"text" is not true');
  if (text === true) shape.text = true;
  for (const key of ["json", "structured"] as const) {
    const schema = ownValue(value, key);
    if (schema !== undefined) shape[key] = parseShapeSchema(schema, (problem) => fail(`in "${key}", ${problem}`));
  }
  if (blocks !== undefined) {
    if (!Array.isArray(blocks) || !blocks.every((type) => typeof type === "string" && BLOCK_TYPES.includes(type))) {
      throw fail(`"blocks" is not a list of ${BLOCK_TYPES.join(", ")}`);
    }
    shape.blocks = new Set(blocks as string[]);
  }
  if (Object.keys(shape).length === 0) throw fail("it says nothing of any result");
  return { sources: parseSources(ownValue(value, "sources"), fail), shape };
}

/** What the lockfile says of a tool's results, where it says something. */
export function observedOf({ observed }: Pick<LockedTool, "observed">): ObservedResults | undefined {
  if (observed === undefined) return undefined;
  const known = parsed.get(observed) ?? parseObserved(observed, (problem) => new Error(problem));
  parsed.set(observed, known);
  return known;
}

/** Lock entries are values, which are asked for in every run. */
const parsed = new WeakMap<JsonObject, ObservedResults>();

function parseSources(value: JsonValue | undefined, fail: (problem: string) => Error): ReadonlyMap<string, number> {
  if (!isJsonObject(value)) throw fail('"sources" is not an object');
  const sources = new Map<string, number>();
  for (const [id, results] of Object.entries(value)) {
    const isCount = typeof results === "number" && Number.isInteger(results) && results > 0;
    if (!SOURCE_ID.test(id) || !isCount)
      throw fail(`"sources" has ${JSON.stringify(id)}, which is no source with a count`);
    sources.set(id, results);
  }
  if (sources.size === 0 || sources.size > MOST_SOURCES)
    throw fail(`"sources" has ${sources.size} of 1 to ${MOST_SOURCES} sources`);
  return sources;
}
