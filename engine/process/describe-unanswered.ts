import type { Diagnostic, DiagnosticCode } from "../../schemas/run/answer.ts";

/** What a process did not get done with a script, in the words of its diagnostic. */
export interface Undone {
  code: DiagnosticCode;
  /** A sentence without its end, such as "The script could not be read". */
  failure: string;
}

const HINT = "Split the expression into statements, and pass large data as input.";

/** What is said of a script that ended the process. */
export function describeTooMuch({ code, failure }: Undone): Diagnostic {
  return { severity: "error", code, message: `${failure}: it is nested too deeply, or too large.`, hint: HINT };
}

/**
 * What is said where the time of the process was over.
 * @param timeoutMs that time, in milliseconds
 */
export function describeLate({ code, failure }: Undone, timeoutMs: number): Diagnostic {
  return {
    severity: "error",
    code,
    message: `${failure} within ${timeoutMs / 1000} s.`,
    hint: `Run it again: the machine may be busy. If that does not help: ${HINT}`,
  };
}
