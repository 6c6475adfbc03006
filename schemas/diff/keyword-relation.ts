import { canonicalJson } from "../json/canonical-json.ts";
import type { JsonValue } from "../json/json.ts";

/** How the values that a keyword accepts have changed; `changed` is both or unknown. */
export type Relation = "same" | "narrowed" | "widened" | "changed";

type Side = JsonValue | undefined;

/** Compares a keyword of JSON Schema that holds no subschema; undefined for keywords that check nothing. */
export function keywordRelation(keyword: string, before: Side, after: Side): Relation | undefined {
  return RELATIONS.get(keyword)?.(before, after);
}

const ALL_TYPES = ["null", "boolean", "object", "array", "number", "integer", "string"];

/** Without the keyword every type is accepted; `number` accepts integers too. */
function typesOf(side: Side): Set<string> {
  const types = new Set(side === undefined ? ALL_TYPES : [side].flat().map(String));
  if (types.has("number")) types.add("integer");
  return types;
}

function valuesOf(side: Side): Set<string> {
  return new Set(Array.isArray(side) ? side.map(canonicalJson) : []);
}

function ofSets(before: ReadonlySet<string>, after: ReadonlySet<string>): Relation {
  const lost = [...before].some((value) => !after.has(value));
  const gained = [...after].some((value) => !before.has(value));
  if (lost && gained) return "changed";
  return lost ? "narrowed" : gained ? "widened" : "same";
}

function invert(relation: Relation): Relation {
  return relation === "narrowed" ? "widened" : relation === "widened" ? "narrowed" : relation;
}

/** A keyword whose presence only ever restricts: there is no saying what another value of it does. */
function ofConstraint(before: Side, after: Side): Relation {
  if (before === undefined) return "narrowed";
  return after === undefined ? "widened" : "changed";
}

function ofLowerBound(before: Side, after: Side): Relation {
  const [old, now] = [toBound(before, -Infinity), toBound(after, -Infinity)];
  return now > old ? "narrowed" : now < old ? "widened" : "same";
}

function ofUpperBound(before: Side, after: Side): Relation {
  const [old, now] = [toBound(before, Infinity), toBound(after, Infinity)];
  return now < old ? "narrowed" : now > old ? "widened" : "same";
}

/** What libraries print for "any integer" is no limit. */
function toBound(side: Side, otherwise: number): number {
  return typeof side === "number" && Math.abs(side) < Number.MAX_SAFE_INTEGER ? side : otherwise;
}

function ofEnum(before: Side, after: Side): Relation {
  return before === undefined || after === undefined
    ? ofConstraint(before, after)
    : ofSets(valuesOf(before), valuesOf(after));
}

const LOWER_BOUNDS = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
const UPPER_BOUNDS = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
const CONSTRAINTS = ["const", "dependencies", "dependentRequired", "format", "multipleOf", "pattern", "uniqueItems"];
const REFERENCES = ["$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$ref"];

const RELATIONS = new Map<string, (before: Side, after: Side) => Relation>([
  ["type", (before, after) => ofSets(typesOf(before), typesOf(after))],
  ["enum", ofEnum],
  // Each required name is a restriction: more of them accept less.
  ["required", (before, after) => invert(ofSets(valuesOf(before), valuesOf(after)))],
  ...LOWER_BOUNDS.map((keyword) => [keyword, ofLowerBound] as const),
  ...UPPER_BOUNDS.map((keyword) => [keyword, ofUpperBound] as const),
  ...CONSTRAINTS.map((keyword) => [keyword, ofConstraint] as const),
  ...REFERENCES.map((keyword) => [keyword, (): Relation => "changed"] as const),
]);
