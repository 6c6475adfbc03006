import type { DiagnosticCode } from "../../../schemas/run/answer.ts";

/** Why an import cannot be had; the caller knows where it stands in the source. */
export interface ImportProblem {
  code: DiagnosticCode;
  message: string;
  hint: string;
}

/** A problem at an offset of the code that was parsed. */
export interface PlacedProblem extends ImportProblem {
  start: number;
}

/** What an import leads to: the id of a module in the bundle, or a problem. */
export type ImportOutcome = { ok: true; id: string } | { ok: false; problem: ImportProblem };

export function importFailure(message: string, hint: string): { ok: false; problem: ImportProblem } {
  return { ok: false, problem: { code: "IMPORT_FAILURE", message, hint } };
}

/** Generated files that are missing, damaged or of another lockfile. */
export function lockDrift(message: string): { ok: false; problem: ImportProblem } {
  return { ok: false, problem: { code: "LOCK_DRIFT", message, hint: "Generate the server packages again." } };
}

/** Names of the author as messages show them: on one line, escaped and of bounded length. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 119)}…` : name);
}
