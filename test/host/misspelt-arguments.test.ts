import { expect, test } from "vitest";
import { findMisspeltArguments } from "../../runtime/host/checks/input-check.ts";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";

const find = (inputSchema: JsonObject, input: JsonValue) =>
  findMisspeltArguments({ inputSchema } as unknown as LockedTool, input);
const properties = { path: { type: "string" }, head: { type: "number" }, tail: { type: "number" } };

test("an argument that the tool does not declare is held against the declared ones that are absent", () => {
  expect(find({ properties }, { path: "a", heads: 1 })).toEqual([{ written: "heads", meant: "head" }]);
  expect(find({ properties }, { path: "a", Tail: 1 })).toEqual([{ written: "Tail", meant: "tail" }]);
});

test("nothing is found where the name is another one, is there as well, or any name is taken", () => {
  expect(find({ properties }, { path: "a", encoding: "utf8" })).toEqual([]);
  expect(find({ properties }, { path: "a", head: 1, heads: 1 })).toEqual([]);
  expect(find({ properties, additionalProperties: { type: "number" } }, { heads: 1 })).toEqual([]);
  expect(find({ properties, patternProperties: { "^h": {} } }, { heads: 1 })).toEqual([]);
  expect(find({ properties, anyOf: [{ properties: { heads: {} } }] }, { heads: 1 })).toEqual([]);
  expect(find({ properties, $ref: "#/$defs/more" }, { heads: 1 })).toEqual([]);
  expect(find({}, { heads: 1 })).toEqual([]);
  expect(find({ properties }, ["heads"])).toEqual([]);
});

test("hostile names on both sides are not all compared", () => {
  const names = (sign: string, count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index).padEnd(length, sign), 1]));
  expect(find({ properties: names("a", 5000, 60) }, names("b", 5000, 60))).toEqual([]);
  const late = { ...names("a", 5000, 60), head: 1 };
  expect(find({ properties: late }, { heads: 1 })).toEqual([]);
  expect(find({ properties: { ["h".repeat(65)]: 1 } }, { ["h".repeat(66)]: 1 })).toEqual([]);
});
