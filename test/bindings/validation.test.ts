import { describeIssues } from "@codemode/runtime/validation";
import { expect, test } from "vitest";
import { compileSchema } from "../../runtime/host/checks/compile-schema.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { cleanInputSchema } from "../../schemas/json-schema/clean-schema.ts";

const tool = { serverId: "trips", toolName: "book-trip", exportName: "book_trip", example: { city: "Oslo" } };

const schema: JsonValue = {
  type: "object",
  properties: {
    city: { type: "string" },
    class: { enum: ["economy", "business"] },
    code: { type: "string", minLength: 3, pattern: "^[A-Z]*$" },
    "~1": { type: "object", properties: { "~": { type: "integer" } } },
    stops: { type: "array", items: { type: "object", properties: { "a/b": { type: "integer" } } } },
    direct: { type: ["boolean", "null"] },
    fare: { anyOf: [{ type: "string" }, { type: "object", properties: { amount: { type: "number" } } }] },
  },
  required: ["city"],
  additionalProperties: false,
};

function describe(input: JsonValue): ReturnType<typeof describeIssues> {
  return describeIssues(tool, input, compileSchema(cleanInputSchema(schema))(input));
}

function withAmount(amount: JsonValue): JsonValue {
  return { city: "Oslo", fare: { amount } };
}

test.each<[name: string, input: JsonValue, want: Partial<ReturnType<typeof describeIssues>>]>([
  [
    "a missing property",
    {},
    { pointer: "/city", expected: "present", received: "nothing", hint: 'Add the property "city".' },
  ],
  ["a misspelt property", { ctiy: "Oslo" }, { pointer: "/city", hint: 'Rename "ctiy" to "city".' }],
  ["a number for a string", { city: 5 }, { expected: "string", received: "5", hint: "Pass a string." }],
  ["a quoted number", withAmount("9"), { pointer: "/fare/amount", hint: "Pass 9, without quotes." }],
  ["text that is no number", withAmount("nine"), { hint: "Pass a number." }],
  ["a list for a number", withAmount([9]), { hint: "Pass a number." }],
  ["a quoted truth value", { city: "Oslo", direct: "true" }, { hint: "Pass true, without quotes." }],
  ["a quoted number for a truth value", { city: "Oslo", direct: "1" }, { hint: "Pass a boolean or null." }],
  ["a quoted whole number", { city: "Oslo", "~1": { "~": "2" } }, { hint: "Pass 2, without quotes." }],
  ["a quoted fraction for a whole number", { city: "Oslo", "~1": { "~": "2.5" } }, { hint: "Pass an integer." }],
  ["JSON text of a list", { city: "Oslo", stops: "[{}]" }, { hint: "Pass [{}], without quotes." }],
  ["JSON text of an object for a list", { city: "Oslo", stops: "{}" }, { hint: "Pass an array." }],
  ["a positional argument", "Oslo", { pointer: "", hint: 'Pass an object, such as {"city":"Oslo"}.' }],
  [
    "a wrong enum value",
    { city: "Oslo", class: "busines" },
    { pointer: "/class", received: '"busines"', hint: 'Use "business".' },
  ],
  ["an extra property", { city: "Oslo", pet: "cat" }, { pointer: "/pet", expected: "absent", received: '"cat"' }],
  [
    "a place deep inside",
    { city: "Oslo", stops: [{}, { "a/b": 1.5 }] },
    { pointer: "/stops/1/a~1b", expected: "integer" },
  ],
  [
    "a place whose name looks like an escape",
    { city: "Oslo", "~1": { "~": "x" } },
    { pointer: "/~01/~0", expected: "integer", received: '"x"' },
  ],
  [
    "a text that is too short",
    { city: "Oslo", code: "a" },
    { expected: "of at least 3 characters", received: '"a"', hint: "Pass a value of at least 3 characters." },
  ],
  ["a text of another form", { city: "Oslo", code: "aaa" }, { expected: 'matching pattern "^[A-Z]*$"' }],
  ["an input that is no object", ["Oslo"], { pointer: "", expected: "object", received: "an array of 1" }],
  [
    "the branch of a union that was meant",
    { city: "Oslo", fare: { amount: "9" } },
    { pointer: "/fare/amount", expected: "number" },
  ],
])("%s", (_, input, want) => {
  expect(describe(input)).toMatchObject({ ...tool, ...want });
});

test("a hostile value is cut short and never read by inheritance", () => {
  const { received, message } = describe({ city: "Oslo", class: "x".repeat(100_000) });
  expect(received.length).toBeLessThan(200);
  expect(message.length).toBeLessThan(400);
  expect(describe({ city: "Oslo", constructor: 1 })).toMatchObject({ pointer: "/constructor", received: "1" });
});
