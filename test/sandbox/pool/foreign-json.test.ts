import { expect, test } from "vitest";
import { parseForeignJson } from "../../../schemas/json/foreign-json.ts";

const nest = (open: string, close: string, depth: number, inside = ""): string =>
  open.repeat(depth) + inside + close.repeat(depth);

test.each<[string, string]>([
  ["a text", '"a"'],
  ["a text of quotes and brackets", '["\\"[", "\\\\", "[[\\\\\\"", {"]}":"{"}]'],
  ["many brackets in a text", `["${"[{".repeat(300)}"]`],
  ["many brackets behind an escaped quote", `["\\"${"[".repeat(300)}"]`],
  ["many lists side by side", `[${Array(300).fill("[]").join(",")}]`],
  ["many objects side by side", `[${Array(300).fill("{}").join(",")}]`],
  ["lists in one another, as deep as may be", nest("[", "]", 256)],
  ["objects in one another, as deep as may be", nest('{"a":', "}", 256, "1")],
])("%s is parsed", (_name, text) => {
  expect(parseForeignJson(text)).toEqual(JSON.parse(text));
});

test.each<[string, string]>([
  ["no JSON", "nonsense"],
  ["nothing", ""],
  ["a text without an end", '"a'],
  ["a text without an end that has brackets", `"${"[".repeat(300)}`],
  ["lists one too deep", nest("[", "]", 257)],
  ["objects one too deep", nest('{"a":', "}", 257, "1")],
  ["lists and objects one too deep", nest('[{"a":', "}]", 128, "[]")],
  ["lists behind a text that ends with a backslash", `["\\\\",${nest("[", "]", 256)}]`],
])("%s is not", (_name, text) => {
  expect(parseForeignJson(text)).toBeUndefined();
});
