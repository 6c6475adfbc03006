import { nearestName, nearestTool } from "@codemode/runtime/nearest-name";
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

test.each([
  ["list_dir", "list_directory", ["create_directory", "directory_tree", "list_dir"]],
  [undefined, "list_directory", ["create_directory", "move_directory"]],
  ["readFiles", "read_file", ["write_file", "readFiles"]],
  ["write_file", "wriet_file", ["read_file", "write_file"]],
  ["get_sum", "get_sums", ["set_sums", "get_sum"]],
  ["settings", "setings", ["settings"]],
])("of tools, %s for %s", (want, name, candidates) => {
  expect(nearestTool(name, candidates)).toBe(want);
});
