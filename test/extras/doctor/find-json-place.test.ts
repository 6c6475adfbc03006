import { expect, test } from "vitest";
import { lineOfPlace } from "../../../extras/doctor/configuration.ts";
import { findJsonError } from "../../../engine/project/config/find-json-error.ts";

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', { words: "comma expected", line: 3, column: 3 }],
  ['{ "a": 1, // why\n}', { line: 1, column: 11 }],
  ['\uFEFF{"a": }', { line: 1, column: 7 }],
  ["", { line: 1, column: 1 }],
])("the first mistake of %j has its place, and no word of the text", (text, expected) => {
  expect(findJsonError(text)).toMatchObject(expected);
});

test("what is JSON has no mistake", () => {
  expect(findJsonError('{"a": [1, "two"]}')).toBeUndefined();
});

const CONFIG = `{
  "limits": {
    "timeoutMs": 1,
    "nonsense": 2
  },
  "policy": {
    "deny": [
      "a",
      5
    ]
  },
  "mcpServers": { "a/b": {} }
}`;

test.each([
  ['"/limits/timeoutMs" must be >= 10', 3],
  ['unknown key "nonsense" in "/limits"', 4],
  ['"/policy/deny/1" must be string', 9],
  ['"/mcpServers/a~1b" lacks "command"', 12],
  ['unknown key "limits" in the configuration', 2],
  ['"/no/such/place" is not valid', undefined],
])("the place in %j has a line", (message, line) => {
  expect(lineOfPlace(CONFIG, message)).toBe(line);
});
