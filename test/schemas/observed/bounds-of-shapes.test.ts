import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { includesShape, joinShapes, type Shape } from "../../../schemas/observed/shape.ts";
import { shapeOfValue, wordsOfInput } from "../../../schemas/observed/shape-of-value.ts";
import { parseShapeSchema, toShapeSchema } from "../../../schemas/observed/shape-schema.ts";
import { shapeOfResult } from "../../../schemas/observed/result-shape.ts";

const schemaOf = (value: JsonValue, input?: JsonValue) => toShapeSchema(shapeOfValue(value, input)) as object;
/** An object with so many fields whose values are of two kinds. */
const wide = (count: number, prefix = "f"): { [key: string]: JsonValue } =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at % 2 === 0 ? 1 : "a"]));

describe("an object is a record up to a bound, and then a map", () => {
  it.each<[string, JsonValue, JsonValue]>([
    ["of 128 fields", wide(128), wide(129)],
    ["of names of fields alone", { a: 1, b: "a" }, { a: 1, "b c": "a" }],
    ["of three variables", { HOME: "a", PATH: "b", LANG: "c" }, { HOME: "a", PATH: "b", LANG: "c", TERM: "d" }],
    ["of variables and others", { HOME: "a", PATH: "b", LANG: "c", term: "d" }, { A_1: 1, _B: 1, C: 1, D: null }],
  ])("%s", (_name, record, map) => {
    expect(schemaOf(record)).toHaveProperty("properties");
    expect(schemaOf(map)).toHaveProperty("additionalProperties");
  });

  it("where the input names all of its fields, and at least two", () => {
    const input = { query: "select id, name" };
    expect(schemaOf({ id: 1, name: "a" }, input)).toEqual({ type: "object", additionalProperties: {} });
    for (const record of [{ id: 1 }, { id: 1, name: 2, size: 3 }, {}]) {
      expect(schemaOf(record, input)).toHaveProperty("properties");
    }
  });

  it("also in a list, where the items before are records", () => {
    const items = (last: JsonValue) => schemaOf([{ id: 1, name: "a", size: 1 }, { id: 1, name: "a" }, last]);
    expect(items({ id: 1, name: "a" })).toHaveProperty("items.properties.size");
    const input = { query: "select id, name" };
    expect(
      schemaOf(
        [
          { id: 1, name: 1, size: 1 },
          { id: 1, name: 1 },
        ],
        input,
      ),
    ).toEqual({
      ...{ type: "array", items: { type: "object", additionalProperties: {} } },
    });
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${"x".repeat(at)}`, 1]));
    const odd = { ...many, f: "a" };
    expect(schemaOf([odd, odd])).toHaveProperty("items.properties");
    expect(schemaOf([odd, odd, many])).toHaveProperty("items.additionalProperties");
    // What was seen of the fields before describes the last item, whose values are of one kind.
    const others = [odd, { ...many, fx: "a" }];
    expect(schemaOf(others)).toHaveProperty("items.properties");
    expect(schemaOf([...others, many])).toHaveProperty("items.additionalProperties");
  });
});

it.each<[JsonValue, JsonValue]>([
  [{ a: 1 }, { a: "a" }],
  [
    { a: 1, b: 1 },
    { a: 1, b: "a" },
  ],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: 1, b: 1 }, { a: 1 }],
  [{ a: 1 }, {}],
  [{ a: [1] }, { a: ["a"] }],
  [[1], ["a"]],
  [[], [1]],
  [1, null],
  [null, 1],
  [{ a: 1 }, [1]],
  [{ a: 1 }, null],
])("every item of a list counts, also where the one before it is nearly the same: %j %j", (one, other) => {
  const both = toShapeSchema(joinShapes(shapeOfValue(one), shapeOfValue(other)));
  expect(schemaOf([one, other])).toEqual({ type: "array", items: both });
  expect(schemaOf([one, other, one, other])).toEqual({ type: "array", items: both });
});

it("records stay one up to 128 fields and 32 optional ones, when they are joined too", () => {
  const join = (one: JsonValue, other: JsonValue) => toShapeSchema(joinShapes(shapeOfValue(one), shapeOfValue(other)));
  expect(join(wide(128), wide(128))).toHaveProperty("properties");
  expect(join({ ...wide(127), one: 1 }, { ...wide(127), other: "a" })).toHaveProperty("additionalProperties");
});

describe("a list is looked at whole up to 400 items, and then in part", () => {
  const withText = (length: number, at: number): JsonValue =>
    Array.from({ length }, (_, index) => (index === at ? "a" : 1));
  const hasText = (value: JsonValue): boolean => JSON.stringify(schemaOf(value)).includes("string");
  it("every item of 400", () => {
    for (const at of [0, 199, 200, 201, 399]) expect(hasText(withText(400, at))).toBe(true);
  });

  it("the first 200 of more, and 200 that are spread over the rest", () => {
    for (const at of [0, 199, 200, 203, 206]) expect(hasText(withText(800, at))).toBe(true);
    for (const at of [201, 202, 204, 205]) expect(hasText(withText(800, at))).toBe(false);
    expect(hasText(withText(401, 400))).toBe(false);
  });

  it("of a map too", () => {
    const keys = Array.from({ length: 800 }, (_, index) => [`key ${index}`, index === 201 ? "a" : 1]);
    expect(schemaOf(Object.fromEntries(keys))).toEqual({ type: "object", additionalProperties: { type: "number" } });
  });
});

it("20,000 values are looked at, and what comes later is a place where no value was seen", () => {
  /** Lists that are 200 values each. */
  const lastAfter = (lists: number) => {
    const rows = Array.from({ length: lists }, () => Array<number>(199).fill(1));
    return (schemaOf({ rows, last: 1 }) as { properties: { last: JsonValue } }).properties.last;
  };
  expect(lastAfter(99)).toEqual({ type: "number" });
  expect(lastAfter(100)).toBe(false);
});

describe("the words of an input", () => {
  it("are those of all texts in it, as names of fields are written", () => {
    const input = { query: 'one, "two" three-four', list: [["$five", null], { six: "se_ven" }, 8, true], not: {} };
    expect([...wordsOfInput(input)]).toEqual(["one", "two", "three-four", "$five", "se_ven"]);
    expect(wordsOfInput(null).size).toBe(0);
  });

  it("are those of its first 20,000 characters", () => {
    const words = (...texts: string[]) => [...wordsOfInput(texts)].filter((word) => word.length < 100);
    expect(words(" ".repeat(19_997), "abcdef", "later")).toEqual(["abc"]);
    expect(words(" ".repeat(20_000), "a")).toEqual([]);
    expect(words(" ".repeat(19_999), "a", "b")).toEqual(["a"]);
  });
});

describe("a shape includes", () => {
  it.each<[Shape, Shape, boolean]>([
    [{ any: true }, { string: true }, true],
    [{ any: true }, { any: true }, true],
    [{ string: true }, { any: true }, false],
    [{ string: true, null: true }, { null: true }, true],
    [{ string: true }, { null: true }, false],
    [{ array: { string: true } }, { array: {} }, true],
    [{ array: {} }, { array: { string: true } }, false],
    [{ string: true }, { array: {} }, false],
    [{ string: true }, { object: { values: {} } }, false],
    [{ object: { values: { string: true } } }, { object: { values: { string: true } } }, true],
    [{ object: { fields: new Map() } }, { object: { values: {} } }, false],
  ])("%j %j: %s", (shape, part, isIncluded) => {
    expect(includesShape(shape, part)).toBe(isIncluded);
    expect(JSON.stringify(toShapeSchema(joinShapes(shape, part))) === JSON.stringify(toShapeSchema(shape))).toBe(
      isIncluded,
    );
  });
});

describe("a shape in a file", () => {
  const parse = (schema: JsonValue) => parseShapeSchema(schema, (problem) => new Error(problem));
  const nested = (levels: number): JsonValue =>
    JSON.parse(`${'{"type":"array","items":'.repeat(levels)}{"type":"null"}${"}".repeat(levels)}`) as JsonValue;
  const record = (count: number): JsonValue => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, false])),
    required: [],
  });

  it("has 12 levels and 128 fields at most", () => {
    expect(() => parse(nested(12))).not.toThrow();
    expect(() => parse(nested(13))).toThrow("is nested more than 12 levels deep");
    expect(() => parse(record(128))).not.toThrow();
    expect(() => parse(record(129))).toThrow("the shape has more than 128 fields");
  });

  it("names the place of a mistake", () => {
    const schema = { type: "object", properties: { "a/b~c": { type: ["array"], items: 1 } } };
    expect(() => parse(schema)).toThrow("/properties/a~1b~0c/items is neither an object nor false");
    const map = { type: "object", additionalProperties: { type: "x" } };
    expect(() => parse(map)).toThrow('/additionalProperties has a "type" that is none of');
  });

  it.each<[JsonValue, string]>([
    [{ type: ["string", "date"] }, 'has a "type"'],
    [{ type: [] }, 'has a "type"'],
    [{ type: "object", properties: { a: false }, required: "a" }, 'has no "properties" and "required" of fields'],
    [{ type: "object", properties: { a: false }, required: [1] }, "requires 1, which is not"],
    [{ type: "object", properties: { 1: false }, required: [1] }, "requires 1, which is not"],
    [{ type: "object", properties: { a: false }, required: ["toString"] }, 'requires "toString", which is not'],
  ])("is refused as %j", (schema, problem) => {
    expect(() => parse(schema)).toThrow(problem);
  });

  it("has the types that it names, and fields that are optional unless they are required", () => {
    expect(parse({ type: ["null", "string", "number", "boolean"] })).toEqual({
      ...{ null: true, string: true, number: true, boolean: true },
    });
    expect(parse({ type: "string" })).toEqual({ string: true });
    expect(parse({})).toEqual({ any: true });
    expect(parse({ type: "object", properties: { a: false, b: false }, required: ["a"] })).toEqual({
      object: {
        fields: new Map([
          ["a", { shape: {}, isOptional: false }],
          ["b", { shape: {}, isOptional: true }],
        ]),
      },
    });
    expect(parse({ type: "object", properties: {} })).toEqual({ object: { fields: new Map() } });
  });
});

describe("a text is JSON where it may be one", () => {
  it.each<[string, string]>([
    [`[${" ".repeat(999_998)}]`, "json"],
    ["  \n{}\n  ", "json"],
    ["[1", "text"],
    ["1]", "text"],
    ["[1]x", "text"],
    ["x[1]", "text"],
    ["{]", "text"],
  ])("%#", (text, kind) => {
    expect(Object.keys(shapeOfResult(text) ?? {})).toEqual([kind]);
  });

  it("and not where its end is far behind", () => {
    expect(shapeOfResult(`[1]${" ".repeat(19)}`)).toHaveProperty("json");
    expect(shapeOfResult(`[1]${" ".repeat(20)}`)).toHaveProperty("text");
  });
});
