import { TraceMap } from "@jridgewell/trace-mapping";
import { expect, test } from "vitest";
import { showAuthorName } from "../../../runtime/sandbox/pool/script-positions.ts";

/** The map of `parse$1(); a();` on line 2, of whose names the author's are `parse` and `five`. */
const trace = new TraceMap({ version: 3, sources: ["a.js"], names: ["parse", "five"], mappings: ";AAAAA,YAAYC" });

function show(message: string, number = 2): string {
  return showAuthorName(message, { text: number === 2 ? "parse$1();  a();" : "", number, trace: () => trace });
}

test.each([
  ["parse$1 is not a function", "parse is not a function"],
  ["parse$1.b.c(...).d is not a function", "parse.b.c(...).d is not a function"],
  [
    "parse$1 is not a function or its return value is not iterable",
    "parse is not a function or its return value is not iterable",
  ],
  ["parse$1 is not iterable", "parse is not iterable"],
  ["parse$1.Row is not a constructor", "parse.Row is not a constructor"],
  ["Cannot access 'parse$1' before initialization", "Cannot access 'parse' before initialization"],
  [
    "Cannot destructure property 'a' of 'parse$1' as it is undefined.",
    "Cannot destructure property 'a' of 'parse' as it is undefined.",
  ],
  [
    "Cannot destructure property 'a' of 'a.b' as it is undefined.",
    "Cannot destructure property 'a' of 'five.b' as it is undefined.",
  ],
  ["a is not a function", "five is not a function"],
])("%j is shown as %j", (message, shown) => {
  expect(show(message)).toBe(shown);
});

test.each([
  "a value is not a function",
  "Cannot read properties of undefined (reading 'parse$1')",
  "parse$1 went wrong",
  "parse$10 is not a function",
  "Assignment to constant variable.",
  "",
])("%j stays", (message) => {
  expect(show(message)).toBe(message);
});

test("a name that stands on another line stays", () => {
  expect(show("parse$1 is not a function", 1)).toBe("parse$1 is not a function");
  expect(show("parse$1 is not a function", Number.NaN)).toBe("parse$1 is not a function");
});
