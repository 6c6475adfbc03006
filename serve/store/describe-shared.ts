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
  return {
    severity: "error",
    code: "RUN_LOST",
    message: `${cause}; ${describeCalls(known)}.`,
    hint: "Find out what the script has done so far, then run it again if needed.",
  };
}

/** A run with a key that has failed by no fault of its own, and has called tools: a request with its key gets this answer, and runs nothing. */
export function describeSpent(cause: Diagnostic, known: { calls: readonly string[]; callCount: number }): Diagnostic {
  return {
    severity: "error",
    code: "RUN_LOST",
    message: `${cause.message.replace(/\.$/, "")} (${cause.code}); ${describeCalls(known)}.`,
    hint: "Find out what the script has done so far. This key runs nothing more: run what is left with another key.",
  };
}

function describeCalls(known: { calls: readonly string[]; callCount: number } | undefined): string {
  if (known === undefined) return 'which tools it had called is not known without "serve.storeKey"';
  if (known.callCount === 0) return "it had called no tool";
  return `it had called: ${listSome([...new Set(known.calls)])} (at least ${countOf(known.callCount, "call")})`;
}
