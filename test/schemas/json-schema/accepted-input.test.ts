import { expect, test } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { toAcceptedInput } from "../../../schemas/json-schema/clean-schema.ts";

const object = (properties: JsonValue, required: JsonValue): JsonValue => ({ type: "object", properties, required });
const filled = { type: "string", default: "a" };

test.each<[string, JsonValue, JsonValue]>([
  ["a default", object({ a: filled, b: {} }, ["b"]), object({ a: filled, b: {} }, ["a", "b"])],
  ["a default alone", { properties: { a: filled } }, { properties: { a: filled }, required: ["a"] }],
  [
    "a default in each place where a schema can stand",
    { items: { properties: { a: filled } }, $defs: { d: { anyOf: [{ properties: { a: filled } }] } } },
    { items: loose({ a: filled }, ["a"]), $defs: { d: { anyOf: [loose({ a: filled }, ["a"])] } } },
  ],
  [
    "properties that are called like keywords",
    { properties: { required: filled, default: { type: "string" } }, required: ["default"] },
    { properties: { required: filled, default: { type: "string" } }, required: ["required", "default"] },
  ],
])("%s", (_, want, schema) => {
  expect(toAcceptedInput(schema)).toEqual(want);
});

test.each<[string, JsonValue]>([
  ["no schema", null],
  ["a list", [object({ a: filled }, ["a"])]],
  ["a property without a default", object({ a: { type: "string" } }, ["a"])],
  ["a name without a property", object({ a: filled }, ["b"])],
  ["a default that is a value of an example", object({ a: { examples: [{ default: 1 }] } }, ["a"])],
  ["one closed part of an intersection", { allOf: [{ additionalProperties: false }, { type: "object" }] }],
  ["a broken list of names", object({ a: filled }, "a")],
])("%s stays the very same value", (_, schema) => {
  expect(toAcceptedInput(schema)).toBe(schema);
});

test("a default behind references that lead to one another is looked for once", () => {
  const circle = object({ a: { $ref: "#/$defs/b" } }, ["a"]) as { [key: string]: JsonValue };
  const schema = { ...circle, $defs: { b: { anyOf: Array.from({ length: 1000 }, () => ({ $ref: "#/$defs/b" })) } } };
  expect(toAcceptedInput(schema)).toBe(schema);
});

test("what is nested deeper than any honest schema is left alone", () => {
  const nested = JSON.parse(`${'{"items":'.repeat(5000)}{"required":["a"]}${"}".repeat(5000)}`) as JsonValue;
  expect(toAcceptedInput(nested)).toBe(nested);
});

test("a property called __proto__ stays one", () => {
  const schema = JSON.parse(
    '{"properties":{"__proto__":{"default":1},"b":{}},"required":["__proto__","b"]}',
  ) as JsonValue;
  expect(JSON.stringify(toAcceptedInput(schema))).toBe(
    '{"properties":{"__proto__":{"default":1},"b":{}},"required":["b"]}',
  );
});

/** Without a type. */
function loose(properties: JsonValue, required: JsonValue): JsonValue {
  return { properties, required };
}
