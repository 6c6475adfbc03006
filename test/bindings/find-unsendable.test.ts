import { callTool } from "@codemode/runtime/v1";
import { findUnsendable } from "../../runtime/bindings/find-unsendable.ts";
import { expect, test } from "vitest";

const circle: Record<string, unknown> = {};
circle["self"] = circle;

test.each<[what: string, input: unknown, pointer: string, found: string]>([
  ["a promise", { title: "a", body: Promise.resolve("b") }, "/body", "a promise"],
  ["a promise in a list", { files: [1, Promise.resolve()] }, "/files/1", "a promise"],
  ["the whole", Promise.resolve({}), "", "a promise"],
  ["a Map", { meta: new Map([["a", "b"]]) }, "/meta", "a Map"],
  ["a Set under an odd name", { "a/b~": new Set([1]) }, "/a~1b~0", "a Set"],
  ["a class of a Map", { meta: new (class extends Map {})() }, "/meta", "a Map"],
  ["a function", { list: [() => 1] }, "/list/0", "a function"],
  ["a method", { run() {} }, "/run", "a function"],
  ["a symbol", { s: Symbol("x") }, "/s", "a symbol"],
  ["a date that is none", { at: new Date("never") }, "/at", "a Date that is none"],
  ["no number", { n: Number.NaN }, "/n", "NaN"],
  ["too large a number", { n: [-Infinity] }, "/n/0", "-Infinity"],
  ["an iterator", { keys: new Map().keys() }, "/keys", "an iterator"],
  ["a generator", { all: (function* () {})() }, "/all", "a generator"],
  ["a regular expression", { match: /a/ }, "/match", "a RegExp"],
  ["an error", { why: new TypeError("x") }, "/why", "an error"],
  ["bytes", { data: new ArrayBuffer(2) }, "/data", "an ArrayBuffer"],
  ["what toJSON gives", { a: { toJSON: () => ({ b: Promise.resolve() }) } }, "/a/b", "a promise"],
  ["what toJSON promises", { a: { toJSON: async () => 1 } }, "/a", "a promise"],
])("%s is found, and nothing is sent", async (_, input, pointer, what) => {
  expect(findUnsendable(input)).toMatchObject({ pointer, what });
  const tool = { serverId: "s", toolName: "t", exportName: "t", validateInput: () => true };
  const error = await callTool(tool, input).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: "SchemaValidationError", pointer, received: what });
  expect((error as Error).message).toContain(`is ${what}, which cannot be written as JSON.`);
});

test("what JSON carries is left alone, like what it refuses by itself", () => {
  class Point {
    x = 1;
  }
  const shared = { a: 1 };
  const well = [
    undefined,
    { a: undefined, b: null, c: [undefined], d: "x", e: true, f: 1e300 },
    { at: new Date(0), url: new URL("https://example.org"), bytes: Buffer.from("a") },
    [new Point(), Object.create(null), [shared, shared], { [Symbol.toStringTag]: "Odd" }],
    circle,
    { big: 1n },
  ];
  for (const input of well) expect(findUnsendable(input)).toBeUndefined();
});
