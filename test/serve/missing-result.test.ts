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
  const [called] = describeMissingResult(`${code}\nawait main();`, SILENT);
  expect(called?.hint).toContain(/return|=>/.test(code) ? "The value of `main()` is lost" : "export default VALUE");
});

test("a script that sets null, logs, or fails gets no such line", () => {
  const logs = [{ level: "log" as const, message: "done", timeMs: 1 }];
  expect(describeMissingResult("export default null;", SILENT)).toEqual([]);
  expect(describeMissingResult("const a = null; export { a as default };", SILENT)).toEqual([]);
  expect(describeMissingResult("globalThis.__codemode_result__ = null;", SILENT)).toEqual([]);
  expect(describeMissingResult("console.log(1);", { ...SILENT, logs })).toEqual([]);
  expect(describeMissingResult("1;", { ...SILENT, result: 0 })).toEqual([]);
});

const UNAWAITED = { severity: "warning", code: "MISSING_AWAIT", message: "", hint: "" } as const;

test.each([
  ["(async () => {\n  return 1;\n})();", "(async () => { … })()"],
  ["(async function () { return 1; }())", "(async () => { … })()"],
  ["(() => 1)() ; \n\n", "(async () => { … })()"],
  ["async function main() { return 1; }\nmain();", "main()"],
  ["const run = async () => 1;\nawait run();", "run()"],
])("the value of a last call is named at once, also where the call was not awaited: %j", (code, call) => {
  for (const diagnostics of [[], [UNAWAITED]]) {
    const [info] = describeMissingResult(code, { ...SILENT, diagnostics });
    expect(info?.hint).toBe(`The value of \`${call}\` is lost: write \`export default await ${call}\` in its place.`);
  }
});

test.each([
  ["a call of another module's function", 'import { main } from "./main.ts"; const f = () => 1;\nmain()'],
  ["a method of that name", "const main = () => 1;\nlist.main()"],
  ["a call with an argument", "const main = (a) => a;\nmain(1)"],
  ["a call in the middle", "const main = () => 1;\nmain();\nconst b = 2;"],
  ["functions without a value", "function main() {}\nmain();"],
  ["nothing that is called", "const main = () => 1;"],
])("nothing is lost by %s", (_title, code) => {
  expect(describeMissingResult(code, { ...SILENT, diagnostics: [UNAWAITED] })).toEqual([]);
  expect(describeMissingResult(code, SILENT)[0]?.hint).not.toContain("is lost");
});

test("another warning says enough, and a call of something else is not the result", () => {
  const failed = { ...UNAWAITED, code: "TYPE_ERROR" } as const;
  expect(describeMissingResult("(async () => 1)();", { ...SILENT, diagnostics: [failed] })).toEqual([]);
  expect(describeMissingResult("const f = () => 1; list.sort()", { ...SILENT, diagnostics: [UNAWAITED] })).toEqual([]);
});
