import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { findNamed, makeNameMatch } from "../../../schemas/secrets/find-named.ts";

const isWanted = makeNameMatch(["*token", "pass?ord", "Authorization"]);
const found = (value: JsonValue) => findNamed(value, isWanted).map(({ name, value: secret }) => [name, secret]);

describe("under a name", () => {
  test("texts and numbers are found at any depth, of any length", () => {
    expect(
      found({ a: "x", token: "t", b: [{ myToken: 12 }], PASSWORD: { c: ["d", { e: true, f: null, g: "" }] } }),
    ).toEqual([
      ["token", "t"],
      ["myToken", 12],
      ["PASSWORD", "d"],
    ]);
  });

  test("a name below it that is wanted itself is the nearer one", () => {
    expect(found({ token: { x: "a", password: "b" } })).toEqual([
      ["token", "a"],
      ["password", "b"],
    ]);
  });

  test("a credential is found without the scheme before it, too", () => {
    expect(found({ authorization: "Bearer abc" })).toEqual([
      ["authorization", "Bearer abc"],
      ["authorization", "abc"],
    ]);
    expect(found({ authorization: "Bearer " })).toEqual([["authorization", "Bearer "]]);
  });
});

describe("in a text", () => {
  test.each<[string, string[]]>([
    ["Authorization: Bearer abcd", ["abcd"]],
    ["Authorization: Digest  abcd, x", ["abcd"]],
    ["authorization=bearer", ["bearer"]],
    ["https://h/?token=abcd&x=1", ["abcd"]],
    ["token=abcd;token=efgh", ["abcd", "efgh"]],
    ["token = 'two words', x", ["two words"]],
    ["token='no end", ["no end"]],
    ["token=''", []],
    ['{"password": "two words", "x": 1}', ["two words", "two words"]],
    ["{\"token\": 'ab cd'}", ["ab cd"]],
    ['x {\\"token\\":\\"ab\\\\\\"cd\\"}', ['ab\\\\\\"cd', 'ab"cd']],
    ['{"token":"ab\\"cd"}x', ['ab\\"cd', 'ab"cd']],
    ['{"token":"abc\\\\"}x', ["abc\\\\", "abc\\"]],
    ['"token":"no end', ["no end"]],
    ['"token":"ab\\u0063d"', ["ab\\u0063d", "abcd"]],
    ['"token":"abc\\d"', ["abc\\d"]],
    ['token:"Bearer abcd"', ["abcd"]],
    ["my.token: abcd", ["abcd"]],
    ["tokens: abcd", []],
    ["token", []],
    ["token    =    abcd", ["abcd"]],
    ["token     = abcd", []],
    ["token=     abcd", []],
    ["token=<abcd>", []],
    [`${"x".repeat(59)}token=abcd`, ["abcd"]],
    [`${"x".repeat(60)}token=abcd`, []],
    ["token=abc", []],
    ["Basic: token=Basic", ["Basic"]],
    ["a long text before it: Authorization: Bearer abcd", ["abcd"]],
  ])("%s: %j", (text, values) => {
    expect(found([text])).toEqual(values.map((value) => [expect.stringMatching(/./), value]));
  });

  test("a value that was printed up to three times is found as what it means", () => {
    const print = (text: string): string => JSON.stringify(text).slice(1, -1);
    const [once, twice, thrice, more] = [1, 2, 3, 4].map((times) =>
      Array.from({ length: times }).reduce<string>(print, 'ab"c'),
    );
    for (const text of [once, twice, thrice] as string[]) {
      expect(found(`token='${text}'`)).toEqual([
        ["token", text],
        ["token", 'ab"c'],
      ]);
    }
    expect(found(`token='${more}'`)).toEqual([
      ["token", more],
      ["token", 'ab\\"c'],
    ]);
  });

  test("the next name is looked for behind the value", () => {
    expect(found("token=password=abcd password=efgh")).toEqual([
      ["token", "password=abcd"],
      ["password", "efgh"],
    ]);
  });

  test("JSON that is printed is looked into as JSON", () => {
    expect(found(' {"token": [1, "t"]}')).toEqual([
      ["token", 1],
      ["token", "t"],
    ]);
    expect(found(JSON.stringify([{ token: "ab c" }]))).toEqual([
      ["token", "ab c"],
      ["token", "ab c"],
    ]);
    expect(found('{"token": [1, "t"]')).toEqual([]);
    expect(found('x {"token": [1]}')).toEqual([]);
  });

  test("many backslashes and quotes take little time", () => {
    expect(found(`token="${"\\".repeat(100_000)}`)).toHaveLength(2);
    expect(found(`token="${'\\"'.repeat(50_000)}`)).toHaveLength(2);
  });
});

describe("a pattern", () => {
  test("matches names in any case", () => {
    expect(["TOKEN", "my-Token", "token2", "passXord", "passord", "AUTHORIZATION"].map(isWanted)).toEqual([
      ...[true, true, false, true, false, true],
    ]);
    expect(makeNameMatch([])("token")).toBe(false);
  });

  test("is compared with the beginning of a name that is very long, and gives the same verdict again", () => {
    const isLong = makeNameMatch(["a*b"]);
    const long = `a${"x".repeat(300)}b`;
    expect([isLong(long), isLong(long), isLong(`a${"x".repeat(254)}b`), isLong("ab"), isLong("ab")]).toEqual([
      ...[false, false, true, true, true],
    ]);
  });

  test("is compared with more names than are remembered", () => {
    const names = Array.from({ length: 10_010 }, (_, at) => `n${at}`);
    const match = makeNameMatch(["n1000?"]);
    expect(names.filter((name) => match(name))).toHaveLength(10);
    expect(names.filter((name) => match(name))).toHaveLength(10);
  });
});
