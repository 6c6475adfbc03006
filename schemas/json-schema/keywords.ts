import { shortenText } from "../text/short-text.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";

/** What a keyword's value must be. A keyword with any other value says nothing and is dropped. */
export type KeywordShape =
  | "schema"
  | "schemas"
  | "schemaMap"
  | "patternMap"
  | "number"
  | "positiveNumber"
  | "count"
  | "true"
  | "type"
  | "values"
  | "value"
  | "names"
  | "nameMap"
  | "pattern"
  | "format"
  | "text";

/** The keywords of JSON Schema 2020-12 that check an instance; all others are annotations or unknown. */
export const ASSERTIONS: ReadonlyMap<string, KeywordShape> = new Map<string, KeywordShape>([
  ["type", "type"],
  ["enum", "values"],
  ["const", "value"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["properties", "schemaMap"],
  ["patternProperties", "patternMap"],
  ["additionalProperties", "schema"],
  ["unevaluatedProperties", "schema"],
  ["propertyNames", "schema"],
  ["required", "names"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["dependentRequired", "nameMap"],
  ["dependentSchemas", "schemaMap"],
  ["prefixItems", "schemas"],
  ["items", "schema"],
  ["unevaluatedItems", "schema"],
  ["contains", "schema"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["uniqueItems", "true"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "pattern"],
  ["format", "format"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["multipleOf", "positiveNumber"],
]);

/** The annotations that types and comments are made from. */
export const ANNOTATIONS: ReadonlyMap<string, KeywordShape> = new Map<string, KeywordShape>([
  ["description", "text"],
  ["default", "value"],
  ["examples", "values"],
  ["deprecated", "true"],
]);

const DATE = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|60)(?:[.,]\d+)?)?`;
const ZONE = String.raw`(?:z| ?[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)`;
/** Python's and JavaScript's parsers take seconds and milliseconds since 1970 too. */
const EPOCH = String.raw`-?\d+(?:\.\d+)?`;

/**
 * The formats that validators check, each as one regular expression, so that a printed validator
 * needs nothing but itself. They refuse what is plainly wrong and leave the last word to the server;
 * a format that is not here is not checked. What servers mean by a name is wider than RFC 3339 and RFC 4122: zod, valibot and Java
 * print `date-time` and `time` for local times and for times without seconds, and pydantic and serde read a UUID without hyphens.
 */
export const FORMATS: ReadonlyMap<string, RegExp> = new Map([
  ["date", new RegExp(`^(?:${DATE}(?:[t _]${TIME}${ZONE}?)?|${EPOCH})$`, "i")],
  ["time", new RegExp(`^t?${TIME}${ZONE}?$`, "i")],
  ["date-time", new RegExp(`^(?:${DATE}(?:[t _]${TIME}${ZONE}?)?|${EPOCH})$`, "i")],
  ["email", /[^\s@]@[^\s@]/],
  ["uri", /^\s*[a-z][a-z0-9+.-]*:/i],
  ["uuid", /^(?:urn:uuid:)?\{?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}\}?$/i],
  ["ipv4", /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/],
]);

/** Where further schemas stand, in any dialect: needed to find `$id` and anchors. */
export const SCHEMA_HOLDERS: ReadonlyMap<string, "schema" | "schemaMap"> = new Map([
  ...["allOf", "anyOf", "oneOf", "prefixItems", "items", "not", "if", "then", "else", "contains"].map(asHolder),
  ...["additionalProperties", "additionalItems", "propertyNames", "unevaluatedItems"].map(asHolder),
  asHolder("unevaluatedProperties"),
  ...["$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"].map(
    (keyword) => [keyword, "schemaMap"] as const,
  ),
]);

/** Names of the JSON types, and `integer`. */
const TYPE_NAMES: ReadonlySet<string> = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

function asHolder(keyword: string): readonly [string, "schema"] {
  return [keyword, "schema"];
}

/** Which way the values of a schema go, seen from a script: it writes inputs and reads outputs. */
export type Direction = "input" | "output";

/** A schema of JSON Schema 2020-12 whose every keyword is known and well formed. */
export type CleanNode = boolean | JsonObject;

/** A part of a schema that was dropped, so that it is not checked. */
export interface SchemaProblem {
  /** JSON pointer to the part, in the schema as sent. */
  pointer: string;
  message: string;
}

/** Applies `change` to the schemas that the value of a keyword holds directly. */
export function mapSubschemas(keyword: string, value: JsonValue, change: (node: CleanNode) => CleanNode): JsonValue {
  switch (ASSERTIONS.get(keyword)) {
    case "schema":
      return change(value as CleanNode);
    case "schemas":
      return (value as CleanNode[]).map(change);
    case "schemaMap":
    case "patternMap":
      return toJsonObject(Object.entries(value as JsonObject).map(([key, node]) => [key, change(node as CleanNode)]));
    default:
      return value;
  }
}

/** Says what is wrong with the value of a keyword, one level deep; undefined where nothing is. */
export function checkKeyword(shape: KeywordShape, value: JsonValue): string | undefined {
  switch (shape) {
    case "schema":
      return typeof value === "boolean" || isJsonObject(value) ? undefined : "is not a schema";
    case "schemas":
      return Array.isArray(value) && value.length > 0 ? undefined : "is not a list of schemas";
    case "schemaMap":
    case "patternMap":
      return isJsonObject(value) ? undefined : "is not an object of schemas";
    case "number":
      return typeof value === "number" ? undefined : "is not a number";
    case "positiveNumber":
      return typeof value === "number" && value > 0 ? undefined : "is not a number above zero";
    case "count":
      return Number.isInteger(value) && Number(value) >= 0 ? undefined : "is not a whole number";
    case "true":
      return typeof value === "boolean" ? undefined : "is neither true nor false";
    case "type":
      return isType(value) ? undefined : "names no JSON type";
    case "values":
      return Array.isArray(value) && value.length > 0 ? undefined : "lists no value";
    case "names":
      return isNames(value) ? undefined : "is not a list of names";
    case "nameMap":
      return isJsonObject(value) && Object.values(value).every(isNames) ? undefined : "does not map names to names";
    case "pattern":
      return typeof value === "string" ? checkPattern(value) : "is not a regular expression";
    case "format":
    case "text":
      return typeof value === "string" ? undefined : "is not a text";
    case "value":
      return undefined;
  }
}

function isType(value: JsonValue): boolean {
  const names = [value].flat();
  return names.length > 0 && names.every((name) => typeof name === "string" && TYPE_NAMES.has(name));
}

function isNames(value: JsonValue): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** Of a pattern in a message, in characters. */
const LONGEST_SHOWN = 120;

/** Patterns must mean the same on every engine: flags of groups and repeated names of groups are new in some. */
function checkPattern(pattern: string): string | undefined {
  const message = `is not a regular expression that every engine knows (${shortenText(JSON.stringify(pattern), LONGEST_SHOWN)}); it is not checked`;
  const names = [...pattern.matchAll(/\(\?<(?![=!])([^<>]*)>/g)].map(([, name]) => name);
  if (/\(\?[a-z-]+:/.test(pattern) || new Set(names).size < names.length) return message;
  try {
    const compiled = new RegExp(pattern, "u");
    return compiled.unicode ? undefined : message;
  } catch {
    return message;
  }
}

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
