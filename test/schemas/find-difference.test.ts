import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../schemas/json/canonical-json.ts";
import { findDifference } from "../../schemas/json/find-difference.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

test.each<[JsonValue, JsonValue, string]>([
  [1, 2, ""],
  [null, {}, ""],
  [[], {}, ""],
  ["1", 1, ""],
  [{ a: 1 }, { a: 2 }, "/a"],
  [{ a: { "b/c": [0, { "~": 1 }] } }, { a: { "b/c": [0, { "~": 2 }] } }, "/a/b~1c/1/~0"],
  [{ a: 1 }, { a: 1, b: null }, "/b"],
  [{ b: 1, a: 1 }, { a: 2, b: 2 }, "/a"],
  [[1, 2], [1], "/1"],
  [{ constructor: 1 }, {}, "/constructor"],
  [{ "": 1 }, { "": 2 }, "/"],
])("%j and %j differ at %j", (expected, received, pointer) => {
  expect(findDifference(expected, received)?.pointer).toBe(pointer);
});

test("a difference holds both sides, as far as they are there", () => {
  expect(findDifference({ a: [1, "x"] }, { a: [1] })).toStrictEqual({
    pointer: "/a/1",
    expected: "x",
    received: undefined,
  });
  expect(findDifference({}, { a: null })).toStrictEqual({ pointer: "/a", expected: undefined, received: null });
  expect(findDifference([1, 2, 3], [1, 5, 6])).toStrictEqual({ pointer: "/1", expected: 2, received: 5 });
});

test("texts may count as equal that are not, and only texts that are there", () => {
  const isSame = () => true;
  expect(findDifference({ a: "x", b: ["y"] }, { a: 1, b: ["z"] }, isSame)).toBeUndefined();
  expect(findDifference({ a: "x" }, {}, isSame)?.pointer).toBe("/a");
  expect(findDifference({ a: 1 }, { a: "x" }, isSame)?.pointer).toBe("/a");
  expect(findDifference("x", "X", (left, right) => left === String(right).toLowerCase())).toBeUndefined();
});

test("values with the same canonical JSON do not differ, others do", () => {
  const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
  fc.assert(
    fc.property(value, value, (left, right) => {
      const isSame = canonicalJson(left) === canonicalJson(right);
      expect(findDifference(left, right) === undefined).toBe(isSame);
      expect(findDifference(left, JSON.parse(JSON.stringify(left)) as JsonValue)).toBeUndefined();
    }),
  );
});
