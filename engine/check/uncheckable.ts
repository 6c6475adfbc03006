import type { Diagnostic } from "../../schemas/run/answer.ts";

const HINT = "Split the expression into statements, and pass large data as input.";

/** What is said of a script that is too much for the checker. */
export const UNCHECKABLE: Diagnostic = {
  severity: "error",
  code: "TYPE_ERROR",
  message: "The types of the script could not be checked: it is nested too deeply, or too large.",
  hint: HINT,
};

/**
 * What is said where the checker's time was over.
 * @param timeoutMs that time, in milliseconds
 */
export function describeLate(timeoutMs: number): Diagnostic {
  return {
    severity: "error",
    code: "TYPE_ERROR",
    message: `The types of the script could not be checked within ${timeoutMs / 1000} s.`,
    hint: `Run it again: the machine may be busy. If that does not help: ${HINT}`,
  };
}
