import type { Diagnostic } from "../../schemas/run/answer.ts";

/** What is said of a script that is too much for the checker. */
export const UNCHECKABLE: Diagnostic = {
  severity: "error",
  code: "TYPE_ERROR",
  message: "The types of the script could not be checked: it is nested too deeply, or too large.",
  hint: "Split the expression into statements, and pass large data as input.",
};
