import { expect, test } from "vitest";
import { describeMissingResult } from "../../schemas/run/missing-result.ts";

const SILENT = { diagnostics: [], result: null, logs: [], toolTrace: [] };

test("an agent whose script sets no result and logs nothing learns how a script answers", () => {
  const [info] = describeMissingResult("await write_file({});", SILENT);
  expect(info).toMatchObject({ severity: "info", code: "RESULT_MISSING" });
  expect(info?.hint).toContain("export default");
});

test.each([
  "export async function main() { return 1; }",
  "export const main = async () => 1;",
  "export function main() {}",
])("a function that is exported and not called is named: %j", (code) => {
  expect(describeMissingResult(code, SILENT)[0]?.hint).toBe("No line calls `main`: add `export default await main()`.");
  expect(describeMissingResult(`${code}\nawait main();`, SILENT)[0]?.hint).toContain("export default VALUE");
});

test("a script that sets null, logs, or fails gets no such line", () => {
  const logs = [{ level: "log" as const, message: "done", timeMs: 1 }];
  expect(describeMissingResult("export default null;", SILENT)).toEqual([]);
  expect(describeMissingResult("const a = null; export { a as default };", SILENT)).toEqual([]);
  expect(describeMissingResult("globalThis.__codemode_result__ = null;", SILENT)).toEqual([]);
  expect(describeMissingResult("console.log(1);", { ...SILENT, logs })).toEqual([]);
  expect(describeMissingResult("1;", { ...SILENT, result: 0 })).toEqual([]);
});
