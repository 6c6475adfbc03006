import { describe, expect, it, test } from "vitest";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import { printValue } from "../../schemas/text/print-value.ts";
import { hasInvisibleText, toCommentText, toOneLine } from "../../schemas/text/visible-text.ts";
import { printDeclarations } from "../../templates/types/print-declaration.ts";

describe("toCommentText", () => {
  test.each([
    ["*\\/ code", "*/ code"],
    ["*\\*\\/ twice *\\/", "*\\*/ twice */"],
    ["\\@param is no tag", "@param is no tag"],
    ["mail \\@home, a@b", "mail @home, a@b"],
    ["{\\@link x}", "{@link x}"],
    ["one\n\n  two", "\n\none   \r\n\r\n  two\n\n"],
    ["\\u200b\\u202e\\u2028\\ud83d\\u0000", "\u200b\u202e\u2028\ud83d\u0000"],
    ["\\udb40\\udc41", "\u{e0041}"],
    ["größe 日本語 😀", "größe 日本語 😀"],
  ])("gives %j for %j", (want, text) => {
    expect(toCommentText(text)).toBe(want);
  });

  it("never ends a comment, also where a slash follows later", () => {
    expect(`${toCommentText("*")}${toCommentText("*/")}`).not.toContain("*/");
  });
});

test.each([" ", "\t", "\n", " \n"])("white space without an end is cut in linear time: %j", (space) => {
  const text = `a${space.repeat(400_000)}b`;
  expect(toCommentText(text + space.repeat(400_000))).toMatch(/^a\s+b$/);
  expect(toOneLine(text)).toBe(space.includes("\n") ? "a b" : text);
});

test("one line has a space for each line break and what is around it", () => {
  expect(toOneLine("a  b \n\n\t c\nd \n")).toBe("a  b c d ");
});

test("invisible text is distinguished from line breaks, tabs and letters", () => {
  expect(["a\u200bb", "\u202e", "a\u0007"].map(hasInvisibleText)).toEqual([true, true, true]);
  expect(["a\r\nb", "\tä 日 😀"].map(hasInvisibleText)).toEqual([false, false]);
});

test.each<[string, JsonValue]>([
  ["null", null],
  ['"\\u2028"', "\u2028"],
  ["{}", {}],
  ['{ a: 1, "b c": [true, "x"] }', { a: 1, "b c": [true, "x"] }],
  ['{ ["__proto__"]: 1 }', JSON.parse('{"__proto__":1}') as JsonValue],
  [
    `{\n  long: "${"x".repeat(60)}",\n  list: ["${"y".repeat(60)}"],\n}`,
    { long: "x".repeat(60), list: ["y".repeat(60)] },
  ],
])("printValue gives %s", (want, value) => {
  expect(printValue(value)).toBe(want);
});

describe("long lines", () => {
  const names = Array.from({ length: 10 }, (_item, index) => `a long | value ${index}`);
  const union = names.map((name) => `\n    | "${name}"`).join("");
  const print = async (property: JsonObject, keyword = "properties"): Promise<string | undefined> => {
    const schema = { type: "object", [keyword]: { name: property }, additionalProperties: false };
    return [...(await printDeclarations([{ name: "Long", schema, references: [] }])).values()][0];
  };

  it("are broken at the members of a union", async () => {
    const list = { type: "array", items: { enum: names } };
    expect(await print({ enum: names })).toBe(`export interface Long {\n  name?:${union};\n}`);
    expect(await print(list)).toBe(`export interface Long {\n  name?: (${union}\n  )[];\n}`);
  });

  it("stay where there is no union at their top", async () => {
    const tuple = { type: "array", items: [{ enum: names }], minItems: 1, maxItems: 1 };
    const line = names.map((name) => `"${name}"`).join(" | ");
    expect(await print(tuple)).toBe(`export interface Long {\n  name?: [(${line})];\n}`);
  });

  it("are what short comments are joined to, as long as they fit", async () => {
    expect(await print({ type: "string", description: "Short." })).toContain("\n  /** Short. */\n  name?: string;");
    const long = "x".repeat(120);
    expect(await print({ type: "string", description: long })).toContain(`\n  /**\n   * ${long}\n   */\n  name?`);
  });

  it("say nothing in tags that the plan says in words", async () => {
    const tuple = { type: "array", items: [{ type: "number" }], minItems: 1, maxItems: 1, description: "One.\n\nTwo." };
    expect(await print({ ...tuple, deprecated: true })).toBe(
      "export interface Long {\n  /**\n   * @deprecated\n   * One.\n   *\n   * Two.\n   */\n  name?: [number];\n}",
    );
  });
});

describe("types that are compiled together", () => {
  const closed = { type: "object", additionalProperties: false };
  const print = async (schemas: Record<string, JsonObject>): Promise<string[]> => {
    const types = Object.entries(schemas).map(([name, schema]) => ({ name, schema, references: [] }));
    const printed = await printDeclarations(types);
    return types.map((type) => printed.get(type) ?? "");
  };

  it("keep the names of the plan, also where they look alike", async () => {
    const names = ["Get2dInput", "Get2DInput", "get_input", "GetInput", "Declarations1", "GetInput1", "$Input"];
    const schemas = Object.fromEntries(
      names.map((name, index) => [name, { ...closed, properties: { [`p${index}`]: { type: "string" } } }]),
    );
    expect(await print(schemas)).toEqual(
      names.map((name, index) => `export interface ${name} {\n  p${index}?: string;\n}`),
    );
  });

  it("come out right beside one that cannot be said", async () => {
    const many = Array.from({ length: 60 }, (_item, index) => [`Type${index}`, { type: "string" }] as const);
    const texts = await print({ ...Object.fromEntries(many), Type7: { tsType: "} }; declare const x: {" } });
    expect(texts[7]).toContain("could not be said in TypeScript. */\nexport type Type7 = unknown;");
    expect(texts.toSpliced(7, 1)).toEqual(
      many.filter(([name]) => name !== "Type7").map(([name]) => `export type ${name} = string;`),
    );
  });

  it("say the names of their own others, and break lines by these", async () => {
    const schema = { ...closed, properties: { a: { anyOf: [{ tsType: "Reference1" }, { tsType: "Reference0" }] } } };
    const long = "L".repeat(120);
    const types = [
      { name: "One", schema, references: ["B", "A"] },
      { name: "Two", schema, references: ["C", long] },
    ];
    expect([...(await printDeclarations(types)).values()]).toEqual([
      "export interface One {\n  a?: A | B;\n}",
      `export interface Two {\n  a?:\n    | ${long}\n    | C;\n}`,
    ]);
  });

  it("stay apart where they are the same", async () => {
    const same = { ...closed, properties: { a: { tsType: "unknown" } } };
    const text = "{\n  a?: unknown;\n}";
    expect(await print({ One: same, Two: same, Three: { tsType: "unknown" } })).toEqual([
      `export interface One ${text}`,
      `export interface Two ${text}`,
      "export type Three = unknown;",
    ]);
  });
});
