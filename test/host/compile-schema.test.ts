import { describe, expect, test } from "vitest";
import { compileSchema, makeEqualityKeywords } from "../../runtime/host/checks/compile-schema.ts";
import { makeLinearPatterns } from "../../runtime/host/checks/linear-regexp.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { cleanSchema } from "../../schemas/json-schema/clean-schema.ts";

const compile = (schema: JsonValue, options?: { allErrors?: boolean }) =>
  compileSchema(cleanSchema(schema, "output"), options);
const keywordsOf = (schema: JsonValue, value: unknown): string[] =>
  compile(schema)(value).map(({ keyword }) => keyword);

describe("values are equal by what they hold:", () => {
  test.each<[JsonObject, JsonValue, boolean]>([
    [{ const: 1 }, 1, true],
    [{ const: 1 }, "1", false],
    [{ const: null }, null, true],
    [{ const: null }, {}, false],
    [{ const: { a: 1, b: [2] } }, { b: [2], a: 1 }, true],
    [{ const: { a: 1, b: [2] } }, { b: [2, 2], a: 1 }, false],
    [{ const: "x" }, { toString: "x" }, false],
    [{ const: { a: [{}] } }, { a: [{ toString: 1 }] }, false],
    [{ enum: [{ a: {} }] }, { a: { toString: 1, valueOf: 2 } }, false],
    [{ enum: [1, "a", null] }, null, true],
    [{ enum: [1, "a", null] }, "b", false],
    [{ enum: [1, "a"] }, [1], false],
    [{ enum: [1, [1]] }, [1], true],
    [{ enum: [1, [1]] }, 1, true],
    [{ type: "array", uniqueItems: true }, [], true],
    [{ type: "array", uniqueItems: true }, [1], true],
    [{ type: "array", uniqueItems: true }, [1, "1", [1], { a: 1 }], true],
    [
      { type: "array", uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    [{ type: "array", uniqueItems: true }, [1, 1], false],
    [{ type: "array", uniqueItems: false }, [1, 1], true],
    [{ uniqueItems: true }, "aa", true],
  ])("%j takes %j: %j", (schema, value, isTaken) => {
    expect(keywordsOf(schema, value)).toEqual(isTaken ? [] : [Object.keys(schema).at(-1)]);
  });

  test("an error says what is allowed", () => {
    expect(compile({ const: 5 })(6)).toMatchObject([
      { message: "must be equal to constant", params: { allowedValue: 5 } },
    ]);
    expect(compile({ enum: [5] })(6)).toMatchObject([
      { message: "must be equal to one of the allowed values", params: { allowedValues: [5] } },
    ]);
    expect(compile({ uniqueItems: true })([6, 6])).toMatchObject([{ message: "must NOT have duplicate items" }]);
  });

  test("a comparison is charged for the text that it makes, and only where it makes one", () => {
    const charges: number[] = [];
    const keywords = makeEqualityKeywords((characters) => charges.push(characters));
    const { compile: isOneOf } = keywords.get("enum") as unknown as {
      compile: (allowed: JsonValue[]) => (value: JsonValue) => boolean;
    };
    const isPlain = isOneOf([1, null]);
    expect([isPlain([1, 2, 3]), isPlain({}), isPlain(1), isPlain(null)]).toEqual([false, false, true, true]);
    expect(charges).toEqual([1, 4]);
    expect(isOneOf([[1]])([12, 3])).toBe(false);
    expect(charges).toEqual([1, 4, 6]);
  });
});

test("all errors are found, or the first alone where that is enough", () => {
  const schema = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
  expect(compile(schema)({ a: 1, b: 2 })).toHaveLength(2);
  expect(compile(schema, { allErrors: false })({ a: 1, b: 2 })).toHaveLength(1);
});

test("a check that takes too many steps refuses its value, and the next value starts from nothing", () => {
  const tree = {
    anyOf: [
      { type: "array", items: { $ref: "#" } },
      { type: "array", items: { $ref: "#" }, maxItems: 9 },
      { type: "integer" },
    ],
  };
  const nest = (depth: number): JsonValue => (depth === 0 ? "leaf" : [nest(depth - 1)]);
  const check = compile(tree);
  expect(check(nest(30))).toEqual([
    expect.objectContaining({ keyword: "$ref", instancePath: "", message: expect.stringContaining("too many steps") }),
  ]);
  expect(check([[[1]]])).toEqual([]);
  expect(check(nest(3))).not.toEqual([]);
});

test("equality of large values takes steps too, by their length", () => {
  const large = "x".repeat(400_000);
  const schema = (times: number) => ({
    allOf: Array.from({ length: times }, () => ({ not: { const: { large: 1 } } })),
    const: [],
  });
  const messages = (times: number) => compile(schema(times))({ large }).map(({ keyword }) => keyword);
  expect(messages(10)).toEqual(["const"]);
  expect(messages(80)).toEqual(["$ref"]);
});

describe("patterns", () => {
  test.each<[string, string, boolean]>([
    ["^a+$", "aaa", true],
    ["^a+$", "aab", false],
    ["b", "abc", true],
    ["^(a+)+$", `${"a".repeat(40)}!`, false],
    ["^\\d{2}$", "12", true],
    ["^\\d{2}$", "123", false],
    ["\\.(png|jpe?g)$", "a.jpg", true],
    ["\\.(png|jpe?g)$", "a.gif", false],
    ["^\\p{L}+$", "größe", true],
    ["^\\p{L}+$", "1", false],
  ])("%s takes %s: %j", (pattern, text, isTaken) => {
    const { checkedLength, regExp } = makeLinearPatterns();
    const matcher = regExp(pattern, "u");
    expect(matcher.test(text)).toBe(isTaken);
    expect(String(matcher)).toBe(pattern);
    expect(checkedLength(pattern)).toBe(Infinity);
  });

  test.each(["^(?=a)b$", "(a)\\1", "("])("%s is left to the server", (pattern) => {
    const { checkedLength, regExp } = makeLinearPatterns();
    expect(checkedLength(pattern)).toBe(0);
    expect(() => regExp(pattern, "u")).toThrow(pattern);
    expect(keywordsOf({ type: "string", pattern, maxLength: 2 }, "long")).toEqual(["maxLength"]);
  });

  test("that are too much to compile, alone or together, are left to the server", () => {
    const isTaken = (patterns: string[]) => {
      const { checkedLength } = makeLinearPatterns();
      return patterns.map((pattern) => checkedLength(pattern) > 0);
    };
    const costly = (index: number): string => `^x{1000}y{${index}}$`;
    expect(isTaken([costly(1), costly(2)])).toEqual([true, true]);
    expect(isTaken([`^(?:${"y".repeat(300)}){900}$`, "^y$"])).toEqual([false, false]);
    const many = isTaken(Array.from({ length: 40 }, (_, index) => costly(10 + index)));
    expect(many.filter(Boolean)).toHaveLength(14);
    expect(many.lastIndexOf(true)).toBe(13);
  });

  test("are compiled once for a schema that repeats them", () => {
    const { checkedLength } = makeLinearPatterns();
    expect(Array.from({ length: 40 }, () => checkedLength("^x{1000}$"))).not.toContain(0);
  });

  test("of a schema are held against values", () => {
    expect(keywordsOf({ type: "string", pattern: "^a$" }, "b")).toEqual(["pattern"]);
    expect(keywordsOf({ type: "string", pattern: "^a$" }, "a")).toEqual([]);
    expect(makeLinearPatterns().regExp.code).toBe("linearRegExp");
  });
});
