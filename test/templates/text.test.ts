import { describe, expect, it, test } from "vitest";
import type { JsonValue } from "../../schemas/json/json.ts";
import { printValue } from "../../schemas/text/print-value.ts";
import { hasInvisibleText, toCommentText, toOneLine } from "../../schemas/text/visible-text.ts";
import { joinShortComments, wrapUnions } from "../../templates/types/print-declaration.ts";

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
  const names = Array.from({ length: 10 }, (_item, index) => `"a long | value ${index}"`);

  it("are broken at the members of a union", () => {
    expect(wrapUnions(`  name?: ${names.join(" | ")};`)).toBe(`  name?:\n    | ${names.join("\n    | ")};`);
    expect(wrapUnions(`  name: (${names.join(" | ")})[];`)).toBe(`  name: (\n    | ${names.join("\n    | ")}\n  )[];`);
  });

  it("stay where there is no union at their top", () => {
    const line = `  name: [${names.join(" | ")}];`;
    expect(wrapUnions(line)).toBe(line);
  });

  it("are what short comments are joined to, as long as they fit", () => {
    expect(joinShortComments("  /**\n   * Short.\n   */\n  a: string;")).toBe("  /** Short. */\n  a: string;");
    const long = `/**\n * ${"x".repeat(120)}\n */`;
    expect(joinShortComments(long)).toBe(long);
  });
});
