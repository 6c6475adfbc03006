import { expect, test } from "vitest";
import { toBatchResult } from "../../../extras/batch/batch-result.ts";
import type { Diagnostic, RunAnswer } from "../../../schemas/run/answer.ts";

const answer = (...diagnostics: Diagnostic[]): RunAnswer => ({ logs: [], result: 7, diagnostics, toolTrace: [] });
const ERROR: Diagnostic = { severity: "error", code: "UNCAUGHT_EXCEPTION", message: "x" };
const WARNING: Diagnostic = { severity: "warning", code: "LOCK_DRIFT", message: "y" };

test.each([
  ["its result, where it has no findings", answer(), { line: 3, ok: true, result: 7 }],
  ["its result, where it warns", answer(WARNING), { line: 3, ok: true, result: 7 }],
  [
    "its findings, where one of them is an error",
    answer(WARNING, ERROR),
    { line: 3, ok: false, diagnostics: [WARNING, ERROR] },
  ],
])("of an answer is kept %s", (_name, given, kept) => {
  expect(toBatchResult(3, given)).toEqual(kept);
});
