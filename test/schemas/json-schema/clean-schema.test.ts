import { describe, expect, it, test } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { cleanInputSchema, cleanSchema, toSchemaDocument } from "../../../schemas/json-schema/clean-schema.ts";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";
const text = { type: "string" };
const number = { type: "number" };

/** Keyword by keyword: `latest-dialect.test.ts`. */
describe("a schema of any dialect becomes one of 2020-12", () => {
  test.each<[string, JsonValue, JsonValue]>([
    [
      "list of items",
      { prefixItems: [text], items: number },
      { $schema: DRAFT_07, items: [text], additionalItems: number },
    ],
    [
      "OpenAPI's nullable",
      { type: ["string", "null"], enum: ["a", null] },
      { type: "string", enum: ["a"], nullable: true },
    ],
    ["nullable without a type", {}, { nullable: true }],
  ])("%s", (_name, want, schema) => {
    const clean = cleanSchema(schema, "output");
    expect(clean.problems).toEqual([]);
    expect(toSchemaDocument(clean)).toEqual(want);
  });
});

describe("references", () => {
  it("point to definitions alone, wherever they pointed before", () => {
    const clean = cleanSchema(
      {
        $id: "https://example.com/root.json",
        properties: {
          pointer: { $ref: "#/properties/origin" },
          origin: text,
          anchor: { $ref: "#here" },
          id: { $ref: "other.json#/$defs/part" },
          self: { $ref: "#" },
          encoded: { $ref: "#/$defs/a%20b~1c" },
        },
        $defs: {
          one: { $anchor: "here", ...number },
          two: { $id: "other.json", $defs: { part: { type: "null" } } },
          "a b/c": { type: "boolean" },
          unused: { $ref: "#/nowhere" },
        },
      },
      "output",
    );
    expect(clean.problems).toEqual([]);
    expect([...clean.definitions]).toEqual([
      ["origin", text],
      ["here", number],
      ["part", { type: "null" }],
      ["a_b_c", { type: "boolean" }],
    ]);
    expect(toSchemaDocument(clean)).toMatchObject({
      properties: { pointer: { $ref: "#/$defs/origin" }, self: { $ref: "#" }, encoded: { $ref: "#/$defs/a_b_c" } },
    });
  });

  test.each(["http://127.0.0.1/x.json", "file:///etc/passwd", "./x.json", "#/$defs/none", "#none", "#/type/0/length"])(
    "%s leads nowhere: any value is accepted there, and it is said so",
    (reference) => {
      const clean = cleanSchema({ type: ["object"], properties: { a: { $ref: reference } } }, "output");
      expect(clean.root).toEqual({ type: ["object"], properties: { a: {} } });
      expect(clean.problems).toEqual([
        { pointer: "/properties/a/$ref", message: expect.stringContaining(JSON.stringify(reference)) as string },
      ]);
    },
  );

  it("that ask a schema of the value it is already asked of are cut; recursion into parts stays", () => {
    const clean = cleanSchema(
      {
        anyOf: [{ $ref: "#/$defs/loop" }, text],
        properties: { child: { $ref: "#" } },
        $defs: { loop: { not: { $ref: "#" }, items: { $ref: "#/$defs/loop" } } },
      },
      "output",
    );
    expect(clean.root).toEqual({ anyOf: [{}, text], properties: { child: { $ref: "#" } } });
    expect(clean.definitions.get("loop")).toEqual({ items: { $ref: "#/$defs/loop" } });
    expect(clean.problems.map((problem) => problem.pointer)).toEqual(["", "/$defs/loop"]);
  });
});

describe("what is broken or could do harm is dropped alone", () => {
  test.each<[string, JsonValue]>([
    ["/type", { type: "strin" }],
    ["/type", { type: [] }],
    ["/enum", { enum: [] }],
    ["/minLength", { minLength: -1 }],
    ["/multipleOf", { multipleOf: 0 }],
    ["/required", { required: "a" }],
    ["/pattern", { pattern: "(" }],
    ["/pattern", { pattern: "(?i:a)" }],
    ["/pattern", { pattern: "(?<year>a)|(?<year>b)" }],
    ["/patternProperties", { patternProperties: { "[": text } }],
    ["/properties", { properties: [] }],
    ["/properties/a~1b", { properties: { "a/b": 5 } }],
    ["/allOf", { allOf: [] }],
    ["/allOf/1", { allOf: [text, null] }],
  ])("%s in %j", (pointer, schema) => {
    expect(cleanSchema(schema, "output").problems.map((problem) => problem.pointer)).toEqual([pointer]);
  });

  it("nothing of ajv's own or of json-schema-to-typescript's keywords passes", () => {
    const harmful = {
      $async: true,
      $data: "x",
      id: "x",
      tsType: "any",
      extends: {},
      discriminator: {},
      formatMinimum: "1",
    };
    expect(toSchemaDocument(cleanSchema({ ...harmful, ...text }, "output"))).toEqual(text);
  });

  it("no text reaches a validator but what it compares with, and no format that it does not know", () => {
    const schema = { type: "string", description: "*/", default: "x", examples: ["x"], format: "constructor" };
    expect(toSchemaDocument(cleanSchema(schema, "output"))).toEqual(text);
    expect(toSchemaDocument(cleanSchema({ format: "date" }, "output"))).toEqual({ format: "date" });
  });

  it("a property called __proto__ stays a property", () => {
    const clean = cleanSchema(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonValue, "output");
    expect(JSON.stringify(toSchemaDocument(clean))).toBe('{"properties":{"__proto__":{"type":"string"}}}');
  });

  it("bottomless and endless schemas end", () => {
    const nested = JSON.parse(`${'{"not":'.repeat(5000)}{}${"}".repeat(5000)}`) as JsonValue;
    expect(cleanSchema(nested, "output").problems.map((problem) => problem.message)).toEqual(["is nested too deep"]);
    const wide = { anyOf: Array.from({ length: 60_000 }, () => ({})) };
    expect(cleanSchema(wide, "output").problems.map((problem) => problem.message)).toEqual([
      "and all after it are too much to read",
    ]);
  });
});

describe("the input of a tool", () => {
  test.each<[JsonValue, JsonValue | undefined]>([
    [{ type: "object" }, undefined],
    [{ type: "object" }, null],
    [{ type: "object" }, {}],
    [{ type: "object", properties: {} }, { properties: {} }],
    [{ type: "array" }, { type: "array" }],
    [{ oneOf: [text] }, { oneOf: [text] }],
    [
      { type: "object", properties: {}, oneOf: [{ required: ["a"] }] },
      { properties: {}, oneOf: [{ required: ["a"] }] },
    ],
  ])("is %j for %j", (want, schema) => {
    expect(toSchemaDocument(cleanInputSchema(schema))).toEqual(want);
  });
});
