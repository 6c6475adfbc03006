import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { cutCircles, type NodesByReference } from "../../../schemas/json-schema/references.ts";
import { type SchemaProblem, toLatestDialect, type Dialect, dialectOf } from "../../../schemas/json-schema/keywords.ts";

const text = { type: "string" };
/** Not written as an object, whose `then` would make it a promise to `await`. */
const when = (asked: JsonValue, follows: JsonValue, otherwise: JsonValue): JsonObject =>
  JSON.parse(
    JSON.stringify({ asked, follows, otherwise })
      .replace('"asked"', '"if"')
      .replace('"follows"', '"then"')
      .replace('"otherwise"', '"else"'),
  ) as JsonObject;

describe("a schema is written in the keywords of 2020-12:", () => {
  const words = { description: "d", default: null };
  test.each<[string, Dialect, JsonObject, JsonObject]>([
    ...["$ref", "allOf", "anyOf", "const", "not", "oneOf"].map((keyword): [string, Dialect, JsonObject, JsonObject] => [
      `a nullable ${keyword}`,
      "2020-12",
      { ...words, anyOf: [{ [keyword]: "x", title: "t" }, { type: "null" }] },
      { [keyword]: "x", nullable: true, ...words, title: "t" },
    ]),
    ["a reference that is not nullable", "2020-12", { $ref: "#", nullable: false }, { $ref: "#", nullable: false }],
    [
      "what stands beside a reference",
      "draft-07",
      { $ref: "#", ...words },
      { title: "t", $ref: "#", ...words, ...text },
    ],
    ["the same later", "2019-09", { $ref: "#", ...words, ...text }, { $ref: "#", ...words, ...text }],
    [
      "what is no reference",
      "draft-07",
      { $ref: 5, ...text },
      { $ref: 5, ...text, minContains: 1, prefixItems: [text] },
    ],
    [
      "newer keywords",
      "2019-09",
      { unevaluatedItems: false, dependentRequired: {} },
      { unevaluatedItems: false, dependentRequired: {} },
    ],
    [
      "newer keywords in an older edition",
      "draft-07",
      {},
      {
        unevaluatedItems: false,
        unevaluatedProperties: false,
        dependentRequired: {},
        dependentSchemas: {},
        maxContains: 1,
      },
    ],
    ["one list of items", "draft-07", { prefixItems: [text] }, { items: [text] }],
    [
      "an empty list of items",
      "2020-12",
      { additionalItems: false, items: false },
      { items: [], additionalItems: false },
    ],
    [
      "items of one schema",
      "2020-12",
      { items: text, additionalItems: false },
      { items: text, additionalItems: false },
    ],
    [
      "dependencies of names",
      "2020-12",
      { dependencies: { a: ["b"] }, dependentRequired: { a: ["b"] } },
      { dependencies: { a: ["b"] } },
    ],
    [
      "dependencies of schemas",
      "2020-12",
      { dependencies: { a: text }, dependentSchemas: { a: text } },
      { dependencies: { a: text } },
    ],
    [
      "dependencies that are written twice",
      "2020-12",
      { dependencies: { a: ["b"] }, dependentRequired: {} },
      { dependencies: { a: ["b"] }, dependentRequired: {} },
    ],
    ["dependencies that are none", "2020-12", { dependencies: [text] }, { dependencies: [text] }],
    ["a lower limit that excludes", "draft-07", { exclusiveMinimum: 3 }, { minimum: 3, exclusiveMinimum: true }],
    ["an upper limit that excludes", "draft-07", { exclusiveMaximum: 0 }, { maximum: 0, exclusiveMaximum: true }],
    [
      "limits that include",
      "draft-07",
      { minimum: 3, maximum: 4 },
      { minimum: 3, maximum: 4, exclusiveMinimum: false, exclusiveMaximum: false },
    ],
    ["limits that are not there", "draft-07", {}, { exclusiveMinimum: true, exclusiveMaximum: true }],
    ["limits that are numbers", "2020-12", { minimum: 3, exclusiveMinimum: 4 }, { minimum: 3, exclusiveMinimum: 4 }],
    ["a nullable type", "2020-12", { type: ["string", "null"], nullable: true }, { type: "string", nullable: true }],
    [
      "nullable types",
      "2020-12",
      { type: ["string", "number", "null"], nullable: true },
      { type: ["string", "number"], nullable: true },
    ],
    ["types with null", "2020-12", { type: ["null"], nullable: true }, { type: ["null"], nullable: true }],
    [
      "a type that is not nullable",
      "2020-12",
      { type: "string", nullable: "true" },
      { type: "string", nullable: "true" },
    ],
    ["nullable values", "2020-12", { enum: [1, null], nullable: true }, { enum: [1], nullable: true }],
    ["values with null", "2020-12", { enum: [null, 1], nullable: true }, { enum: [null, 1], nullable: true }],
    ["values that are none", "2020-12", { enum: "a", nullable: true }, { enum: "a", nullable: true }],
    ["a recursive reference", "2019-09", { $recursiveRef: "#", $ref: "#" }, { $recursiveRef: "#" }],
  ])("%s (%s)", (_what, dialect, latest, schema) => {
    expect(toLatestDialect(schema, dialect)).toEqual(latest);
  });

  test("every part in its order", () => {
    const schema = { nullable: true, description: "d", $ref: "#", default: 1 };
    expect(JSON.stringify(toLatestDialect(schema, "2020-12"))).toBe(
      '{"description":"d","default":1,"anyOf":[{"$ref":"#"},{"type":"null"}]}',
    );
  });
});

test.each<[Dialect, JsonValue | undefined]>([
  ["2020-12", undefined],
  ["2020-12", []],
  ["2020-12", {}],
  ["2020-12", { $schema: 7 }],
  ["2020-12", { $schema: "https://json-schema.org/draft/2020-12/schema" }],
  ["2019-09", { $schema: "https://json-schema.org/draft/2019-09/schema" }],
  ["draft-07", { $schema: "http://json-schema.org/draft-07/schema#" }],
  ["draft-07", { $schema: "http://json-schema.org/draft-06/schema#" }],
  ["draft-07", { $schema: "http://json-schema.org/draft-04/schema" }],
  ["draft-07", { $schema: "http://json-schema.org/draft-03/schema" }],
  ["2020-12", { $schema: "http://json-schema.org/draft-05/schema" }],
])("%s is the dialect of %j", (dialect, schema) => {
  expect(dialectOf(schema)).toBe(dialect);
});

describe("a reference to the value that is being looked at is cut", () => {
  const cut = (nodes: Record<string, JsonValue>) => {
    const problems: SchemaProblem[] = [];
    const left = cutCircles(new Map(Object.entries(nodes)) as NodesByReference, problems);
    return { left: Object.fromEntries(left), at: problems.map(({ pointer }) => pointer) };
  };
  const A = "#/$defs/a";
  const B = "#/$defs/b";

  test.each<[string, JsonValue, JsonValue]>([
    ["at the root", { $ref: "#", ...text }, text],
    ["in a list", { allOf: [{ $ref: "#" }, true, text] }, { allOf: [{}, true, text] }],
    ["in a condition", when({ $ref: "#" }, text, text), when({}, text, text)],
    [
      "in what follows from one",
      when(text, { $ref: "#" }, { oneOf: [{ $ref: "#" }] }),
      when(text, {}, { oneOf: [{}] }),
    ],
    [
      "in a schema that depends on a name",
      { dependentSchemas: { a: { $ref: "#" }, b: text, c: true } },
      { dependentSchemas: { a: {}, b: text, c: true } },
    ],
    ["with what it is excluded by", { not: { $ref: "#" }, ...text }, text],
    ["deep in what it is excluded by", { not: { anyOf: [{ $ref: "#" }] }, ...text }, text],
  ])("%s", (_where, node, left) => {
    expect(cut({ "#": node })).toEqual({ left: { "#": left }, at: [""] });
  });

  test("round about, and nowhere else", () => {
    const nodes = {
      "#": { $ref: A, properties: { x: { $ref: "#" } } },
      [A]: { anyOf: [{ $ref: B }, { $ref: "#/$defs/end" }] },
      [B]: { oneOf: [{ $ref: A }, { not: { $ref: "#/$defs/end" } }], items: { $ref: B } },
      "#/$defs/end": { items: { $ref: B }, properties: { a: { $ref: "#/$defs/end" } } },
      "#/$defs/true": true,
    };
    expect(cut(nodes)).toEqual({
      left: {
        ...nodes,
        [A]: { anyOf: [{}, { $ref: "#/$defs/end" }] },
        [B]: { oneOf: [{}, { not: { $ref: "#/$defs/end" } }], items: { $ref: B } },
      },
      at: ["/$defs/a", "/$defs/b"],
    });
  });
});
