import { expect, test } from "vitest";
import { findMistakenChange } from "../../runtime/host/checks/changed-input.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: {
    entry: { type: "string" },
    note: { type: "string" },
    to: { type: "object", properties: { account: { type: "string" }, name: { type: "string" } } },
    lines: { type: "array", items: { type: "object", properties: { amount: { type: "number" } } } },
    headers: { type: "object", additionalProperties: { type: "string" } },
    any: {},
  },
};
const BEFORE: JsonObject = { entry: "amount 1000000", extra: 1, to: { account: "A" }, lines: [{ amount: 5 }] };

test.each<[string, JsonObject]>([
  ["a declared argument", { entry: "amount 1" }],
  ["one that the call had not", { note: "less" }],
  ["one that the schema does not declare, and the call has", { extra: 2 }],
  ["a declared part of an argument", { to: { account: "B", name: "Bee" } }],
  ["an item of a list", { lines: [{ amount: 1 }, { amount: 2 }] }],
  ["a key of a map", { headers: { "x-anything": "1" } }],
  ["what has no schema", { any: { thing: 1 } }],
])("a change of %s is taken", (_, change) => {
  expect(findMistakenChange(SCHEMA, BEFORE, { ...BEFORE, ...change })).toBeUndefined();
});

test.each<[string, JsonObject, string]>([
  [
    "a misspelt argument",
    { Entry: "amount 1" },
    'no argument "Entry", and neither has its tool. Did you mean "entry"?',
  ],
  ["an argument of another name", { quantity: 1 }, 'no argument "quantity", and neither has its tool.'],
  ["`__proto__`", JSON.parse('{"__proto__":{"entry":"amount 1"}}') as JsonObject, '"__proto__"'],
  [
    "a misspelt part of an argument",
    { to: { acount: "B" } },
    '"acount", and neither has its tool. Did you mean "account"?',
  ],
  ["a misspelt part of an item", { lines: [{ amuont: 1 }] }, '"amuont"'],
  ["an argument to a value of another type", { entry: 5 }, '"/entry" should be string, received 5.'],
  ["a part of an item to another type", { lines: [{ amount: "1" }] }, '"/lines/0/amount" should be number'],
  ["nothing", {}, "changes nothing"],
  ["an argument to what it is", { entry: "amount 1000000", to: { account: "A" } }, "changes nothing"],
])("a change of %s is asked about again", (_, change, problem) => {
  expect(findMistakenChange(SCHEMA, BEFORE, { ...BEFORE, ...change })).toContain(problem);
});

test.each<[string, JsonValue]>([
  ["a reference", { $ref: "#/$defs/a", $defs: { a: { properties: { path: {} } } } }],
  ["alternatives", { anyOf: [{ properties: { path: {} } }, { properties: { url: {} } }] }],
  ["a schema that takes others too", { properties: { path: {} }, additionalProperties: true }],
  ["the form of others of zod", { properties: { path: {} }, additionalProperties: {} }],
])("names are looked for in %s", (_, schema) => {
  expect(findMistakenChange(schema, {}, { path: "a" })).toBeUndefined();
  expect(findMistakenChange(schema, {}, { pth: "a" })).toContain('"pth"');
});

test("a tool whose arguments have no names takes any", () => {
  expect(findMistakenChange({ type: "object" }, { a: 1 }, { a: 1, b: 2 })).toBeUndefined();
  expect(findMistakenChange(undefined, { a: 1 }, { b: 2 })).toBeUndefined();
});

test.each<[string, JsonValue]>([
  ["by a pattern", { properties: { path: {} }, patternProperties: { "^x-": {} } }],
  ["by a schema of their own", { properties: { path: {} }, additionalProperties: { type: "string" } }],
])("a tool that takes other names %s takes any", (_, schema) => {
  expect(findMistakenChange(schema, {}, { pth: "a" })).toBeUndefined();
});

test("inside of a reference, any name that the whole schema has is known", () => {
  const schema: JsonObject = {
    properties: { to: { $ref: "#/$defs/to" }, plain: { properties: { b: {} } } },
    $defs: { to: { properties: { account: {} } } },
  };
  expect(findMistakenChange(schema, {}, { to: { account: "A" } })).toBeUndefined();
  expect(findMistakenChange(schema, {}, { to: { acount: "A" } })).toContain('"acount"');
  expect(findMistakenChange(schema, {}, { plain: { account: "A" } })).toContain('"account"');
});
