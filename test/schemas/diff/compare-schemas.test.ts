import { expect, test } from "vitest";
import { compareSchemas } from "../../../schemas/diff/compare-schemas.ts";
import type { Direction } from "../../../schemas/json-schema/keywords.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";

const object = (properties: JsonValue, rest = {}): JsonValue => ({ type: "object", properties, ...rest });
const text = { type: "string" };

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const LATEST = "https://json-schema.org/draft/2020-12/schema";
const closed = { type: "object", properties: { a: text }, required: ["a"], additionalProperties: false };

type Case = [
  severity: string,
  pointer: string,
  what: string,
  direction: Direction,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
];

// What it is first, then what changed; each case has exactly one change. Of each keyword alone: `keyword-changes.test.ts`.
const cases: Case[] = [
  ["compatible", "/properties/a", "a new optional property", "input", object({}), object({ a: text })],
  ["breaking", "/properties/a", "a removed property", "input", object({ a: text }), object({})],
  ["breaking", "/properties/a", "a removed property", "output", object({ a: text }), object({})],
  ["breaking", "/properties/a/type", "another type", "input", object({ a: text }), object({ a: { type: "number" } })],
  ["compatible", "/anyOf", "an alternative to an object", "input", closed, { anyOf: [closed, object({ b: text })] }],
  ["breaking", "/anyOf", "an alternative to an object", "output", closed, { anyOf: [closed, object({ b: text })] }],
  ["breaking", "/anyOf", "an alternative that is gone", "input", { anyOf: [text, closed] }, closed],
  [
    "compatible",
    "/anyOf",
    "an alternative beside a type that stays",
    "input",
    object({ a: text }, { required: ["a"] }),
    {
      type: "object",
      anyOf: [
        { properties: { a: text }, required: ["a"] },
        { properties: { b: text }, required: ["b"] },
      ],
    },
  ],
  ["breaking", "/items/type", "other items", "input", { items: text }, { items: { type: "number" } }],
  [
    "text",
    "/properties/a~1b/title",
    "other words deep inside",
    "input",
    object({ "a/b": {} }),
    object({ "a/b": { title: "x" } }),
  ],
  [
    "breaking",
    "/required",
    "a required property whose default is gone",
    "input",
    object({ a: text }, { required: ["b"] }),
    object({ a: text }, { required: ["a", "b"] }),
  ],
  [
    "text",
    "/$schema",
    "a dialect that changes no keyword's meaning",
    "input",
    { $schema: DRAFT_07, ...closed },
    { $schema: LATEST, ...closed },
  ],
  ["text", "/$schema", "a dialect that changes no keyword's meaning", "output", closed, { $schema: LATEST, ...closed }],
  ["text", "/$schema", "a first dialect, which is the one that holds without", "input", {}, { $schema: LATEST }],
  ["breaking", "", "an output schema that is gone", "output", object({}), undefined],
  ["compatible", "", "an output schema where there was none", "output", undefined, object({})],
];

test.each(cases)("%s at %j: %s (%s)", (severity, pointer, _, direction, before, after) => {
  expect(compareSchemas(before, after, "", direction)).toMatchObject([{ severity, pointer }]);
});

test.each<[string, JsonValue, JsonValue]>([
  ["the order of required names", { required: ["a", "b"] }, { required: ["b", "a"] }],
  ["the order of branches", { anyOf: [text, { type: "null" }] }, { anyOf: [{ type: "null" }, text] }],
  ["the order of types", { type: ["string", "null"] }, { type: ["null", "string"] }],
  ["the order of keys", { type: "object", minProperties: 1 }, { minProperties: 1, type: "object" }],
  [
    "a required property that the server fills in",
    object({ a: { default: 1 } }),
    object({ a: { default: 1 } }, { required: ["a"] }),
  ],
  [
    "that, deep inside",
    { items: object({ a: { default: 1 }, b: text }, { required: ["b"] }) },
    { items: object({ a: { default: 1 }, b: text }, { required: ["a", "b"] }) },
  ],
  ["names that are strings", { type: "object" }, { type: "object", propertyNames: { type: "string" } }],
  ["names that are strings, said otherwise", { propertyNames: true }, { propertyNames: { type: "string" } }],
  [
    "the bounds of all integers",
    { type: "integer" },
    { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
  ],
])("%s is no change", (_, before, after) => {
  expect(compareSchemas(before, after, "", "input")).toEqual([]);
});

test.each<[string, JsonValue, JsonValue]>([
  ["items", { items: {} }, { items: true }],
  ["a property", { properties: { a: true } }, { properties: { a: {} } }],
  ["further properties", { additionalProperties: {} }, { additionalProperties: true }],
])("`{}` and `true` mean the same: %s", (_, before, after) => {
  expect(compareSchemas(before, after, "", "input")).toEqual([]);
  expect(compareSchemas(after, before, "", "output")).toEqual([]);
});

const named = (schema: JsonValue, name = "a") => ({ $ref: `#/$defs/${name}`, $defs: { [name]: schema } });
const tree = (name: string, leaf: JsonValue): JsonValue =>
  named(object({ leaf, next: { $ref: `#/$defs/${name}` } }), name);

/** Without what is said of definitions that come and go. */
function compareUses(before: JsonValue, after: JsonValue): [string, string][] {
  const changes = compareSchemas(before, after, "", "input");
  return changes.flatMap(({ severity, pointer }) => (pointer.startsWith("/$defs/") ? [] : [[severity, pointer]]));
}

test.each<[string, JsonValue, JsonValue, [string, string][]]>([
  ["gets a name", text, named(text), []],
  ["loses its name", named(text), text, []],
  ["gets another name", named(text, "b"), named(text), []],
  [
    "gets a name, other words and a bound",
    { ...text, title: "A" },
    named({ ...text, maxLength: 5 }),
    [
      ["breaking", "/maxLength"],
      ["text", "/title"],
    ],
  ],
  ["leads back to itself by another name", tree("b", text), tree("a", text), []],
  [
    "leads back to itself, and differs in it",
    tree("b", text),
    tree("a", { type: "number" }),
    [["breaking", "/properties/leaf/type"]],
  ],
  [
    "gets a name that nothing has",
    text,
    { $ref: "#/$defs/none" },
    [
      ["breaking", "/$ref"],
      ["compatible", "/type"],
    ],
  ],
  [
    "has a keyword beside its name, which does not see its properties,",
    object({ a: text }, { additionalProperties: false }),
    { ...named(object({ a: text })), additionalProperties: false },
    [
      ["breaking", "/$ref"],
      ["breaking", "/properties/a"],
      ["compatible", "/type"],
    ],
  ],
])("a schema that %s is compared by what it is", (_, before, after, changes) => {
  expect(compareUses(before, after)).toEqual(changes);
});

test("references without end are followed no further than a bound", () => {
  const chain = (letter: string): JsonValue => {
    const step = (index: number) => ({ $ref: `#/$defs/${letter}${index}` });
    const definitions = Array.from({ length: 30 }, (_, index) => [
      `${letter}${index}`,
      object({ x: step(index + 1), y: step(index + 1) }),
    ]);
    return { ...step(0), $defs: Object.fromEntries([...definitions, [`${letter}30`, text]]) };
  };
  expect(compareUses(chain("a"), chain("b")).map(([severity]) => severity)).toContain("breaking");
});

test.each<[string, JsonValue, JsonValue, string]>([
  ["a number as 64 bits", { type: "integer" }, { type: "integer", format: "int64" }, "compatible"],
  ["a number as 32 bits", { type: "integer" }, { type: "integer", format: "int32" }, "breaking"],
  ["a text as 64 bits", text, { ...text, format: "int64" }, "breaking"],
])("a format that says %s", (_, before, after, severity) => {
  expect(compareSchemas(before, after, "", "input")).toMatchObject([{ severity, pointer: "/format" }]);
});

test("a property called __proto__ or constructor is compared like any other", () => {
  const before = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonValue;
  const after = JSON.parse('{"properties":{"constructor":{"type":"string"}}}') as JsonValue;
  expect(compareSchemas(before, after, "", "input").map(({ pointer, severity }) => `${severity} ${pointer}`)).toEqual([
    "breaking /properties/__proto__",
    "compatible /properties/constructor",
  ]);
});
