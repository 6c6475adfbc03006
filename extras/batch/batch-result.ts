import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

/** What came of one input. */
export type BatchResult =
  { line: number; ok: true; result: JsonValue } | { line: number; ok: false; diagnostics: readonly Diagnostic[] };

/** What is kept of the answer to one input. */
export function toBatchResult(line: number, { result, diagnostics }: RunAnswer): BatchResult {
  const hasFailed = diagnostics.some(({ severity }) => severity === "error");
  return hasFailed ? { line, ok: false, diagnostics } : { line, ok: true, result };
}
