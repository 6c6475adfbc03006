import { clock, delay } from "../../engine/clock.ts";
import { MAX_DELAY_MS } from "../../runtime/sandbox/pool/timekeeper.ts";
import { listSome } from "../../schemas/list-some.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { foldRun, openQuestions } from "../../schemas/run/fold-run.ts";
import { printQuestionId } from "../../schemas/run/question-id.ts";
import type { OwnedRun } from "./kept-runs.ts";
import type { RunQuestions } from "./questions.ts";

/**
 * Waits between two attempts of a run.
 * @param waitMs how long for a person
 * @returns resolves to whether it goes on in this process
 */
export function makeRest(questions: RunQuestions, waitMs: number, signal: AbortSignal) {
  let until = Infinity;
  return async (restMs = Infinity): Promise<boolean> => {
    const now = clock.now();
    until = questions.open().length === 0 ? Infinity : Math.min(until, now + waitMs);
    const isAnswered = await waitFor(questions.answered(), Math.min(restMs, until - now), signal);
    const goesOn = isAnswered || signal.aborted || until - now >= restMs;
    if (isAnswered) until = Infinity;
    return goesOn;
  };
}

/** Resolves when the run may go on: a person has answered (true), the time has come, or the signal is aborted. */
async function waitFor(answered: Promise<void>, restMs: number, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const ms = Math.min(Math.max(0, restMs), MAX_DELAY_MS);
  const time = delay(ms, { signal: either });
  const isAnswered = await Promise.race([answered.then(() => true), time.then(() => false)]);
  over.abort();
  return isAnswered;
}

/** Of a run whose question no person has answered in time: it is left as it is. */
export function describeUnanswered({ run: { id: run }, steps }: OwnedRun): Diagnostic {
  const ids = openQuestions(foldRun(steps)).map(({ number }) => printQuestionId({ run, number }));
  return {
    severity: "error",
    code: "APPROVAL_REQUIRED",
    message: "The run waits for a person",
    hint: `Answer ${listSome(ids)} by \`codemode approvals ID\`, then go on by \`codemode runs ${run} --resume\`, which asks in a terminal too.`,
  };
}
