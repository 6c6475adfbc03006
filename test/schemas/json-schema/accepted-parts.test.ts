import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../schemas/json/json.ts";
import { toAcceptedInput, cleanSchema } from "../../../schemas/json-schema/clean-schema.ts";

const text = { type: "string" };
const filled = { default: 1 };
/** Not written as an object, whose `then` would make it a promise to `await`. */
const when = (asked: JsonValue, follows: JsonValue, otherwise: JsonValue): JsonObject =>
  JSON.parse(
    JSON.stringify({ asked, follows, otherwise })
      .replace('"asked"', '"if"')
      .replace('"follows"', '"then"')
      .replace('"otherwise"', '"else"'),
  ) as JsonObject;
/** An object that asks for `a`. */
const asking = (a: JsonValue, rest: JsonObject = {}): JsonObject => ({ properties: { a }, required: ["a"], ...rest });
const nest = (depth: number, keyword: string, innermost: JsonValue): JsonValue => {
  let schema = innermost;
  for (let level = 0; level < depth; level += 1)
    schema = keyword === "items" ? { items: schema } : { [keyword]: [schema] };
  return schema;
};

describe("a required property is filled in by the server where its default stands", () => {
  test.each<[string, JsonValue, JsonObject?]>([
    ["in itself", filled],
    ["behind a reference", { $ref: "#/$defs/d" }, { $defs: { d: filled } }],
    ["behind two references", { $ref: "#/$defs/d" }, { $defs: { d: { $ref: "#/$defs/e" }, e: filled } }],
    ["in a branch", { anyOf: [text, filled] }],
    ["in one of several", { oneOf: [filled, text] }],
    ["behind a reference in a branch", { anyOf: [{ $ref: "#/$defs/d" }] }, { $defs: { d: filled } }],
    ["two hundred branches deep", nest(200, "anyOf", filled)],
  ])("%s", (_where, a, rest = {}) => {
    expect(toAcceptedInput(asking(a, rest))).toStrictEqual({ properties: { a }, ...rest });
  });

  test.each<[string, JsonValue, JsonObject?]>([
    ["in a part", { allOf: [filled] }],
    ["in no branch", { anyOf: filled }],
    ["behind what is no reference", { $ref: 5 }, { $defs: { d: filled } }],
    ["behind a reference to nothing", { $ref: "#/$defs/x" }, { $defs: { d: filled } }],
    ["behind references that go round", { $ref: "#/$defs/d" }, { $defs: { d: { anyOf: [{ $ref: "#/$defs/d" }] } } }],
    ["one branch too deep", nest(201, "anyOf", filled)],
    ["in no schema", true],
  ])("but not %s", (_where, a, rest = {}) => {
    const schema = asking(a, rest);
    expect(toAcceptedInput(schema)).toBe(schema);
  });
});

describe("where a schema changes", () => {
  const changing = asking(filled);
  const changed = { properties: { a: filled } };
  test.each<[string, JsonValue, JsonValue]>([
    ["in one of a list", { anyOf: [changing, text] }, { anyOf: [changed, text] }],
    ["in one of many members", { properties: { x: text, y: changing } }, { properties: { x: text, y: changed } }],
    ["in a member of $defs", { $defs: { y: changing } }, { $defs: { y: changed } }],
    ["two hundred levels deep", nest(200, "items", changing), nest(200, "items", changed)],
    [
      "in a name of several",
      asking(filled, { required: ["a", "b", 1] }),
      { properties: { a: filled }, required: ["b", 1] },
    ],
  ])("%s", (_where, schema, accepted) => {
    expect(toAcceptedInput(schema)).toStrictEqual(accepted);
  });

  test.each<[string, JsonValue]>([
    ["one level too deep", nest(201, "items", changing)],
    ["in a value", { default: changing, const: changing, enum: [changing] }],
    ["in a map that is none", { $defs: [text], properties: "x" }],
    ["without declared properties", { required: ["a"] }],
  ])("but not %s", (_where, schema) => {
    expect(toAcceptedInput(schema)).toBe(schema);
  });

  test("the rest of it stays the very same value", () => {
    const other = { properties: { x: text } };
    const accepted = toAcceptedInput({ properties: { y: changing, other } }) as { properties: JsonObject };
    expect(accepted.properties["other"]).toBe(other);
  });
});

describe("closed parts of an intersection", () => {
  const closed = (name: string) => ({ properties: { [name]: text }, additionalProperties: false });
  test("are opened where they would refuse each other", () => {
    const open = { properties: {}, additionalProperties: true };
    expect(toAcceptedInput({ allOf: [closed("a"), closed("b"), open, true] })).toStrictEqual({
      allOf: [{ properties: { a: text } }, { properties: { b: text } }, open, true],
    });
  });

  test("are opened and lose what the server fills in", () => {
    const part = asking(filled, { additionalProperties: false });
    expect(toAcceptedInput({ allOf: [part, closed("b")] })).toStrictEqual({
      allOf: [{ properties: { a: filled } }, { properties: { b: text } }],
    });
  });
});

describe("where a part is broken, the schema around it accepts more and never less:", () => {
  const broken = { type: "strin" };
  test.each<[string, JsonValue, JsonValue]>([
    ["what it excludes is dropped", { not: broken, ...text }, text],
    ["a condition is dropped with what follows", { ...when(broken, text, text), minLength: 1 }, { minLength: 1 }],
    ["what follows from one stays", when(text, broken, text), when(text, {}, text)],
    ["one of several is any of them", { oneOf: [broken, text] }, { anyOf: [{}, text] }],
    ["unless others are asked for too", { oneOf: [broken, text], anyOf: [text] }, { anyOf: [text] }],
    ["any of several stays", { anyOf: [broken, text] }, { anyOf: [{}, text] }],
    ["what is no list is dropped", { oneOf: "x", ...text }, text],
    ["to exclude everything is to accept nothing", { not: {} }, false],
    ["in both forms", { not: true }, false],
    ["to exclude something is no more than that", { not: text }, { not: text }],
    ["to exclude nothing as well", { not: false }, { not: false }],
    [
      "patterns that are none are dropped",
      { patternProperties: { "[": text, "^a": text } },
      { patternProperties: { "^a": text } },
    ],
    ["names with half a character too", { properties: { "\ud800": text, a: text } }, { properties: { a: text } }],
  ])("%s", (_what, schema, root) => {
    expect(cleanSchema(schema, "output").root).toStrictEqual(root);
  });

  test.each<[JsonValue, string, string]>([
    [5, "", "is not a schema"],
    [{ properties: { a: 5 } }, "/properties/a", "is not a schema"],
    [{ properties: { "a~/b": { type: 1 } } }, "/properties/a~0~1b/type", "names no JSON type"],
    [{ properties: { "\ud800": text } }, "/properties", "has a name with half a character; it is not checked"],
    [{ $ref: "#/x" }, "/$ref", 'refers to "#/x", which is not in the schema; any value is accepted there'],
    [{ $dynamicRef: 5 }, "/$dynamicRef", "refers to 5, which is not in the schema; any value is accepted there"],
    [{ $ref: "#" }, "", "refers to itself without end; that reference is not checked"],
  ])("%j is said at %j: %s", (schema, pointer, message) => {
    expect(cleanSchema(schema, "output").problems).toEqual([{ pointer, message }]);
  });

  test("a broken annotation is dropped, and not said", () => {
    const { root, problems } = cleanSchema({ description: 5, examples: [], deprecated: "x", default: 1 }, "output");
    expect([root, problems]).toEqual([{ default: 1 }, []]);
  });
});

describe("definitions", () => {
  const referring = (names: readonly string[]) =>
    cleanSchema(
      {
        properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${encodeURIComponent(name)}` }])),
        $defs: Object.fromEntries(names.map((name) => [name, { const: name }])),
      },
      "output",
    );

  test("have names that need no escape, each once", () => {
    const { definitions } = referring(["a b", "a-b", "a_b", "--", "ä", "_c_"]);
    expect([...definitions]).toEqual([
      ["a_b", { const: "a b" }],
      ["a_b2", { const: "a-b" }],
      ["a_b3", { const: "a_b" }],
      ["value", { const: "--" }],
      ["value2", { const: "ä" }],
      ["c", { const: "_c_" }],
    ]);
  });

  test("are a thousand at most", () => {
    const names = Array.from({ length: 1001 }, (_, index) => `d${index}`);
    const { definitions, problems, root } = referring(names);
    expect(definitions.size).toBe(1000);
    expect(problems).toEqual([
      {
        pointer: "/properties/d1000/$ref",
        message: 'refers to "#/$defs/d1000", one of too many; any value is accepted there',
      },
    ]);
    expect((root as { properties: JsonObject }).properties["d1000"]).toEqual({});
  });
});

test("a schema nested two hundred levels deep is read, and one level more is not", () => {
  const problemsOf = (depth: number) => cleanSchema(nest(depth, "items", text), "output").problems;
  expect(problemsOf(200)).toEqual([]);
  expect(problemsOf(201)).toEqual([{ pointer: "/items".repeat(201), message: "is nested too deep" }]);
});

describe("a chain of references that look at one value", () => {
  const chain = (length: number, step: (reference: string) => JsonObject): JsonObject => {
    const steps = Array.from({ length }, (_, index) => [`d${index}`, step(`#/$defs/d${index + 1}`)] as const);
    return { $ref: "#/$defs/d0", $defs: Object.fromEntries([...steps, [`d${length}`, text]]) };
  };
  const alias = ($ref: string): JsonObject => ({ $ref });
  const choice = ($ref: string): JsonObject => ({ anyOf: [{ $ref }, { type: "number" }] });

  test.each([alias, choice])("is followed through two hundred, and ends there (%o)", (step) => {
    expect(cleanSchema(chain(199, step), "output").problems).toEqual([]);
    const { problems, definitions } = cleanSchema(chain(600, step), "output");
    const message = "ends a chain of 200 references; what it refers to is not checked there";
    expect(problems).toEqual(["/$defs/d199", "/$defs/d400"].map((pointer) => ({ pointer, message })));
    expect(definitions.get("d198")).toEqual(step("#/$defs/d199"));
    expect(JSON.stringify(definitions.get("d199"))).not.toContain("$ref");
  });

  test("may be longer where each step is a part of the value", () => {
    const steps = chain(600, ($ref) => ({ type: "object", properties: { next: { $ref } } }));
    expect(cleanSchema(steps, "output").problems).toEqual([]);
  });

  test("counts from the longest way that leads to a schema", () => {
    const { $defs, ...root } = chain(300, alias);
    const properties = { near: { $ref: "#/$defs/d150" } };
    const { problems } = cleanSchema({ ...root, properties, $defs: $defs as JsonObject }, "output");
    expect(problems).toMatchObject([{ pointer: "/$defs/d199" }]);
  });
});
