import { expect, test } from "vitest";
import { type Diagnostic, exitCodeOf, failedAnswer } from "../../schemas/run/answer.ts";
import { type RecordedEnding, wasCutOff } from "../../schemas/run/recording.ts";

const drift: Diagnostic = { severity: "error", code: "LOCK_DRIFT", message: "" };
const other: Diagnostic = { severity: "error", code: "TYPE_ERROR", message: "" };
const warnings: Diagnostic[] = [
  { ...drift, severity: "warning" },
  { ...other, severity: "info" },
];

test.each<[string, Diagnostic[], number]>([
  ["nothing", [], 0],
  ["warnings of drift", warnings, 0],
  ["an error", [...warnings, other], 1],
  ["drift", [drift], 3],
  ["drift among others", [other, drift, other], 3],
])("the exit code of an answer with %s", (_name, diagnostics, code) => {
  expect(exitCodeOf(failedAnswer(diagnostics))).toBe(code);
});

test("the answer of a script that did not run holds its diagnostics alone", () => {
  expect(failedAnswer([other])).toEqual({ logs: [], result: null, diagnostics: [other], toolTrace: [] });
});

test("a run was cut off by what comes from outside", () => {
  const endings: RecordedEnding[] = [
    ...(["result", "failure", "broken", "cancelled", "timeoutMs", "maxMemoryBytes"] as const),
    ...(["maxLogBytes", "maxToolCalls", "maxResultBytes"] as const),
  ];
  expect(endings.filter(wasCutOff)).toEqual(["broken", "cancelled", "timeoutMs", "maxMemoryBytes"]);
});
