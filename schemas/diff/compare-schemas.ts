import { byCodeUnits, canonicalJson } from "../json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/json.ts";
import { toAcceptedInput, cleanSchema, toSchemaDocument } from "../json-schema/clean-schema.ts";
import { type Direction, dialectOf } from "../json-schema/keywords.ts";
import { type Change, type ChangeSeverity, makeChange } from "./change.ts";
import { pointerStep } from "../json/pointer-step.ts";
import { indexReferences, type References } from "../json-schema/references.ts";

/** Where in the two schemas a comparison stands. */
interface Place {
  pointer: string;
  /** What widens an input narrows an output. */
  direction: Direction;
  /** Whether another `$schema` makes the schemas mean something else. */
  isDialectUsed: boolean;
  follow: { before: FollowReference; after: FollowReference };
  /** The pairs of references that were followed to come here. */
  pairs: ReadonlySet<string>;
}

type Side = JsonValue | undefined;

/**
 * Compares two JSON Schemas, keyword by keyword, as servers act on them. Where it cannot tell what a difference means
 * it says `breaking`. What equal references point to is compared where it stands; where they differ, they are followed.
 */
export function compareSchemas(before: Side, after: Side, pointer: string, direction: Direction): Change[] {
  const read = (side: Side): Side => (side === undefined || direction === "output" ? side : toAcceptedInput(side));
  const [old, now] = [read(before), read(after)];
  return compareNodes(old, now, {
    ...{ pointer, direction, isDialectUsed: isDialectUsed(before, after) },
    ...{ follow: { before: makeFollowing(old), after: makeFollowing(now) }, pairs: new Set() },
  });
}

function compareNodes(before: Side, after: Side, place: Place): Change[] {
  if (isSame(before, after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return compareWhole(before, after, place);
  const followed = compareFollowed(before, after, place);
  if (followed !== undefined) return followed;
  const alternatives = compareAlternatives(before, after, place);
  if (alternatives !== undefined) return alternatives;
  const isFree = hasFreeFormat(before) && hasFreeFormat(after);
  return eachMember(before, after, place, (left, right, member, keyword) => {
    if (isSame(left, right)) return [];
    if (keyword === "format" && isFree)
      return [makeChange("compatible", member.pointer, "format changed", left, right)];
    return compareKeyword(keyword, left, right, member);
  });
}

/** A schema that got a name of its own, lost it or has another is compared by what it is; undefined where that is not clear. */
function compareFollowed(before: JsonObject, after: JsonObject, place: Place): Change[] | undefined {
  const [old, now] = [ownValue(before, "$ref"), ownValue(after, "$ref")];
  if (old === now) return undefined;
  const [left, right] = [place.follow.before(before), place.follow.after(after)];
  if (left === undefined || right === undefined) return undefined;
  if (old === undefined || now === undefined) return compareNodes(left, right, place);
  const pair = JSON.stringify([old, now]);
  // It leads back to itself: what differs is found on the way.
  if (place.pairs.has(pair)) return [];
  return compareNodes(left, right, { ...place, pairs: new Set([...place.pairs, pair]) });
}

/** Formats of OpenAPI: what they exclude is beyond what JavaScript counts exactly. */
const FREE_FORMATS = new Set<JsonValue | undefined>([undefined, "double", "int64"]);
const NUMBER_TYPES = new Set<JsonValue | undefined>(["integer", "null", "number"]);

function hasFreeFormat(schema: JsonObject): boolean {
  const types = [ownValue(schema, "type")].flat();
  return FREE_FORMATS.has(ownValue(schema, "format")) && types.every((type) => NUMBER_TYPES.has(type));
}

/** A schema that becomes one of several alternatives, or was one of them; undefined where that is not all. */
function compareAlternatives(before: JsonObject, after: JsonObject, place: Place): Change[] | undefined {
  const [isGain, isLoss] = [Object.hasOwn(after, "anyOf"), Object.hasOwn(before, "anyOf")];
  if (isGain === isLoss) return undefined;
  const { anyOf, ...rest } = isGain ? after : before;
  const list = Array.isArray(anyOf) ? anyOf.filter(isJsonObject) : [];
  const compared = list.map((one) => {
    const whole = { ...rest, ...one };
    return isGain ? compareNodes(before, whole, place) : compareNodes(whole, after, place);
  });
  const index = compared.findIndex((changes) => changes.every(({ severity }) => severity === "text"));
  if (index < 0) return undefined;
  const others = list.filter((_, at) => at !== index);
  const sides: [Side, Side] = isGain ? [undefined, others] : [others, undefined];
  const changes = compared[index] ?? [];
  return [...changes, evaluate(isGain ? "widened" : "narrowed", ...sides, below(place, "anyOf"))];
}

/** Nothing, `true` and `{}` accept everything, `false` accepts nothing. */
function compareWhole(before: Side, after: Side, place: Place): Change[] {
  const accepts = (side: Side): "all" | "none" | "some" => {
    if (side === false) return "none";
    return side === undefined || side === true || (isJsonObject(side) && Object.keys(side).length === 0)
      ? "all"
      : "some";
  };
  const rank = { none: 0, some: 1, all: 2 };
  const isStated = before !== undefined && after !== undefined;
  if (isStated && accepts(before) === "all" && accepts(after) === "all") return [];
  const difference = rank[accepts(after)] - rank[accepts(before)];
  const relation = difference < 0 ? "narrowed" : difference > 0 ? "widened" : "changed";
  return [evaluate(relation, before, after, place)];
}

function compareKeyword(keyword: string, before: Side, after: Side, place: Place): Change[] {
  const relation = keywordRelation(keyword, before, after);
  if (relation !== undefined) return relation === "same" ? [] : [evaluate(relation, before, after, place)];
  if (keyword === "properties") return compareProperties(before, after, place);
  if (SCHEMA_MAPS.has(keyword)) return compareMaps(before, after, place);
  if (keyword === "items" && Array.isArray(before ?? after)) return compareLists(before, after, place, "narrowed");
  if (keyword === "propertyNames") return compareNodes(ofNames(before), ofNames(after), place);
  if (SCHEMAS.has(keyword)) return compareNodes(before ?? true, after ?? true, place);
  if (keyword === "anyOf" || keyword === "oneOf") return compareLists(before, after, place, "widened");
  if (keyword === "allOf" || keyword === "prefixItems") return compareLists(before, after, place, "narrowed");
  if (OPAQUE.has(keyword) || (keyword === "$schema" && place.isDialectUsed))
    return [evaluate("changed", before, after, place)];
  // `default` changes what happens, but not what is right; anything else is words or unknown to every validator.
  const severity: ChangeSeverity = keyword === "default" ? "compatible" : "text";
  return [makeChange(severity, place.pointer, `${keyword} changed`, before, after)];
}

/** Every name in JSON is a string. */
function ofNames(side: Side): Side {
  if (side === undefined) return true;
  if (!isJsonObject(side) || side["type"] !== "string") return side;
  const { type: _, ...rest } = side;
  return Object.keys(rest).length === 0 ? true : rest;
}

const SCHEMA_MAPS = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties"]);
const SCHEMAS = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "items",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const OPAQUE = new Set(["else", "if", "not", "then"]);

/** A new optional property breaks no caller, although a strict reading of open objects says so; a removed one does. */
function compareProperties(before: Side, after: Side, place: Place): Change[] {
  return eachMember(before, after, place, (left, right, member, name) => {
    if (left === undefined) return [makeChange("compatible", member.pointer, `property "${name}" added`, left, right)];
    if (right === undefined) return [makeChange("breaking", member.pointer, `property "${name}" removed`, left, right)];
    return compareNodes(left, right, member);
  });
}

/** What nothing refers to yet, or any more, changes nothing by itself. */
function compareMaps(before: Side, after: Side, place: Place): Change[] {
  const isDefinitions = /\/(\$defs|definitions)$/.test(place.pointer);
  return eachMember(before, after, place, (left, right, member, name) => {
    if (left !== undefined && right !== undefined) return compareNodes(left, right, member);
    if (!isDefinitions) return [evaluate(left === undefined ? "narrowed" : "widened", left, right, member)];
    const what = left === undefined ? "added" : "removed";
    return [makeChange("compatible", member.pointer, `definition "${name}" ${what}`, left, right)];
  });
}

type CompareMember = (before: Side, after: Side, place: Place, name: string) => Change[];

function eachMember(before: Side, after: Side, place: Place, compare: CompareMember): Change[] {
  const [old, now] = [toObject(before), toObject(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted(byCodeUnits);
  return names.flatMap((name) => compare(ownValue(old, name), ownValue(now, name), below(place, name), name));
}

function toObject(side: Side): JsonObject {
  return side !== undefined && isJsonObject(side) ? side : {};
}

/** `gain` is what one more member means. Members that are equal are matched first, so that a new order is no change. */
function compareLists(before: Side, after: Side, place: Place, gain: Relation): Change[] {
  const loss = gain === "widened" ? "narrowed" : "widened";
  const [old, now] = [before, after].map((side) => (Array.isArray(side) ? side : []));
  const oldLeft = withoutEqual(old ?? [], now ?? []);
  const nowLeft = withoutEqual(now ?? [], old ?? []);
  return Array.from({ length: Math.max(oldLeft.length, nowLeft.length) }, (_, index) => {
    const [left, right] = [oldLeft[index], nowLeft[index]];
    const member = below(place, right?.index ?? left?.index ?? index);
    if (left === undefined) return [evaluate(gain, undefined, right?.value, member)];
    if (right === undefined) return [evaluate(loss, left.value, undefined, member)];
    return compareNodes(left.value, right.value, member);
  }).flat();
}

function withoutEqual(list: readonly JsonValue[], other: readonly JsonValue[]): { value: JsonValue; index: number }[] {
  const equal = new Set(other.map(canonicalJson));
  return list.map((value, index) => ({ value, index })).filter(({ value }) => !equal.has(canonicalJson(value)));
}

function evaluate(relation: Relation, before: Side, after: Side, { pointer, direction }: Place): Change {
  const harmless: Relation = direction === "input" ? "widened" : "narrowed";
  const summary = `${direction} ${relation}`;
  return makeChange(relation === harmless ? "compatible" : "breaking", pointer, summary, before, after);
}

function below(place: Place, step: string | number): Place {
  return { ...place, pointer: place.pointer + pointerStep(step) };
}

function isSame(before: Side, after: Side): boolean {
  if (before === undefined || after === undefined) return before === after;
  return canonicalJson(before) === canonicalJson(after);
}

/** Tells whether one of two schemas means something else under the `$schema` of the other. */
export function isDialectUsed(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (!isJsonObject(before) || !isJsonObject(after) || dialectOf(before) === dialectOf(after)) return false;
  return [before, after].some((schema) => meaningOf(schema, before) !== meaningOf(schema, after));
}

/** What validators check under the dialect of `named`. */
function meaningOf(schema: JsonObject, named: JsonObject): string {
  const { $schema: _, ...rest } = schema;
  const dialect = ownValue(named, "$schema");
  const clean = cleanSchema(dialect === undefined ? rest : { $schema: dialect, ...rest }, "output");
  return canonicalJson(toSchemaDocument(clean));
}

/** Follows a reference of one schema: what it leads to with the keywords beside it, or undefined where that is not clear. */
type FollowReference = (schema: JsonObject) => JsonObject | undefined;

/** Hostile schemas lead from each reference to many others. */
const MAX_FOLLOWED = 500;

/**
 * What a reference may have beside it: words, and definitions. With a keyword that checks, such as `additionalProperties`, it means
 * something else than one schema with both.
 */
const BESIDE = new Set([
  ...["$comment", "$defs", "$id", "$schema", "definitions"],
  ...["default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"],
]);

/** Follows references within one document; after `MAX_FOLLOWED` it follows none, and none where parts have addresses of their own. */
function makeFollowing(document: JsonValue | undefined): FollowReference {
  let references: References | undefined;
  let hasParts: boolean | undefined;
  let left = MAX_FOLLOWED;
  return (schema) => {
    const { $ref, ...beside } = schema;
    if ($ref === undefined) return schema;
    if (typeof $ref !== "string" || !$ref.startsWith("#") || document === undefined || left === 0) return undefined;
    if (!Object.keys(beside).every((keyword) => BESIDE.has(keyword))) return undefined;
    left -= 1;
    hasParts ??= JSON.stringify(withoutOwnId(document)).includes('"$id"');
    if (hasParts) return undefined;
    references ??= indexReferences(document, dialectOf(document));
    const target = references.find(schema, $ref)?.schema;
    if (!isJsonObject(target)) return undefined;
    return { ...target, ...beside };
  };
}

function withoutOwnId(document: JsonValue): JsonValue {
  if (!isJsonObject(document)) return document;
  const { $id: _, ...rest } = document;
  return rest;
}

/** How the values that a keyword accepts have changed; `changed` is both or unknown. */
type Relation = "same" | "narrowed" | "widened" | "changed";

/** Compares a keyword of JSON Schema that holds no subschema; undefined for keywords that check nothing. */
function keywordRelation(keyword: string, before: Side, after: Side): Relation | undefined {
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
