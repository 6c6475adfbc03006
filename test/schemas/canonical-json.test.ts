import { expect, test } from "vitest";
import { canonicalJson, sortedJson } from "../../schemas/json/canonical-json.ts";
import { asJson, type JsonValue } from "../../schemas/json/json.ts";

// The wanted text first; from RFC 8785, section 3.2 where it says so.
const cases: [want: string, given: JsonValue][] = [
  ["null", null],
  ["[]", []],
  ["{}", {}],
  ['{"a":1,"b":[true,{}]}', { b: [true, {}], a: 1 }],
  // What is sorted already is printed by the engine: an unsorted level below or beside it must not go with it.
  ['{"a":{"x":1,"y":2}}', { a: { y: 2, x: 1 } }],
  ['{"a":1,"b":{"c":{"x":1,"y":2}}}', { a: 1, b: { c: { y: 2, x: 1 } } }],
  ['[1,{"x":1,"y":2}]', [1, { y: 2, x: 1 }]],
  ['{"a":[[{"x":1,"y":2}]]}', { a: [[{ y: 2, x: 1 }]] }],
  // RFC 8785, 3.2.3: sorted by UTF-16 code units, so the emoji (a surrogate pair) comes before U+FB33.
  [
    '{"\\r":1,"1":2,"\u0080":3,"\u00f6":4,"\u20ac":5,"\u{1f600}":6,"\ufb33":7}',
    { "\u20ac": 5, "\r": 1, "\ufb33": 7, "1": 2, "\u{1f600}": 6, "\u0080": 3, "\u00f6": 4 },
  ],
  // RFC 8785, 3.2.2.3: numbers as ECMAScript prints them.
  [
    "[333333333.3333333,1e+30,4.5,0.002,1e-27]",
    JSON.parse("[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]") as JsonValue,
  ],
];

test.each(cases)("%s", (want, given) => {
  expect(canonicalJson(given)).toBe(want);
});

test("a __proto__ key is data like any other", () => {
  const value = JSON.parse('{"b":1,"__proto__":{"polluted":true}}') as JsonValue;
  expect(canonicalJson(value)).toBe('{"__proto__":{"polluted":true},"b":1}');
});

test("the readable form has the same order, two spaces and a final newline", () => {
  expect(sortedJson({ b: [1, { d: [], c: {} }], a: "x" })).toBe(
    '{\n  "a": "x",\n  "b": [\n    1,\n    {\n      "c": {},\n      "d": []\n    }\n  ]\n}\n',
  );
});

test.each([
  ["tab\tand line\nfeed", "tab\\tand line\\nfeed"],
  ["zero\u200bwidth", "zero\\u200bwidth"],
  ["\u{e0041}tag", "\\udb40\\udc41tag"],
  ["\u0080\u00ad\u202e", "\\u0080\\u00ad\\u202e"],
  ["plain é 😀", "plain é 😀"],
])("the readable form shows invisible characters: %j", (text, shown) => {
  expect(sortedJson({ a: text })).toBe(`{\n  "a": "${shown}"\n}\n`);
  expect(JSON.parse(sortedJson([text]))).toEqual([text]);
});

test.each([
  { a: 1, b: { c: undefined } },
  { b: { c: undefined }, a: 1 },
])("a member without a value is left out, in any order of the keys: %j", (value) => {
  expect(canonicalJson(asJson(value))).toBe('{"a":1,"b":{}}');
});
