import { beforeAll, describe, expect, test } from "vitest";
import { openPool } from "./open-pool.ts";
import { resultOf, resultsOf, runScript } from "./run-script.ts";

const pool = openPool();

/** Code as people write it, and what it gives. Hardened objects must not be felt. */
const CODE: Record<string, [string, unknown]> = {
  "assigning toString to an object": ["const point = {}; point.toString = () => 'here'; return String(point);", "here"],
  "assigning methods that arrays, dates and promises inherit": [
    "const list = []; list.map = () => 1; const date = new Date(); date.toJSON = () => 2; const promise = Promise.resolve(); promise.then = undefined; return [list.map(), date.toJSON()];",
    [1, 2],
  ],
  "the constructor of an old-style class": [
    "function Child() {} Child.prototype = Object.create(Array.prototype); Child.prototype.constructor = Child; return new Child().constructor === Child;",
    true,
  ],
  "assigning methods that weak collections, URLs and event targets inherit": [
    "const map = new WeakMap(); map.get = () => 1; const url = new URL('https://a.example/'); url.toString = () => 2; const params = new URLSearchParams(); params.get = () => 3; return [map.get(), url.toString(), params.get()];",
    [1, 2, 3],
  ],
  "assigning in the constructor of an event target": [
    "class Bus extends EventTarget { constructor() { super(); this.dispatchEvent = () => 'sent'; } } class Change extends Event { constructor() { super('change'); this.preventDefault = () => 'no'; } } return [new Bus().dispatchEvent(), new Change().preventDefault()];",
    ["sent", "no"],
  ],
  "the constructor of a list of numbers": [
    "const list = new Uint8Array(1); list.constructor = {}; return typeof list.constructor;",
    "object",
  ],
  "subclassing Error": [
    "class Mine extends Error { constructor(text) { super(text); this.name = 'Mine'; } } const error = new Mine('a'); return [error instanceof Mine, error instanceof Error, String(error), typeof error.stack];",
    [true, true, "Mine: a", "string"],
  ],
  "subclassing Map and Array": [
    "class Table extends Map { total() { return this.size; } } class List extends Array { last() { return this.at(-1); } } return [new Table([[1, 2]]).total(), List.from([1, 2]).last()];",
    [1, 2],
  ],
  captureStackTrace: ["const target = {}; Error.captureStackTrace?.(target); return typeof target.stack;", "string"],
  dates: [
    "const now = Date.now(); const date = new Date(now); return [date.getTime() === now, typeof new date.constructor().getTime()];",
    [true, "number"],
  ],
  chance: ["const value = Math.random(); return value >= 0 && value < 1 && value !== Math.random();", true],
  "locale methods": [
    "return [(1234.5).toLocaleString('en-US'), ['b', 'a'].sort((a, b) => a.localeCompare(b)).join(), new Date(0).toLocaleDateString('en-US', { timeZone: 'UTC' }), 'I'.toLocaleLowerCase('tr')];",
    ["1,234.5", "a,b", "1/1/1970", "ı"],
  ],
  Intl: [
    "return new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(5).replace(/\\s/g, ' ');",
    "5,00 €",
  ],
  "deep copies": ["const copy = JSON.parse(JSON.stringify({ a: [1] })); copy.a.push(2); return copy;", { a: [1, 2] }],
  "globals of one's own": ["globalThis.count = 1; globalThis.count += 1; return count;", 2],
  "a name that is nowhere": ["return typeof nowhere;", "undefined"],
  "generators, destructuring, optional chaining": [
    "function* numbers() { yield* [1, 2, 3]; } const [first, ...rest] = numbers(); const { a: { b = 5 } = {} } = {}; return [first, rest, b, undefined?.x ?? 'none'];",
    [1, [2, 3], 5, "none"],
  ],
  "private fields and accessors": [
    "class Counter { #count = 0; get count() { return this.#count; } set count(value) { this.#count = value; } static { this.ready = true; } } const counter = new Counter(); counter.count = 3; return [counter.count, Counter.ready];",
    [3, true],
  ],
  "iteration over async generators": [
    "const seen = []; for await (const item of (async function* () { yield 1; yield 2; })()) seen.push(item); return seen;",
    [1, 2],
  ],
  "tagged templates and regular expressions": [
    "const tag = (parts, ...values) => parts.raw.join('|') + values.join(); return [tag`a${1}\\n${2}`, 'a1b2'.replace(/(?<letter>[a-z])(\\d)/g, '$2$<letter>')];",
    ["a|\\n|1,2", "1a2b"],
  ],
  "timers in order": [
    "const order = []; await new Promise((resolve) => { setTimeout(() => { order.push(2); resolve(); }, 20); setTimeout((value) => order.push(value), 1, 1); clearTimeout(setTimeout(() => order.push(9), 5)); }); return order;",
    [1, 2],
  ],
  "sorting, grouping and counting": [
    "const words = ['b', 'a', 'b']; const counts = new Map(); for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1); return Object.fromEntries([...counts].toSorted());",
    { a: 1, b: 2 },
  ],
  "typed arrays of floats": ["return [Float32Array.of(1.5)[0], Float64Array.of(2.5)[0]];", [1.5, 2.5]],
  "the keys of JSON": [
    "const parsed = JSON.parse('{\"__proto__\":{\"a\":1}}'); return [Object.keys(parsed), ({}).a ?? 'clean'];",
    [["__proto__"], "clean"],
  ],
  "instanceof across the board": [
    "return [[] instanceof Array, (() => {}) instanceof Function, {} instanceof Object, Promise.resolve() instanceof Promise, new TypeError() instanceof Error];",
    [true, true, true, true, true],
  ],
};

describe("ordinary code works", () => {
  let results: { [name: string]: unknown };
  beforeAll(async () => {
    results = await resultsOf(Object.fromEntries(Object.entries(CODE).map(([name, [body]]) => [name, body])), { pool });
  });

  test.each(Object.entries(CODE))("%s", (name, [, expected]) => expect(results[name]).toEqual(expected));
});

test("the last value of the result counts, and the input is there [3.2.2/final-value]", async () => {
  const script = "globalThis.__codemode_result__ = 1; globalThis.__codemode_result__ = __codemode_input__.value;";
  expect(await resultOf(script, { pool, input: { value: 42 } })).toBe(42);
  expect(await resultOf("", { pool })).toBeNull();
  expect(await resultOf("globalThis.__codemode_result__ = __codemode_input__;", { pool })).toBeNull();
});

test("calls of many servers run at once", async () => {
  let inFlight = 0;
  let most = 0;
  const script = `globalThis.__codemode_result__ = await Promise.all(["a", "b", "c"].map(async (server) =>
    JSON.parse(await __codemode_call__(server, "tool", "{}")).value));`;
  const answer = await runScript(script, {
    pool,
    answerCall: async ({ serverId }) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 30));
      inFlight -= 1;
      return { ok: true, value: serverId };
    },
  });
  expect(answer).toMatchObject({ result: ["a", "b", "c"], diagnostics: [] });
  expect(most).toBe(3);
});

test("a run leaves nothing to the next one [1.4/fresh]", async () => {
  await runScript(
    "globalThis.left = 1; globalThis.__codemode_result__ = 1; setTimeout(() => console.log('late'), 1);",
    { pool },
  );
  const answer = await runScript("globalThis.__codemode_result__ = [typeof left, typeof globalThis.left];", { pool });
  expect(answer).toMatchObject({ logs: [], result: ["undefined", "undefined"] });
});
