import { nearestName } from "@codemode/runtime/nearest-name";
import { expect, test } from "vitest";

test.each([
  ["read_file", "readFile", ["write_file", "read_file"]],
  ["read_file", "raed_file", ["write_file", "read_file"]],
  ["limits", "limit", ["policy", "limits"]],
  [undefined, "frobnicate", ["policy", "limits"]],
  ["city", "ctiy", ["country", "city"]],
  [undefined, "a", ["b"]],
  [undefined, "x", []],
  [undefined, "x".repeat(100_000), [`${"x".repeat(100_000)}y`]],
])("%s for %s", (want, name, candidates) => {
  expect(nearestName(name, candidates)).toBe(want);
});
