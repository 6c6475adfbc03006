import { expect, test } from "vitest";
import { makeInputCheck } from "../../runtime/host/checks/input-check.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { LockedTool } from "../../schemas/lock/lockfile.ts";

const check = makeInputCheck();

/** The keywords that an input violates. */
function violations(inputSchema: JsonValue | undefined, input: JsonValue): string[] {
  const integrity = `sha256-${JSON.stringify(inputSchema)}` as const;
  const tool: LockedTool = {
    name: "t",
    exportName: "t",
    integrity,
    ...(inputSchema === undefined ? {} : { inputSchema }),
  };
  return check(tool, input).map(({ keyword }) => keyword);
}

const text = (pattern: string): JsonValue => ({ type: "object", properties: { a: { type: "string", pattern } } });

test("a recursive schema is checked all the way down", () => {
  const tree: JsonValue = { type: "object", properties: { child: { $ref: "#" }, name: { type: "string" } } };
  expect(violations(tree, { child: { child: { name: "x" } } })).toEqual([]);
  expect(violations(tree, { child: { child: { name: 1 } } })).toEqual(["type"]);
});

test("a pattern that takes for ever in most engines is answered at once", () => {
  expect(violations(text("^(a+)+$"), { a: `${"a".repeat(5000)}b` })).toEqual(["pattern"]);
});

/** What each pattern and each comparison takes: `compile-schema.test.ts`. */
test("each pattern of a schema is its own", () => {
  const properties = { a: { pattern: "^a$" }, b: { pattern: "^b$" } };
  expect(violations({ type: "object", properties }, { a: "a", b: "b" })).toEqual([]);
  expect(violations({ type: "object", properties }, { a: "a", b: "a" })).toEqual(["pattern"]);
});

test("a pattern with look-around is left to the server", () => {
  expect(violations(text("^(?!x)"), { a: "x" })).toEqual([]);
});

test("a tool without a schema takes any object, and only objects", () => {
  expect(violations(undefined, { a: 1 })).toEqual([]);
  expect(violations(undefined, "a")).toEqual(["type"]);
});

test("hundreds of nested references neither hang nor throw", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
  );
  expect(violations({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs }, { a: 1 })).toEqual([]);
});

/** Each definition refers to the next one twice: 2 to the power of `depth` ways through. */
const doubling = (depth: number): JsonValue => {
  const twice = (index: number): JsonValue => [{ $ref: `#/$defs/d${index}` }, { $ref: `#/$defs/d${index}` }];
  const steps = Array.from({ length: depth }, (_, index) => [`d${index}`, { anyOf: twice(index + 1) }] as const);
  return {
    properties: { a: { $ref: "#/$defs/d0" } },
    $defs: { ...Object.fromEntries(steps), [`d${depth}`]: { type: "string" } },
  };
};

test("a schema of few lines with a check that would never end is refused at once", () => {
  expect(violations(doubling(4), { a: 1 })).toContain("type");
  expect(violations(doubling(60), { a: 1 })).toEqual(["$ref"]);
  const inValue: JsonValue = { properties: { a: { $ref: "#" } }, allOf: [{ properties: { a: { $ref: "#" } } }] };
  const nested = Array.from({ length: 60 }).reduce<JsonValue>((inner) => ({ a: inner }), {});
  expect(violations(inValue, nested)).toEqual(["$ref"]);
  expect(violations(inValue, { a: { a: {} } })).toEqual([]);
});

test("equal items are found in linear time", () => {
  const schema: JsonValue = { properties: { a: { uniqueItems: true } } };
  const items = Array.from({ length: 100_000 }, (_, index) => ({ index }));
  expect(violations(schema, { a: items })).toEqual([]);
  expect(violations(schema, { a: [...items, { index: 7 }] })).toEqual(["uniqueItems"]);
  expect(
    violations(schema, {
      a: [
        { b: 1, c: 2 },
        { c: 2, b: 1 },
      ],
    }),
  ).toEqual(["uniqueItems"]);
  expect(violations(schema, { a: [1, "1", null, "null", [1]] })).toEqual([]);
});
