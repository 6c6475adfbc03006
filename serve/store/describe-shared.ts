import { countOf } from "../../schemas/text/count-of.ts";
import { listSome } from "../../schemas/list-some.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";

/** A key stands for one piece of work. */
export const KEY_REUSED: Diagnostic = {
  severity: "error",
  code: "KEY_REUSED",
  message: "Another script or input was run with this key before.",
  hint: "Give each piece of work a key of its own.",
};

/** A run without an answer: its replica is gone, or the answer was not kept. It never runs again by itself. */
export function describeLost(
  known: { calls: readonly string[]; callCount: number } | undefined,
  hasEnded: boolean,
): Diagnostic {
  const cause = hasEnded
    ? "The run has ended, and its answer was not kept"
    : "The run is lost: the process that ran it is gone";
  const called =
    known === undefined
      ? 'which tools it had called is not known without "serve.storeKey"'
      : known.callCount === 0
        ? "it had called no tool"
        : `it had called: ${listSome([...new Set(known.calls)])} (at least ${countOf(known.callCount, "call")})`;
  return {
    severity: "error",
    code: "RUN_LOST",
    message: `${cause}; ${called}.`,
    hint: "Find out what the script has done so far, then run it again if needed.",
  };
}
