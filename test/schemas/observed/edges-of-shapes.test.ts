import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { forgetInto, learnInto } from "../../../schemas/observed/learn-into.ts";
import { observedOf } from "../../../schemas/observed/observed-results.ts";
import { includesShape, joinShapes } from "../../../schemas/observed/shape.ts";
import { shapeOfValue, isFieldName } from "../../../schemas/observed/shape-of-value.ts";
import { parseShapeSchema, toClosedSchema, toShapeSchema } from "../../../schemas/observed/shape-schema.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";

const shapesOf = (...values: JsonValue[]) => values.map((value) => shapeOfValue(value)).reduce(joinShapes);

describe("a field that is not always there", () => {
  it("is included where it is optional, and not where every object has it", () => {
    const [always, sometimes] = [shapesOf({ a: 1 }), shapesOf({ a: 1 }, {})];
    expect(includesShape(sometimes, always)).toBe(true);
    expect(includesShape(always, sometimes)).toBe(false);
    expect(includesShape(sometimes, shapesOf({}))).toBe(true);
    expect(includesShape(always, shapesOf({}))).toBe(false);
  });
});

describe("a value that is too large to look at whole", () => {
  it("leaves out what is beyond, and does not take it for anything", () => {
    // 150 lists of 150 lists each: more values than are looked at.
    const row = (fill: JsonValue): JsonValue => Array.from({ length: 150 }, () => [fill]);
    const large = Array.from({ length: 150 }, (_, index) => row(index === 149 ? "text" : 1));
    const schema = JSON.stringify(toShapeSchema(shapeOfValue(large)));
    expect(schema).toContain('"number"');
    expect(schema).not.toContain("{}");
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, row(at)]));
    expect(JSON.stringify(toShapeSchema(shapeOfValue([wide, wide, 1])))).not.toContain("{}");
  });
});

describe("the schema for types", () => {
  it("has the fields of an object and no others, and leaves an object without any open", () => {
    expect(toClosedSchema(shapesOf({ a: 1 }))).toEqual({
      ...{ type: "object", properties: { a: { type: "number" } }, required: ["a"], additionalProperties: false },
    });
    expect(toClosedSchema(shapesOf({}))).toMatchObject({ properties: {}, additionalProperties: true });
    expect(toClosedSchema(shapesOf([{ a: {} }, { a: {} }]))).toMatchObject({
      items: { additionalProperties: false, properties: { a: { additionalProperties: true } } },
    });
  });

  it("lets a place be anything where no value was seen, or nothing but null", () => {
    expect(toClosedSchema(shapesOf([]))).toEqual({ type: "array", items: {} });
    expect(toClosedSchema(shapesOf([null]), {})).toEqual({ type: "array", items: {} });
    expect(toClosedSchema(shapesOf([null]))).toEqual({ type: "array", items: { type: "null" } });
  });
});

describe("the key of an object", () => {
  it.each(["id", "$ref", "@type", "_links", "x1", "oauth2_step1", "a-b", "v2024", "deadbeef", "facade00"])(
    "%s is the name of a field",
    (key) => expect(isFieldName(key)).toBe(key !== "facade00"),
  );
  it.each(["a.b", "a/b", "a b", "1a", "a12345", "a1b2c3", "x".repeat(49), "deadbee0", "a1b_c-d9", "", "é"])(
    "%s is data",
    (key) => expect(isFieldName(key)).toBe(false),
  );
});

describe("what was observed", () => {
  const seen = { sources: new Map([["a".repeat(16), 2]]), shape: { json: shapesOf({ a: 1 }) } };
  const results = new Map([["files", new Map([["read", seen] as const, ["stat", seen] as const])]]);
  const lockfile = lockfileOf({ files: [{ name: "read" }, { name: "stat", outputSchema: { type: "object" } }] });
  const toolsOf = ({ servers }: typeof lockfile) => servers.get("files")?.tools ?? [];

  it("is learned of tools without an output schema alone, and counts each source once", () => {
    const learned = learnInto(learnInto(lockfile, results), results);
    const [read, stat] = toolsOf(learned);
    expect(stat).toEqual(toolsOf(lockfile)[1]);
    expect(read && observedOf(read)).toEqual(seen);
    expect(toolsOf(forgetInto(learned, () => true))).toEqual(toolsOf(lockfile));
    expect(toolsOf(forgetInto(learned, () => false))).toEqual(toolsOf(learned));
  });
});

describe("a shape in a file", () => {
  const parse = (schema: JsonValue) => parseShapeSchema(schema, (problem) => new Error(problem));
  it.each<[JsonValue, string]>([
    [1, "is neither an object nor false"],
    [{ minimum: 1 }, 'has the keyword "minimum"'],
    [{ type: [] }, 'has a "type"'],
    [{ type: "date" }, 'has a "type"'],
    [{ type: "array" }, 'has no "items"'],
    [{ type: "object" }, 'has no "additionalProperties"'],
    [{ type: "object", properties: [] }, 'has no "properties"'],
    [{ type: "object", properties: {}, required: ["a"] }, 'requires "a"'],
  ])("is refused as %j", (schema, problem) => expect(() => parse(schema)).toThrow(problem));

  it("comes back as it was written", () => {
    const shape = shapesOf({ a: [1, null], b: {} }, { a: ["x"] });
    expect(toShapeSchema(parse(toShapeSchema(shape) as JsonValue))).toEqual(toShapeSchema(shape));
  });
});
