import type { Diagnostic } from "../../schemas/run/answer.ts";
import { sayProcessorTime, TOO_MUCH } from "../process/describe-unanswered.ts";

/** What is said of a script that is too much for the checker: nothing against its types. */
export const UNCHECKABLE = describeIncomplete(`: ${TOO_MUCH}`, "Split large expressions into statements.");

/** The same where the processor time of the check was used up. */
export function describeLate(maxProcessorMs: number): Diagnostic {
  return describeIncomplete(
    ` within ${sayProcessorTime(maxProcessorMs)}`,
    "Give the values with large or recursive types a type of their own, or `any`.",
  );
}

/** The same where the process of the checker does not run. */
export const UNSTARTED = describeIncomplete(
  ": the process that checks them did not start",
  "Run `codemode doctor` on this machine.",
);

function describeIncomplete(why: string, hint: string): Diagnostic {
  return {
    severity: "warning",
    code: "CHECK_INCOMPLETE",
    message: `The types of the script could not be checked${why}.`,
    hint: `The script may be right and can run. ${hint}`,
  };
}
