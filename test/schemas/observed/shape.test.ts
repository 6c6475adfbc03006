import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { includesShape, joinShapes, type Shape } from "../../../schemas/observed/shape.ts";
import { shapeOfValue } from "../../../schemas/observed/shape-of-value.ts";
import { parseShapeSchema, toShapeSchema } from "../../../schemas/observed/shape-schema.ts";

/** Few names and deep values, so that shapes meet; some objects have very many keys, or keys that are data. */
const anyValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 1, "text"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("id", "name", "items", "__proto__", "constructor"), tie("value"), { maxKeys: 4 }),
    fc.dictionary(fc.string({ maxLength: 3 }), tie("value"), { maxKeys: 2 }),
    fc
      .nat(40)
      .chain((first) =>
        fc
          .nat(30)
          .map((count) =>
            Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${first + at}`, at % 2 ? 1 : "a"])),
          ),
      ),
  ),
})).value;
/** Variables of an environment, which are data where there are four of them. */
const variables = fc.dictionary(
  fc.constantFrom("HOME", "LANG", "PATH", "TERM", "USER"),
  fc.constantFrom<JsonValue>("a", 1),
);
const anyShape = fc
  .array(anyValue, { minLength: 1, maxLength: 3 })
  .map((values) => values.map((value) => shapeOfValue(value)).reduce(joinShapes));

/** More than elsewhere: few values meet. Mutation tests take fewer. */
const RUNS = { numRuns: fc.readConfigureGlobal().numRuns ?? 500 };

function textOf(shape: Shape): string {
  return JSON.stringify(toShapeSchema(shape));
}

describe("joining shapes", () => {
  it("gives the same in any order", () => {
    fc.assert(
      fc.property(anyShape, anyShape, (one, other) => {
        expect(textOf(joinShapes(one, other))).toBe(textOf(joinShapes(other, one)));
      }),
    );
  });

  it("gives the same however the shapes are grouped", () => {
    fc.assert(
      fc.property(anyShape, anyShape, anyShape, (one, two, three) => {
        expect(textOf(joinShapes(joinShapes(one, two), three))).toBe(textOf(joinShapes(one, joinShapes(two, three))));
      }),
      RUNS,
    );
  });

  it("changes nothing when the same shape comes again", () => {
    fc.assert(
      fc.property(anyShape, anyShape, (one, other) => {
        const joined = joinShapes(one, other);
        expect(textOf(joinShapes(joined, other))).toBe(textOf(joined));
      }),
    );
  });

  it("includes both shapes, and says of an unknown one that it is new", () => {
    fc.assert(
      fc.property(anyShape, anyShape, (one, other) => {
        const joined = joinShapes(one, other);
        expect(includesShape(joined, one)).toBe(true);
        expect(includesShape(joined, other)).toBe(true);
        expect(includesShape(one, other)).toBe(textOf(joined) === textOf(one));
      }),
      RUNS,
    );
  });

  it("makes a field optional that one of the objects does not have", () => {
    expect(toShapeSchema(shapeOfValue([{ id: 1, name: "a" }, { id: null }]))).toEqual({
      type: "array",
      items: {
        type: "object",
        properties: { id: { type: ["null", "number"] }, name: { type: "string" } },
        required: ["id"],
      },
    });
  });

  it("takes objects for a map once more than 32 of their fields are optional", () => {
    const objects = (count: number): JsonValue =>
      Array.from({ length: count }, (_, at) => ({ [`field${"x".repeat(at)}`]: at }));
    const itemsOf = (count: number): unknown =>
      (toShapeSchema(shapeOfValue(objects(count))) as { items: unknown }).items;
    expect(itemsOf(32)).toHaveProperty("properties");
    expect(itemsOf(33)).toEqual({ type: "object", additionalProperties: { type: "number" } });
  });
});

describe("the shape of a value", () => {
  it("has no value in it, and no key that looks like data", () => {
    const text = textOf(
      shapeOfValue({
        users: { "ada@example.org": { age: 3 } },
        commits: { "9f86d081884c7d65": "first" },
        files: { "src/index.ts": ["canary"] },
        ports: { "8080": true },
      }),
    );
    expect(text).not.toMatch(/ada|9f86|src|8080|canary|first|3/);
    expect(text).toContain("users");
  });

  it("covers all items of a list, however alike they are", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyValue, variables), { maxLength: 6 }),
        fc.constantFrom<JsonValue>(null, ["id", "name"]),
        (items, input) => {
          const each = items.map((item) => toShapeSchema(shapeOfValue([item], input))) as { items: JsonValue }[];
          const parsed = each.map((one) => parseShapeSchema(one.items, (problem) => new Error(problem)));
          expect(toShapeSchema(shapeOfValue([...items, ...items], input))).toEqual({
            type: "array",
            items: toShapeSchema(parsed.reduce(joinShapes, {})),
          });
        },
      ),
      RUNS,
    );
  });

  it("takes an item for a map whose keys are data, although the items before describe it as a record", () => {
    const variables = (...values: JsonValue[]) => ({
      HOME: values[0],
      LANG: values[1],
      PATH: values[2],
      TERM: values[3],
    });
    const mixed = [variables("a", 1, "a", 1), variables(1, "a", 1, "a")] as JsonValue[];
    const itemsOf = (items: JsonValue[], input?: JsonValue) => toShapeSchema(shapeOfValue(items, input));
    expect(itemsOf(mixed)).toHaveProperty("items.properties");
    expect(itemsOf([...mixed, variables("a", "a", "a", "a") as JsonValue])).toHaveProperty(
      "items.additionalProperties",
    );
    const named: JsonValue[] = [
      { id: 1, extra: 1 },
      { name: 1, other: 1 },
    ];
    expect(itemsOf(named, ["id", "name"])).toHaveProperty("items.properties");
    expect(itemsOf([...named, { id: 1, name: 1 }], ["id", "name"])).toHaveProperty("items.additionalProperties");
  });

  it("takes many keys with values of one kind for a map", () => {
    const people = (count: number): JsonValue =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`name${"abcdefghijklmnopqrstuvwxyz"[at]}`, { age: at }]),
      );
    expect(toShapeSchema(shapeOfValue(people(19)))).toHaveProperty("properties");
    expect(toShapeSchema(shapeOfValue(people(20)))).toHaveProperty("additionalProperties");
  });

  it("takes few keys that are written like variables of an environment for a map", () => {
    const variables = { HOME: "/", PATH: "/bin", LANG: "C", NODE_ENV: "test" };
    expect(toShapeSchema(shapeOfValue(variables))).toEqual({
      type: "object",
      additionalProperties: { type: "string" },
    });
    expect(toShapeSchema(shapeOfValue({ OK: true, ID: 1, URL: "a", TTL: 2 }))).toHaveProperty("properties");
  });

  it("takes fields that the input names for the caller's: a map of anything", () => {
    const rows = [{ item: "pen", total: 3 }];
    const named = shapeOfValue(rows, { query: "select item, sum(price) as total from orders" });
    expect(toShapeSchema(named)).toEqual({ type: "array", items: { type: "object", additionalProperties: {} } });
    const others = shapeOfValue([{ id: 1, name: "Ada" }], { query: "select * from customers" });
    expect(toShapeSchema(others)).toHaveProperty("items.properties.name");
    expect(toShapeSchema(joinShapes(others, named))).toEqual(toShapeSchema(named));
    expect(toShapeSchema(shapeOfValue({ id: 1 }, { text: "the id" }))).toHaveProperty("properties");
    expect(toShapeSchema(shapeOfValue({ id: 1, size: 2 }, { id: "a", size: 1 }))).toHaveProperty("properties");
  });

  it("ends at a depth of 12", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`) as JsonValue;
    expect(textOf(shapeOfValue(deep)).match(/properties/g)).toHaveLength(12);
  });

  it("says that an empty list has no items yet", () => {
    expect(toShapeSchema(shapeOfValue([]))).toEqual({ type: "array", items: false });
    expect(toShapeSchema(joinShapes(shapeOfValue([]), shapeOfValue([1])))).toEqual({
      type: "array",
      items: { type: "number" },
    });
  });

  it("looks at a bounded part of a very long list, its end included", () => {
    const rows = [
      ...Array.from({ length: 100_000 }, () => ({ id: 1 })),
      ...Array.from({ length: 1000 }, () => ({ id: 1, late: true })),
    ];
    expect(textOf(shapeOfValue(rows))).toContain("late");
  });
});

describe("a shape as a schema", () => {
  it("is read back as it was", () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const schema = toShapeSchema(shape);
        expect(textOf(parseShapeSchema(schema, (problem) => new Error(problem)))).toBe(JSON.stringify(schema));
      }),
    );
  });

  it.each<[string, JsonValue, string]>([
    [
      "a keyword of its own",
      { type: "string", pattern: "x" },
      'the shape has the keyword "pattern", which no shape has',
    ],
    ["no type", { items: {} }, 'the shape has a "type" that is none of array, boolean, null, number, object, string'],
    ["a list without items", { type: "array" }, 'the shape has no "items"'],
    ["an unknown type below", { type: "array", items: { type: "integer" } }, '/items has a "type" that is none of'],
    [
      "an undeclared field",
      { type: "object", properties: {}, required: ["id"] },
      'the shape requires "id", which is not in "properties"',
    ],
    [
      "fields that are no object",
      { type: "object", properties: [] },
      'the shape has no "properties" and "required" of fields',
    ],
    ["an object without either", { type: "object" }, 'the shape has no "additionalProperties"'],
    ["text", "string", "the shape is neither an object nor false"],
  ])("is refused with %s", (_, schema, problem) => {
    expect(() => parseShapeSchema(schema, (message) => new Error(message))).toThrow(problem);
  });

  it("is refused when it is nested 1,000 deep", () => {
    const deep = JSON.parse(`${'{"type":"array","items":'.repeat(1000)}{}${"}".repeat(1000)}`) as JsonValue;
    expect(() => parseShapeSchema(deep, (message) => new Error(message))).toThrow("is nested more than 12 levels deep");
  });
});
