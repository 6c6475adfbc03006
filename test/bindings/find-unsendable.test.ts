import { callTool } from "@codemode/runtime/v1";
import { findUnsendable } from "../../runtime/bindings/find-unsendable.ts";
import { expect, test } from "vitest";

const circle: Record<string, unknown> = {};
circle["self"] = circle;

test.each<[what: string, input: unknown, pointer: string, found: string]>([
  ["a promise", { title: "a", body: Promise.resolve("b") }, "/body", "a Promise"],
  ["a promise in a list", { files: [1, Promise.resolve()] }, "/files/1", "a Promise"],
  ["the whole", Promise.resolve({}), "", "a Promise"],
  ["a Map", { meta: new Map([["a", "b"]]) }, "/meta", "a Map"],
  ["a Set under an odd name", { "a/b~": new Set([1]) }, "/a~1b~0", "a Set"],
  ["a class of a Map", { meta: new (class extends Map {})() }, "/meta", "a Map"],
  ["a function", { list: [() => 1] }, "/list/0", "a function"],
  ["a method", { run() {} }, "/run", "a function"],
  ["a symbol", { s: Symbol("x") }, "/s", "a symbol"],
  ["a date that is none", { at: new Date("never") }, "/at", "a Date that is none"],
  ["no number", { n: Number.NaN }, "/n", "NaN"],
  ["too large a number", { n: [-Infinity] }, "/n/0", "-Infinity"],
  ["an iterator", { keys: new Map().keys() }, "/keys", "a Map Iterator"],
  ["a generator", { all: (function* () {})() }, "/all", "a Generator"],
  ["a regular expression", { match: /a/ }, "/match", "a RegExp"],
  ["an error", { why: new TypeError("x") }, "/why", "an Error"],
  ["bytes", { data: new ArrayBuffer(2) }, "/data", "an ArrayBuffer"],
  ["a view", { data: new DataView(new ArrayBuffer(2)) }, "/data", "a DataView"],
  ["numbers of bytes", { data: new Uint8Array([7, 8]) }, "/data", "a Uint8Array"],
  ["a Buffer, which has a toJSON of its own", [Buffer.from("a")], "/0", "a Uint8Array"],
  ["clamped bytes", new Uint8ClampedArray(1), "", "a Uint8ClampedArray"],
  ["integers", new Int16Array(1), "", "an Int16Array"],
  ["large integers", [new BigInt64Array(1), new BigUint64Array(1)], "/0", "a BigInt64Array"],
  ["fractions", { a: [new Float32Array(1)] }, "/a/0", "a Float32Array"],
  ["what toJSON gives", { a: { toJSON: () => ({ b: Promise.resolve() }) } }, "/a/b", "a Promise"],
  ["what toJSON promises", { a: { toJSON: async () => 1 } }, "/a", "a Promise"],
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
    { at: new Date(0), url: new URL("https://example.org") },
    [new Point(), Object.create(null), [shared, shared], { [Symbol.toStringTag]: "Odd" }],
    circle,
    { big: 1n },
  ];
  for (const input of well) expect(findUnsendable(input)).toBeUndefined();
});

/** The value below so many lists, objects or `toJSON`. */
const wraps: readonly [kind: string, wrap: (value: unknown) => unknown, step: string][] = [
  ["lists", (value) => [value], "/0"],
  ["objects", (value) => ({ "a/~": value }), "/a~1~0"],
  ["values of toJSON", (value) => ({ toJSON: () => value }), ""],
];

test.each(wraps)("below 999 %s it is found, and where it is", (_, wrap, step) => {
  let input: unknown = { in: Symbol("s") };
  for (let depth = 0; depth < 998; depth += 1) input = wrap(input);
  expect(findUnsendable(input)).toMatchObject({ pointer: `${step.repeat(998)}/in`, what: "a symbol" });
  expect(findUnsendable(wrap(wrap(input)))).toBeUndefined();
});

test("a list that contains itself, and a toJSON that gives itself or another one, come to an end", () => {
  const list: unknown[] = [];
  list.push(list);
  const own = { toJSON: (): unknown => own };
  const endless = { toJSON: (): unknown => ({ ...endless }) };
  for (const input of [list, own, endless]) expect(findUnsendable(input)).toBeUndefined();
});

test("an object of an unknown kind that says how it is written is looked at as that", () => {
  const odd = { [Symbol.toStringTag]: "Promise", toJSON: () => "text" };
  expect(findUnsendable({ odd, hole: Array.from({ length: 2 }) })).toBeUndefined();
  expect(findUnsendable({ [Symbol.toStringTag]: "toString", in: () => 1 })).toMatchObject({ pointer: "/in" });
});
