import type { JsonObject } from "../json/json.ts";

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
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

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
