import { withoutUndefined } from "../../../schemas/json/without-undefined.ts";
import type { Diagnostic, DiagnosticCode } from "../../../schemas/run/answer.ts";

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

/** A module of JSON. The value is text in it: an object literal would take the key `__proto__` for the prototype. */
export function printJsonModule(json: string): string {
  return `export default JSON.parse(${JSON.stringify(json)});\n`;
}

/** Names of the author as messages show them: on one line, escaped and of bounded length. */
export function quote(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 119)}…` : name);
}

export function toDiagnostic({ code, message, hint }: ImportProblem, path: string | undefined): Diagnostic {
  return { severity: "error", code, message, hint, ...withoutUndefined({ path }) };
}

/** The problem with a generated module that cannot be read or parsed, or that imports what it may not. */
export function describeDamage(serverId: string): ImportProblem {
  return lockDrift(`The generated package of the server "${serverId}" is damaged.`).problem;
}
