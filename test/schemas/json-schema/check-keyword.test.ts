import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { checkKeyword, type KeywordShape } from "../../../schemas/json-schema/keywords.ts";
import { cleanInputSchema, cleanSchema, toSchemaDocument } from "../../../schemas/json-schema/clean-schema.ts";
import { validatorOptions } from "../../../schemas/json-schema/ajv-input.ts";

const text = { type: "string" };
const NAMES = "is not a list of names";
const NO_PATTERN = (pattern: string): string =>
  `is not a regular expression that every engine knows (${JSON.stringify(pattern)}); it is not checked`;

describe("the value of a keyword", () => {
  test.each<[KeywordShape, JsonValue[], JsonValue[], string]>([
    ["schema", [true, false, {}], [null, [], "x", 1], "is not a schema"],
    ["schemas", [[true], [{}, 1]], [[], {}, true], "is not a list of schemas"],
    ["schemaMap", [{}, { a: 1 }], [[], true, null], "is not an object of schemas"],
    ["patternMap", [{}], [[], "x"], "is not an object of schemas"],
    ["number", [0, -1.5], ["1", null, [1]], "is not a number"],
    ["positiveNumber", [0.1, 1], [0, -1, "1"], "is not a number above zero"],
    ["count", [0, 1], [-1, 0.5, "1", null], "is not a whole number"],
    ["true", [true, false], [0, "true", null], "is neither true nor false"],
    ["type", ["string", ["string", "null"]], ["text", [], ["string", "text"], 1, [null]], "names no JSON type"],
    ["values", [[null], [1, 2]], [[], {}, "a"], "lists no value"],
    ["names", [[], ["a"]], ["a", ["a", 1], [null], {}], NAMES],
    [
      "nameMap",
      [{}, { a: [] }, { a: ["b"], c: [] }],
      [[["a"]], { a: ["b"], c: "d" }, "a"],
      "does not map names to names",
    ],
    ["pattern", ["", "^a", "\\p{L}"], [1, null], "is not a regular expression"],
    ["format", ["date", ""], [1, null], "is not a text"],
    ["text", ["", "x"], [1, ["x"]], "is not a text"],
    ["value", [null, 1, [], {}], [], ""],
  ])("of the shape %s is one of %j, and none of %j", (shape, good, bad, message) => {
    expect(good.map((value) => checkKeyword(shape, value))).toEqual(good.map(() => undefined));
    expect(bad.map((value) => checkKeyword(shape, value))).toEqual(bad.map(() => message));
  });

  test.each(["(", "(?i:a)", "(?i-m:a)", "(?<a>x)|(?<a>y)", "(?<year>x)(?<b>y)(?<year>z)", "\\-", "[a-\\d]", "(?<a"])(
    "is no pattern: %s",
    (pattern) => {
      expect(checkKeyword("pattern", pattern)).toBe(NO_PATTERN(pattern));
    },
  );

  test.each(["(?:a)", "(?=a)", "(?!a)", "(?<a>x)(?<b>y)", "(?<=a)(?<=b)x", "(?<!a>)(?<!b>)x", "(?<ab>x)(?<ac>y)"])(
    "is a pattern: %s",
    (pattern) => {
      expect(checkKeyword("pattern", pattern)).toBeUndefined();
    },
  );
});

describe("without a usable schema a tool takes any object", () => {
  test.each<[JsonValue | undefined, string]>([
    [undefined, "is missing; any object is accepted"],
    [null, "is not a schema; any object is accepted"],
    [[], "is not a schema; any object is accepted"],
  ])("%j", (schema, message) => {
    expect(cleanInputSchema(schema)).toEqual({
      dialect: "2020-12",
      root: { type: "object" },
      definitions: new Map(),
      problems: [{ pointer: "", message }],
    });
  });

  test.each<[JsonValue, JsonValue]>([
    [{ not: {} }, false],
    [{ type: "string" }, { type: "string" }],
    [{ minProperties: 1 }, { type: "object", minProperties: 1 }],
    [{ $ref: "#/$defs/a", $defs: { a: text } }, { $ref: "#/$defs/a" }],
    [{ allOf: [text] }, { allOf: [text] }],
    [{ anyOf: [text] }, { anyOf: [text] }],
    [{ enum: ["a"] }, { enum: ["a"] }],
    [{ const: "a" }, { const: "a" }],
    [
      { anyOf: [text], properties: {} },
      { type: "object", anyOf: [text], properties: {} },
    ],
  ])("or what it says: %j", (schema, root) => {
    expect(cleanInputSchema(schema).root).toEqual(root);
  });

  test("and what it is filled in with", () => {
    const schema = { properties: { a: { default: 1 } }, required: ["a"] };
    expect(cleanInputSchema(schema).root).toEqual({ type: "object", properties: { a: { default: 1 } } });
    expect(cleanSchema(schema, "output").root).toEqual(schema);
  });
});

describe("what a validator is given", () => {
  test("is one document, without words at any level", () => {
    const worded = { ...text, description: "d", examples: ["e"], deprecated: true };
    const schema = {
      properties: { a: worded, b: { $ref: "#/$defs/b" } },
      patternProperties: { "^c": worded },
      dependentSchemas: { d: worded },
      items: worded,
      prefixItems: [worded, true],
      anyOf: [worded],
      enum: [worded],
      format: "uri",
      $defs: { b: worded },
    };
    expect(toSchemaDocument(cleanSchema(schema, "output"))).toEqual({
      properties: { a: text, b: { $ref: "#/$defs/b" } },
      patternProperties: { "^c": text },
      dependentSchemas: { d: text },
      items: text,
      prefixItems: [text, true],
      anyOf: [text],
      enum: [worded],
      format: "uri",
      $defs: { b: text },
    });
  });

  test.each<[JsonValue, JsonValue]>([
    [true, {}],
    [false, { not: {} }],
    [{ format: "unheard-of", minLength: 1 }, { minLength: 1 }],
  ])("of %j is %j", (schema, document) => {
    expect(toSchemaDocument(cleanSchema(schema, "output"))).toEqual(document);
  });

  test("is read in one way wherever it is compiled", () => {
    const { formats, ...options } = validatorOptions({ type: "object" });
    expect(options).toEqual({
      allErrors: true,
      inlineRefs: false,
      logger: false,
      meta: false,
      multipleOfPrecision: 8,
      next: true,
      ownProperties: true,
      strict: false,
      unevaluated: false,
      validateSchema: false,
    });
    expect(Object.keys(formats)).toContain("date-time");
    expect(validatorOptions({ items: { unevaluatedItems: false } }).unevaluated).toBe(true);
  });
});
