import { setTimeout as delay } from "node:timers/promises";
import type { Diagnostic, RunAnswer } from "../../schemas/run/answer.ts";
import { DIAGNOSTIC_CODES } from "../../schemas/run/diagnostic-codes.ts";

/** How often a run is tried again, and until when. */
export interface Retrying {
  /** How many further tries there are after the first. */
  retries: number;
  signal: AbortSignal;
  /** Called before each pause. */
  onRetry: (pauseMs: number, answer: RunAnswer) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Runs, and runs again after ever longer pauses while the failure is one that passes. The last answer counts. */
export async function runAgain(
  run: () => Promise<RunAnswer>,
  { retries, signal, onRetry }: Retrying,
): Promise<RunAnswer> {
  for (let tried = 0; ; tried += 1) {
    const answer = await run();
    if (tried >= retries || signal.aborted || !mayPass(answer)) return answer;
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** tried, LONGEST_PAUSE_MS);
    // Runs that failed together do not come back together.
    const pauseMs = Math.round(longest * (0.5 + Math.random() / 2));
    onRetry(pauseMs, answer);
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return answer;
  }
}

/** Whether a run failed only by what passes by itself. */
function mayPass({ diagnostics }: Pick<RunAnswer, "diagnostics">): boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 && errors.every(isPassing);
}

/** A server that was not reached got no call, whether or not the script caught the error. */
function isPassing({ code, errorClass }: Diagnostic): boolean {
  return DIAGNOSTIC_CODES[code] === "retry" || errorClass === "ServerNotFoundError";
}
