import { expect, test } from "vitest";
import type { JsonObject } from "../../../schemas/json/json.ts";
import { cleanSchema, toSchemaDocument } from "../../../schemas/json-schema/clean-schema.ts";
import { leaveOutPatterns } from "../../../schemas/json-schema/ajv-input.ts";

const LENGTHS = new Map([
  ["out", 0],
  ["short", 20],
]);

/** What is left without the pattern `out`, and with the pattern `short` for 20 characters. */
const leaveOut = (schema: JsonObject): JsonObject =>
  leaveOutPatterns(toSchemaDocument(cleanSchema(schema, "output")), (pattern) => LENGTHS.get(pattern) ?? Infinity);

const OUT = { pattern: "out" };
const STRING = { type: "string" };

test.each<[string, JsonObject, JsonObject]>([
  ["a pattern", { ...STRING, ...OUT, minLength: 2 }, { ...STRING, minLength: 2 }],
  ["no other pattern", { ...STRING, pattern: "in" }, { ...STRING, pattern: "in" }],
  ["a pattern inside", { properties: { a: { ...STRING, ...OUT } } }, { properties: { a: STRING } }],
  ["a pattern of names", { propertyNames: OUT }, { propertyNames: {} }],
  [
    "the pattern of properties, of which any may be meant",
    { patternProperties: { out: STRING, in: STRING }, additionalProperties: false },
    { patternProperties: { "": true, in: STRING }, additionalProperties: false },
  ],
  ["`not` with the pattern", { not: OUT, ...STRING }, STRING],
  ["`oneOf` with the pattern", { oneOf: [OUT, { maxLength: 2 }], ...STRING }, STRING],
  ["`if` with the pattern", { if: OUT, else: { minLength: 3 }, ...STRING }, { else: { minLength: 3 }, ...STRING }],
  ["`contains` with the pattern", { contains: OUT, maxContains: 1, minItems: 1 }, { maxContains: 1, minItems: 1 }],
  ["the pattern alone in `anyOf`", { anyOf: [OUT, { maxLength: 2 }] }, { anyOf: [{}, { maxLength: 2 }] }],
  [
    "`not` without the pattern stays",
    { not: { pattern: "in" }, allOf: [OUT] },
    { not: { pattern: "in" }, allOf: [{}] },
  ],
  [
    "what counts what was looked at",
    { anyOf: [{ patternProperties: { out: true } }], unevaluatedProperties: false },
    { anyOf: [{ patternProperties: { "": true } }] },
  ],
  ["`oneOf` with what counts", { allOf: [OUT], oneOf: [{ unevaluatedItems: false }, STRING] }, { allOf: [{}] }],
])("left out is %s", (_what, schema, rest) => {
  expect(leaveOut(schema)).toEqual(rest);
});

test("left out is `not` that refers to the pattern through other references", () => {
  const schema = {
    properties: { a: { not: { $ref: "#/$defs/one" } }, b: { not: { $ref: "#/$defs/three" } } },
    $defs: { one: { allOf: [{ $ref: "#/$defs/two" }] }, two: { items: OUT }, three: STRING },
  };
  expect(leaveOut(schema)).toEqual({
    properties: { a: {}, b: { not: { $ref: "#/$defs/three" } } },
    $defs: { one: { allOf: [{ $ref: "#/$defs/two" }] }, two: { items: {} }, three: STRING },
  });
});

test("a pattern may be held against short texts alone", () => {
  const short = { anyOf: [{ minLength: 21 }, { pattern: "short" }] };
  const schema = { properties: { a: { ...STRING, pattern: "short", allOf: [{ minLength: 2 }] } }, pattern: "short" };
  expect(leaveOut(schema)).toEqual({
    properties: { a: { ...STRING, allOf: [{ minLength: 2 }, short] } },
    allOf: [short],
  });
  expect(leaveOut({ not: { pattern: "short" }, ...STRING })).toEqual(STRING);
});

test("a document that keeps all its patterns is the same one", () => {
  const document = toSchemaDocument(cleanSchema({ pattern: "in", unevaluatedProperties: false }, "output"));
  expect(leaveOutPatterns(document, () => Infinity)).toBe(document);
});
