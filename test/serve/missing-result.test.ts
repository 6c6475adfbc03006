import { expect, test } from "vitest";
import { describeMissingResult } from "../../schemas/run/missing-result.ts";

const SILENT = { diagnostics: [], result: null, logs: [], toolTrace: [] };

test("an agent whose script sets no result and logs nothing learns how a script answers", () => {
  const [info] = describeMissingResult("await write_file({});", SILENT);
  expect(info).toMatchObject({ severity: "info", code: "RESULT_MISSING" });
  expect(info?.hint).toContain("export default");
});

test("a script that sets null, logs, or fails gets no such line", () => {
  const logs = [{ level: "log" as const, message: "done", timeMs: 1 }];
  expect(describeMissingResult("export default null;", SILENT)).toEqual([]);
  expect(describeMissingResult("const a = null; export { a as default };", SILENT)).toEqual([]);
  expect(describeMissingResult("globalThis.__codemode_result__ = null;", SILENT)).toEqual([]);
  expect(describeMissingResult("console.log(1);", { ...SILENT, logs })).toEqual([]);
  expect(describeMissingResult("1;", { ...SILENT, result: 0 })).toEqual([]);
});
