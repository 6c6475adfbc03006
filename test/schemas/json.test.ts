import { expect, test } from "vitest";
import { isJsonObject, ownValue, parseJsonObject, toJsonObject } from "../../schemas/json/json.ts";
import { unlessTooDeep } from "../../schemas/run/bundle-file.ts";

test("a JSON object is neither a list, nor null, nor a scalar, and a key finds nothing inherited", () => {
  expect([{}, { a: 1 }, [], null, "x", 1, undefined].map(isJsonObject)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(['{"a":1}', "[]", "null", "{", "1"].map(parseJsonObject)).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(["a", "constructor", "__proto__"].map((key) => ownValue({ a: 1 }, key))).toEqual([1, undefined, undefined]);
  const made = toJsonObject([
    ["__proto__", { x: 1 }],
    ["a", 1],
  ]);
  expect(JSON.stringify(made)).toBe('{"__proto__":{"x":1},"a":1}');
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
  made["a"] = 2;
  delete made["__proto__"];
  expect(made).toEqual({ a: 2 });
});

test("only a stack that ends is nesting that is too deep", () => {
  const fail = (problem: string) => new TypeError(problem);
  const endless = (): number => 1 + endless();
  const broken = (): never => {
    throw new SyntaxError("own");
  };
  expect(unlessTooDeep(() => 5, fail)).toBe(5);
  expect(() => unlessTooDeep(endless, fail)).toThrow(new TypeError("it is nested too deeply"));
  expect(() => unlessTooDeep(broken, fail)).toThrow(new SyntaxError("own"));
});
