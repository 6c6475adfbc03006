import { exitCodeOf, type LogEntry, type RunAnswer, printDiagnostic } from "../../schemas/run/answer.ts";
import { describeMissingResult } from "../../schemas/run/missing-result.ts";
import { escapeInvisible } from "../../schemas/json/escape-invisible.ts";
import type { Output } from "./report.ts";

/**
 * Prints what a run answered: the result on stdout, unless it failed, and diagnostics on stderr; as JSON the whole answer on stdout. Invisible characters
 * are printed as escapes: the value is the same, and a terminal takes none for a command.
 * @param code the script, which may set no result
 */
export function showAnswer(answer: RunAnswer, asJson: boolean, output: Output, code?: string): void {
  if (asJson) {
    output.result(escapeInvisible(JSON.stringify(answer, null, 2)));
    return;
  }
  // Log lines alone are no result for a program that reads standard output.
  const missing = code === undefined ? [] : describeMissingResult(code, { ...answer, logs: [] });
  for (const line of [...answer.diagnostics, ...missing].flatMap(printDiagnostic)) output.note(line);
  // A script that failed has no result.
  if (answer.result !== null || exitCodeOf(answer) === 0)
    output.result(escapeInvisible(JSON.stringify(answer.result, null, 2)));
}

/** A script's words may hold what a server sent: what controls a terminal, or turns the order of a line around, is printed as an escape. */
export function printLog({ level, message }: LogEntry): string {
  const harmless = escapeInvisible(message);
  return level === "log" ? harmless : `${level}: ${harmless}`;
}
