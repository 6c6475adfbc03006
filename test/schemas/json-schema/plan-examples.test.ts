import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { cleanSchema } from "../../../schemas/json-schema/clean-schema.ts";
import { planExamples } from "../../../schemas/json-schema/plan-examples.ts";

const examplesOf = (schema: JsonValue): JsonValue[] => planExamples(cleanSchema(schema, "output"));

const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required,
});

describe("an example is made of what a schema says:", () => {
  test.each<[string, JsonValue, JsonValue]>([
    ["a text", { type: "string" }, "text"],
    ["nothing", {}, "text"],
    ["a long text", { type: "string", minLength: 7 }, "textxxx"],
    ["a text that is no longer than 200", { type: "string", minLength: 5000 }, "text".padEnd(200, "x")],
    ["a short text", { type: "string", maxLength: 2 }, "te"],
    ["no text", { type: "string", maxLength: 0 }, ""],
    ["a format", { type: "string", format: "email" }, "name@example.com"],
    ["a date", { type: "string", format: "date" }, "2026-01-31"],
    ["a boolean", { type: "boolean" }, true],
    ["null", { type: "null" }, null],
    ["the first of several types", { type: ["integer", "string"] }, 1],
    ["a number", { type: "number" }, 1],
    ["a least number", { type: "integer", minimum: 5 }, 5],
    ["zero", { type: "integer", minimum: 0 }, 0],
    ["a number above", { type: "integer", exclusiveMinimum: 5 }, 6],
    ["a number above both", { type: "integer", minimum: 9, exclusiveMinimum: 5 }, 9],
    ["a multiple", { type: "integer", multipleOf: 5 }, 5],
    ["a multiple above", { type: "integer", multipleOf: 5, minimum: 7 }, 10],
    ["a multiple above a border", { type: "integer", multipleOf: 5, exclusiveMinimum: 10 }, 15],
    ["a number up to more", { type: "integer", maximum: 5 }, 1],
    ["a number up to one", { type: "integer", maximum: 1 }, 0],
    ["a number up to less", { type: "integer", maximum: -3 }, -4],
    ["a number below", { type: "integer", exclusiveMaximum: 1 }, 0],
    ["a number below more", { type: "integer", exclusiveMaximum: 9 }, 1],
    ["a multiple below", { type: "integer", multipleOf: 4, maximum: -3 }, -8],
    ["a constant", { type: "string", const: "c", default: "d" }, "c"],
    ["a first value", { type: "string", enum: ["a", "b"], default: "b" }, "b"],
    ["a value of a list", { type: "string", enum: ["a", "b"] }, "a"],
    ["an object without needs", object({ a: { type: "string" } }, []), {}],
    ["an object without a type", { properties: { a: { type: "integer" } }, required: ["a"] }, { a: 1 }],
    ["needs without properties", { required: ["a"] }, { a: "text" }],
    ["needs beside properties", object({ a: { type: "integer" } }, ["b"]), { b: "text" }],
    ["an object in an object", object({ a: object({ b: { type: "boolean" } }) }), { a: { b: true } }],
    ["a list", { type: "array", items: { type: "integer" } }, [1]],
    ["a list of anything", { type: "array" }, [null]],
    ["a longer list", { type: "array", items: { type: "integer" }, minItems: 3 }, [1, 1, 1]],
    ["a list of no more than ten", { type: "array", items: { type: "integer" }, minItems: 30 }, Array(10).fill(1)],
    ["a list of nothing", { type: "array", items: { type: "integer" }, maxItems: 0 }, []],
    [
      "a list of places",
      {
        type: "array",
        prefixItems: [{ type: "integer" }, { type: "boolean" }],
        items: { type: "string" },
        minItems: 3,
      },
      [1, true, "text"],
    ],
    ["the first alternative", { anyOf: [{ type: "integer" }, { type: "string" }] }, 1],
    ["the first alternative of one", { oneOf: [{ type: "boolean" }, { type: "string" }] }, true],
    ["any of all", { anyOf: [{ type: "integer" }], oneOf: [{ type: "string" }] }, 1],
    [
      "all of several objects",
      { allOf: [object({ a: { type: "integer" } }), object({ b: { type: "boolean" } })] },
      { a: 1, b: true },
    ],
    ["all of what is no object", { allOf: [{ type: "integer" }, object({ b: { type: "boolean" } })] }, 1],
    [
      "an alternative beside properties",
      { ...object({ a: { type: "integer" } }), anyOf: [object({ b: { type: "boolean" } })] },
      { b: true, a: 1 },
    ],
    [
      "what is no object beside properties",
      { ...object({ a: { type: "integer" } }), anyOf: [{ type: "string" }] },
      { a: 1 },
    ],
    [
      "a text beside an alternative",
      { type: "string", properties: {}, anyOf: [object({ b: { type: "boolean" } })] },
      "text",
    ],
    ["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "integer" } } }, 1],
    [
      "a property that is a reference",
      { ...object({ a: { $ref: "#/$defs/a" } }), $defs: { a: { type: "boolean" } } },
      { a: true },
    ],
  ])("%s", (_name, schema, example) => {
    expect(examplesOf(schema)).toEqual([example]);
  });
});

test("examples of the schema come first, and one of their own parts behind", () => {
  expect(examplesOf({ ...object({ a: { type: "integer" } }), examples: [{ a: 7 }, { a: 8 }] })).toEqual([
    { a: 7 },
    { a: 8 },
    { a: 7 },
  ]);
});

test.each([true, false])("a schema that is %j has none", (schema) => {
  expect(examplesOf(schema)).toEqual([]);
});

/** How many lists are in one another. */
const depthOf = (value: JsonValue): number =>
  Array.isArray(value) && value.length > 0 ? 1 + depthOf(value[0] as JsonValue) : 0;

test("what leads into itself ends, and lists show an item only near the top", () => {
  const [tree] = examplesOf({ type: "array", items: { $ref: "#" } }) as [JsonValue];
  expect(tree).toEqual([[[]]].slice(0, 1));
  const list = (depth: number): JsonObject =>
    depth === 0 ? { type: "integer" } : { type: "array", items: list(depth - 1) };
  expect([1, 3, 4, 5, 7].map((depth) => depthOf(examplesOf(list(depth))[0] as JsonValue))).toEqual([1, 3, 4, 4, 4]);
  const [chain] = examplesOf(object({ next: { $ref: "#" } })) as [JsonObject];
  expect(JSON.stringify(chain)).toBe(`${'{"next":'.repeat(5)}null${"}".repeat(5)}`);
});

test("names of objects' own are names like others", () => {
  const schema = JSON.parse(
    '{"type":"object","required":["__proto__","constructor"],"properties":{"__proto__":{"type":"integer"}}}',
  ) as JsonObject;
  expect(JSON.stringify(examplesOf(schema)[0])).toBe('{"__proto__":1,"constructor":"text"}');
  expect(examplesOf({ type: "string", format: "constructor" })).toEqual(["text"]);
});
