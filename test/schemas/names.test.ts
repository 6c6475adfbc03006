import fc from "fast-check";
import { expect, test } from "vitest";
import { ANY_CHARACTER } from "../any-character.ts";
import { isExportNameOf } from "../../schemas/lock/names.ts";
import { assignOperationNames } from "../../schemas/lock/operations.ts";
import { assignServerIds } from "../../schemas/lock/server-ids.ts";

const assignExportNames = (names: readonly string[]) => assignOperationNames(names.map((name) => ({ name })));

test.each([
  ["google-drive", "Google Drive"],
  ["a-b", "--a___b--"],
  ["caf", "café"],
  ["server", "日本"],
])("server id %s for %s", (want, name) => {
  expect(assignServerIds([name])).toEqual([want]);
});

test("equal server ids are numbered in the order of the configuration", () => {
  expect(assignServerIds(["My Server", "my.server", "MY-SERVER"])).toEqual([
    "my-server",
    "my-server--2",
    "my-server--3",
  ]);
});

test.each([
  ["read_file", "read-file"],
  ["_21st_magic", "21st_magic"],
  ["delete_", "delete"],
  ["await_", "await"],
  ["package_", "package"],
  ["eval_", "eval"],
  ["_", ""],
  ["a_b_c", "a.b/c"],
  ["größe", "größe"],
  ["a_b", "a\ufe0fb"],
  ["_", "\u3164"],
  ["_", "\u{323b0}"],
  ["a___b", "a`;\nb"],
  ["__meta____2", "__meta__"],
])("export name %s for %j", (want, name) => {
  expect(assignExportNames([name]).get(name)).toBe(want);
});

test("collisions are numbered in alphabetical order of the tool names, in any order of the list", () => {
  const want = [
    ["a.b", "a_b"],
    ["a/b", "a_b__2"],
    ["a_b", "a_b__3"],
    ["a_b__2", "a_b__2__2"],
  ];
  expect([...assignExportNames(["a_b__2", "a_b", "a/b", "a.b"])]).toEqual(want);
  expect([...assignExportNames(["a/b", "a.b", "a_b__2", "a_b"])]).toEqual(want);
});

test("exports are distinct and legal in a module for all names", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: ANY_CHARACTER, maxLength: 12 })), (names) => {
      const exports = [...assignExportNames(names).values()];
      expect(new Set(exports).size).toBe(names.length);
      // A strict function body refuses every name that a module refuses, but for `await`.
      for (const name of exports) {
        expect(name).not.toBe("await");
        expect(() => new Function(`"use strict"; const ${name} = 0;`)).not.toThrow();
      }
    }),
  );
});

test.each([
  ["a_b", true],
  ["a_b__2", true],
  ["a_b__9", true],
  ["a_b__10", true],
  ["a_b__123456789", true],
  ["a_b__1", false],
  ["a_b__0", false],
  ["a_b__02", false],
  ["a_b__1234567890", false],
  ["a_b__2x", false],
  ["a_b_2", false],
  ["a_c", false],
  ["a_b__", false],
])("%s can be the name of a.b in a lockfile: %s", (exportName, can) => {
  expect(isExportNameOf(exportName, "a.b")).toBe(can);
});
