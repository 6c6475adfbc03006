import { expect, test } from "vitest";
import { removeJsonProperty } from "../../schemas/json/remove-json-property.ts";

test.each([
  [
    "the first of several lines",
    '{\n  "s": {\n    "a": { "x": 1 },\n    "b": 2\n  }\n}\n',
    '{\n  "s": {\n    "b": 2\n  }\n}\n',
  ],
  ["the last", '{\n  "s": {\n    "b": 2,\n    "a": 1\n  }\n}\n', '{\n  "s": {\n    "b": 2\n  }\n}\n'],
  ["the only one", '{\n  "s": {\n    "a": 1\n  }\n}\n', '{\n  "s": {}\n}\n'],
  ["the first of a line", '{ "s": { "a": 1, "b": 2 } }', '{ "s": { "b": 2 } }'],
  [
    "one between comments",
    '{ "s": {\n  // one\n  "a": 1,\n  // two\n  "b": 2, } }',
    '{ "s": {\n  // one\n  // two\n  "b": 2, } }',
  ],
  [
    "one behind a byte order mark",
    '\uFEFF{\r\n\t"s": {\r\n\t\t"a": 1,\r\n\t\t"b": 2\r\n\t}\r\n}',
    '\uFEFF{\r\n\t"s": {\r\n\t\t"b": 2\r\n\t}\r\n}',
  ],
  ["one that is not there", '{ "s": { "b": 2 } }', '{ "s": { "b": 2 } }'],
])("takes out %s, and leaves every other byte", (_, text, rest) => {
  expect(removeJsonProperty(text, ["s", "a"])).toBe(rest);
});
