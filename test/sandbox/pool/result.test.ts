import { describe, expect, test } from "vitest";
import { openPool } from "../realm/open-pool.ts";
import { runScript } from "../realm/run-script.ts";

const pool = openPool({ reuse: { times: 1000, renew: "realm" } });

const run = (script: string) => runScript(script, { pool, trustDomain: "tests" });

describe("results that are no JSON [3.3/result]", () => {
  test.each([
    ["a function", "{ items: [{ run() {} }] }", "/items/0/run is a function"],
    ["a symbol", "{ mark: Symbol('a') }", "/mark is a symbol"],
    ["a cycle", "(() => { const a = {}; a.self = a; return a; })()", "/self is a reference to itself"],
    ["a Map", "{ map: new Map() }", "/map is a Map"],
    ["a Set", "new Set([1])", "it is a Set"],
    ["a promise inside", "{ later: Promise.resolve(1) }", "/later is a promise"],
    ["a deep nest", "JSON.parse('['.repeat(300) + ']'.repeat(300))", "nested deeper"],
    ["a key with a slash", "{ 'a/b': () => {} }", "/a~1b is a function"],
  ])("%s", async (_name, expression, message) => {
    expect(await run(`globalThis.__codemode_result__ = ${expression};`)).toMatchObject({
      result: null,
      diagnostics: [
        {
          severity: "error",
          code: "RESULT_UNSERIALIZABLE",
          message: expect.stringContaining(message),
          hint: expect.any(String),
        },
      ],
    });
  });

  test.each([
    [
      "inside",
      "{ total: 2n ** 64n, list: [1, 2n] }",
      { total: "18446744073709551616", list: [1, "2"] },
      "/total",
      "/total, /list/1",
    ],
    ["alone", "5n", "5", undefined, "the result"],
    [
      "in great number",
      "Array.from({ length: 30 }, (_, index) => BigInt(index))",
      expect.arrayContaining(["29"]),
      "/0",
      "/9 and 20 more",
    ],
  ])("a BigInt %s becomes a string, and a warning names the place", async (_name, expression, result, path, places) => {
    const answer = await run(`globalThis.__codemode_result__ = ${expression};`);
    expect(answer.result).toEqual(result);
    expect(answer.diagnostics).toEqual([
      {
        severity: "warning",
        code: "RESULT_UNSERIALIZABLE",
        message: expect.stringContaining(places),
        hint: expect.stringContaining("String(value)"),
        ...(path !== undefined && { path }),
      },
    ]);
  });

  test("a BigInt that was cut off with its list is not named", async () => {
    const script =
      "globalThis.__codemode_result__ = Array.from({ length: 1000 }, (_, id) => ({ id, big: 10n ** 20n }));";
    const { diagnostics } = await runScript(script, { pool, limits: { maxResultBytes: 100 } });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/at \/0\/big, \/1\/big$/),
      expect.stringContaining("2 of 1000 items"),
    ]);
  });

  test("a getter that throws is an error of the script", async () => {
    expect(await run('globalThis.__codemode_result__ = { get a() { throw new Error("no"); } };')).toMatchObject({
      result: null,
      diagnostics: [{ code: "UNCAUGHT_EXCEPTION", message: "Error: no" }],
    });
  });

  test.each([
    ["undefined", "undefined", null],
    ["undefined in a list and in an object", "{ a: [undefined], b: undefined }", { a: [null] }],
    ["numbers without a JSON form", "[NaN, Infinity, -0]", [null, null, 0]],
    ["a date", "{ at: new Date(0) }", { at: "1970-01-01T00:00:00.000Z" }],
    ["toJSON", "{ toJSON: (key) => ({ key }) }", { key: "" }],
    ["an error", 'Object.assign(new TypeError("bad"), { code: 7 })', { name: "TypeError", message: "bad", code: 7 }],
    ["an object twice", "(() => { const a = { b: 1 }; return [a, a]; })()", [{ b: 1 }, { b: 1 }]],
    ["a key called __proto__", 'JSON.parse(\'{"__proto__":{"a":1}}\')', JSON.parse('{"__proto__":{"a":1}}')],
    ["the keys in their order", "{ z: 1, a: 2 }", { z: 1, a: 2 }],
  ])("%s is what JSON makes of it", async (_name, expression, expected) => {
    const answer = await run(`globalThis.__codemode_result__ = ${expression};`);
    expect(answer.diagnostics).toEqual([]);
    expect(JSON.stringify(answer.result)).toBe(JSON.stringify(expected));
  });
});
