import { expect, test } from "vitest";
import { programOf } from "../../../engine/run/program-of.ts";
import type { Bundle } from "../../../schemas/run/bundle.ts";

const bundleOf = (code: string, sourcesContent: (string | null)[]): Bundle => ({
  ...{ code, manifest: { tools: [] } },
  map: { version: 3, names: [], sources: ["a.ts", "@codemode/servers/a/tools/b.js"], sourcesContent, mappings: "" },
});

test("a program is what its author has written, with any runtime of codemode", () => {
  const program = programOf(bundleOf("runtime 1; a", ["a", null]));
  expect(programOf(bundleOf("runtime 2; a", ["a", null]))).toBe(program);
  expect(programOf(bundleOf("runtime 1; a", ["b", null]))).not.toBe(program);
});

test("of a bundle without the texts of its modules each byte counts", () => {
  const program = programOf(bundleOf("a", []));
  expect(programOf(bundleOf("a", [null, null]))).toBe(program);
  expect(programOf(bundleOf("b", []))).not.toBe(program);
});
