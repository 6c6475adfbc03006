import type { Diagnostic } from "../../../schemas/run/answer.ts";
import { toDiagnostic } from "../modules/import-problem.ts";

/** Hints for errors that parsers describe well, but not for authors of scripts. */
const HINTS: [pattern: RegExp, hint: string][] = [
  [/\breturn\b/i, "A script is a module: write `export default VALUE` in place of `return`."],
  [/\blegacy comments\b/i, "Put spaces between the operators, such as `< ! --`, or write the comment with `//`."],
];

/** True for what parsers and tree walks throw where the code is nested deeper than the stack allows. */
export function isTooDeep(error: unknown): boolean {
  return String((error as { message?: unknown } | undefined)?.message).includes("Maximum call stack size exceeded");
}

export function tooDeepError(): Diagnostic {
  return syntaxError("The code is nested too deeply.", undefined, "Split the expression into statements.");
}

/** A syntax error in the author's source. `path` is absent only where no parser gave a place. */
export function syntaxError(message: string, path: string | undefined, help?: string | null): Diagnostic {
  const known = HINTS.find(([pattern]) => pattern.test(message))?.[1];
  const hint = known ?? help ?? "Fix the syntax error at that position; the script did not run.";
  return toDiagnostic({ code: "SYNTAX_ERROR", message: message.endsWith(".") ? message : `${message}.`, hint }, path);
}

/** An assignment to an import, or the deletion of one. */
export function constantImport(path: string | undefined): Diagnostic {
  const hint = "Imports are constants: keep the new value in a variable of your own.";
  return syntaxError("An import cannot be assigned to.", path, hint);
}
