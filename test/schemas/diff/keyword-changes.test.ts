import { describe, expect, test } from "vitest";
import { compareSchemas, isDialectUsed } from "../../../schemas/diff/compare-schemas.ts";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";

const text = { type: "string" };
const number = { type: "number" };
const nothing = { type: "null" };

/** Each change of an output schema, as one line. Schemas of outputs mean what they say. */
const outputChanges = (before: JsonValue | undefined, after: JsonValue | undefined): string[] =>
  compareSchemas(before, after, "/x", "output").map(
    ({ severity, pointer, summary }) => `${severity} ${pointer}: ${summary}`,
  );

const bothChanges = (before: JsonValue, after: JsonValue): string[] => [
  ...outputChanges(before, after),
  ...compareSchemas(before, after, "/x", "input").map(
    ({ severity, pointer, summary }) => `${severity} ${pointer}: ${summary}`,
  ),
];

/** One change in both directions: what an output may lose, an input may gain. */
const asBoth = (relation: string, pointer: string): string[] => [
  `${relation === "narrowed" ? "compatible" : "breaking"} /x${pointer}: output ${relation}`,
  `${relation === "widened" ? "compatible" : "breaking"} /x${pointer}: input ${relation}`,
];

const LOWER = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"];
const UPPER = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];

describe.each([
  ...LOWER.map((keyword) => [keyword, "narrowed", "widened"] as const),
  ...UPPER.map((keyword) => [keyword, "widened", "narrowed"] as const),
])("the bound %s", (keyword, more, less) => {
  const at = (bound: JsonValue): JsonObject => ({ [keyword]: bound });
  test("may be set, taken away, and moved both ways", () => {
    expect(bothChanges({}, at(5))).toEqual(asBoth("narrowed", `/${keyword}`));
    expect(bothChanges(at(5), {})).toEqual(asBoth("widened", `/${keyword}`));
    expect(bothChanges(at(5), at(6))).toEqual(asBoth(more, `/${keyword}`));
    expect(bothChanges(at(6), at(5))).toEqual(asBoth(less, `/${keyword}`));
  });

  test("is none where it is no number, or beyond the integers", () => {
    const bounds: JsonValue[] = ["5", true, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1e300, -1e300];
    for (const bound of bounds) expect(outputChanges({}, at(bound))).toEqual([]);
    expect(bothChanges({}, at(Number.MAX_SAFE_INTEGER - 1))).toEqual(asBoth("narrowed", `/${keyword}`));
  });
});

describe.each(["const", "dependencies", "dependentRequired", "format", "multipleOf", "pattern", "uniqueItems"])(
  "the constraint %s",
  (keyword) => {
    test("may be set, taken away, and replaced, which may mean anything", () => {
      expect(bothChanges({}, { [keyword]: 1 })).toEqual(asBoth("narrowed", `/${keyword}`));
      expect(bothChanges({ [keyword]: 1 }, {})).toEqual(asBoth("widened", `/${keyword}`));
      expect(bothChanges({ [keyword]: 1 }, { [keyword]: 2 })).toEqual(asBoth("changed", `/${keyword}`));
    });
  },
);

test.each(["$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "if", "then", "else", "not"])(
  "another %s may mean anything",
  (keyword) => {
    expect(bothChanges({ [keyword]: "#/a" }, { [keyword]: "#/b" })).toEqual(asBoth("changed", `/${keyword}`));
    expect(bothChanges({}, { [keyword]: "#/b" })).toEqual(asBoth("changed", `/${keyword}`));
  },
);

test.each<[string, string, JsonValue, JsonValue]>([
  ["narrowed", "type", {}, { type: "string" }],
  ["widened", "type", { type: "string" }, {}],
  ["narrowed", "type", {}, { type: ["null", "boolean", "object", "array", "number"] }],
  ["changed", "type", { type: "string" }, { type: "null" }],
  ["widened", "type", { type: ["string"] }, { type: ["string", "number"] }],
  ["narrowed", "type", { type: "number" }, { type: "integer" }],
  ["widened", "type", { type: "string" }, { type: ["string", "integer"] }],
  ["narrowed", "enum", {}, { enum: ["a"] }],
  ["widened", "enum", { enum: ["a"] }, {}],
  ["changed", "enum", { enum: ["a"] }, { enum: ["b"] }],
  ["narrowed", "enum", { enum: ["a", { x: 1, y: 2 }] }, { enum: [{ y: 2, x: 1 }] }],
  ["narrowed", "required", {}, { required: ["a"] }],
  ["widened", "required", { required: ["a", "b"] }, { required: ["b"] }],
  ["changed", "required", { required: ["a"] }, { required: ["b"] }],
])("%s is the schema by its %s: %j, %j", (relation, keyword, before, after) => {
  expect(bothChanges(before, after)).toEqual(asBoth(relation, `/${keyword}`));
});

test.each<[string, JsonValue, JsonValue]>([
  ["a type that is listed", { type: "string" }, { type: ["string"] }],
  ["all types", {}, { type: ["null", "boolean", "object", "array", "number", "string"] }],
  ["integers beside numbers", { type: ["number", "integer"] }, { type: "number" }],
  ["no required names", {}, { required: [] }],
  ["required names that are none", {}, { required: "a" }],
  ["definitions that are none", { $defs: [] }, { $defs: 1 }],
])("no change are %s", (_what, before, after) => {
  expect(outputChanges(before, after)).toEqual([]);
});

test.each<[string, string, JsonValue, JsonValue]>([
  ["narrowed", "", true, false],
  ["widened", "", false, true],
  ["narrowed", "", {}, false],
  ["narrowed", "", true, "no schema"],
  ["widened", "", false, text],
  ["narrowed", "", text, false],
  ["changed", "", "no schema", ["none either"]],
  ["widened", "", "no schema", true],
  ["narrowed", "/items", {}, { items: false }],
  ["widened", "/contains", { contains: text }, { contains: true }],
  ["narrowed", "/propertyNames", {}, { propertyNames: false }],
  ["narrowed", "/additionalItems", {}, { additionalItems: text }],
  ["narrowed", "/additionalProperties", { properties: {} }, { properties: {}, additionalProperties: false }],
  ["widened", "/additionalProperties", { additionalProperties: false }, {}],
  ["narrowed", "/unevaluatedItems", {}, { unevaluatedItems: false }],
  ["narrowed", "/unevaluatedProperties", {}, { unevaluatedProperties: false }],
  ["narrowed", "/patternProperties/^a", {}, { patternProperties: { "^a": text } }],
  ["widened", "/dependentSchemas/a", { dependentSchemas: { a: text } }, { dependentSchemas: {} }],
  ["changed", "/dependentSchemas/a/type", { dependentSchemas: { a: text } }, { dependentSchemas: { a: number } }],
  ["changed", "/$defs/a~1b~0c/type", { $defs: { "a/b~c": text } }, { $defs: { "a/b~c": number } }],
  [
    "narrowed",
    "/$defs/a/patternProperties/^a",
    { $defs: { a: {} } },
    { $defs: { a: { patternProperties: { "^a": text } } } },
  ],
  ["narrowed", "/items/1", { items: [text] }, { items: [text, number] }],
  ["narrowed", "/items/0", {}, { items: [text] }],
  ["widened", "/items/0", { items: [text] }, {}],
  ["changed", "/items/0/type", { items: [text] }, { items: [number] }],
  ["narrowed", "/prefixItems/0", {}, { prefixItems: [text] }],
  ["narrowed", "/allOf/1", { allOf: [text] }, { allOf: [text, { minLength: 1 }] }],
  ["widened", "/allOf/1", { allOf: [text, { minLength: 1 }] }, { allOf: [text] }],
  ["widened", "/anyOf/0", { anyOf: [text] }, { anyOf: [nothing, text] }],
  ["narrowed", "/oneOf/0", { oneOf: [nothing, text] }, { oneOf: [text] }],
  ["changed", "/anyOf/1/type", { anyOf: [text, number] }, { anyOf: [text, nothing] }],
  ["changed", "/anyOf/1/type", { anyOf: [number, text] }, { anyOf: [text, nothing] }],
])("%s at %s: %j, %j", (relation, pointer, before, after) => {
  expect(bothChanges(before, after)).toEqual(asBoth(relation, pointer));
});

test.each<[string[], JsonValue, JsonValue]>([
  [['compatible /x/properties/a: property "a" added'], {}, { properties: { a: text } }],
  [['breaking /x/properties/a: property "a" removed'], { properties: { a: text } }, { properties: {} }],
  [
    ['compatible /x/properties/b: property "b" added', 'breaking /x/properties/c: property "c" removed'],
    { properties: { c: text, a: text } },
    { properties: { b: text, a: text } },
  ],
  [['compatible /x/$defs/a: definition "a" added'], {}, { $defs: { a: text } }],
  [['compatible /x/definitions/a: definition "a" removed'], { definitions: { a: text } }, {}],
  [["compatible /x/default: default changed"], { default: 1 }, { default: 2 }],
  [["text /x/title: title changed"], {}, { title: "T" }],
  [["text /x/x-vendor: x-vendor changed"], { "x-vendor": 1 }, {}],
  [["text /x/$schema: $schema changed"], {}, { $schema: "https://json-schema.org/draft/2020-12/schema" }],
  [
    ["compatible /x/anyOf/0/type: output narrowed", "breaking /x/anyOf/1: output widened"],
    { anyOf: [{ type: ["string", "null"] }] },
    { anyOf: [text, number] },
  ],
])("%j", (changes, before, after) => {
  expect(outputChanges(before, after)).toEqual(changes);
});

test("what a server fills in may be required of its inputs, and not of its outputs", () => {
  const optional = { properties: { a: { default: 1 } } };
  const required = { ...optional, required: ["a"] };
  expect(outputChanges(optional, required)).toEqual(["compatible /x/required: output narrowed"]);
  expect(compareSchemas(optional, required, "/x", "input")).toEqual([]);
});

test("a change holds both sides, as far as they are there", () => {
  expect(compareSchemas({ title: "a" }, { title: "b", default: 1 }, "", "output")).toStrictEqual([
    { severity: "compatible", pointer: "/default", summary: "default changed", after: 1 },
    { severity: "text", pointer: "/title", summary: "title changed", before: "a", after: "b" },
  ]);
  expect(compareSchemas(undefined, true, "", "output")).toStrictEqual([
    { severity: "breaking", pointer: "", summary: "output changed", after: true },
  ]);
});

describe("another dialect", () => {
  const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
  const LATEST = "https://json-schema.org/draft/2020-12/schema";
  test.each<[boolean, JsonValue | undefined, JsonValue | undefined]>([
    [true, { $schema: DRAFT_07, prefixItems: [text] }, { $schema: LATEST, prefixItems: [text] }],
    [true, { $schema: DRAFT_07, prefixItems: [text] }, { $schema: LATEST }],
    [true, { $schema: DRAFT_07 }, { prefixItems: [text] }],
    [false, { $schema: DRAFT_07, ...text }, { $schema: LATEST, ...number }],
    [false, { $schema: LATEST, prefixItems: [text] }, { prefixItems: [text] }],
    [false, { $schema: DRAFT_07, prefixItems: [text] }, true],
    [false, undefined, { $schema: DRAFT_07, prefixItems: [text] }],
  ])("is used: %j, by %j and %j", (isUsed, before, after) => {
    expect(isDialectUsed(before, after)).toBe(isUsed);
  });

  test("that is used may mean anything", () => {
    const before = { $schema: DRAFT_07, prefixItems: [text] };
    expect(bothChanges(before, { ...before, $schema: LATEST })).toEqual(asBoth("changed", "/$schema"));
    const worded = { ...before, $schema: LATEST, title: "T" };
    expect(outputChanges(before, worded)).toContain("text /x/title: title changed");
  });
});
