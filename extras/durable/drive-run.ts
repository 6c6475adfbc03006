import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import { joinSignals } from "../../engine/process/join-signals.ts";
import { unlessCode } from "../../schemas/codemode-error.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import { takeAnswers } from "./answers.ts";
import { requestOf } from "./attempt-request.ts";
import { type DurableWork, mayWait } from "./durable-work.ts";
import { makeOpenQuestions } from "./questions.ts";
import { type DurableRun, type DurableStore, type OwnedRun, RunTaken, type StoredRun } from "./kept-runs.ts";
import { orRelease } from "./run-store.ts";
import { makeRun, newIdOf, type ReviewedRun } from "./make-run.ts";
import { describeLoss, finish, settle } from "./settle-run.ts";
import { describeUnanswered, makeRest } from "./rest-between-attempts.ts";
import { runAttempt, type Attempt } from "./run-attempt.ts";
import { makeScriptApproval } from "./script-approval.ts";
import { createFrom, describeLeft, mayLeave, type TakenOver, takeOver } from "./take-over.ts";
import { beginLate } from "./late-run.ts";
import { clockOf, describeClock, newClock } from "./script-clock.ts";
import type { AttemptEnd } from "./steps.ts";

const SUSPEND_AFTER_MS = 10_000;

/**
 * Runs a script to its end, one attempt after the other.
 * @param first the run that is gone on with; a new one is kept as soon as its script is allowed
 */
export function driveRun(
  work: DurableWork,
  request: DurableRequest,
  first: OwnedRun | undefined,
  from?: StoredRun,
): Promise<RunAnswer> {
  const { store, run, here, targets, project } = work;
  const { waitMs = Infinity, signal } = request;
  const suspendAfterMs = Math.min(request.suspendAfterMs ?? SUSPEND_AFTER_MS, waitMs);
  // One id for all: observers, audit and traces of every attempt name the run as its answer does.
  const id = first?.run.id ?? request.id ?? newIdOf(request, store.scope);
  const [questions, cancellation] = [makeOpenQuestions(), new AbortController()];
  const cancelled = joinSignals(cancellation.signal, request.cancel) ?? cancellation.signal;
  const either = joinSignals(signal, cancelled) ?? cancelled;
  let owned = first;
  let clock = first === undefined ? newClock() : clockOf(first);
  const [mayChange, rest] = [askOnce(request.mayChange), makeRest(questions, waitMs - suspendAfterMs, either)];
  let asked: Parameters<NonNullable<DurableRequest["beforeApproval"]>> | undefined;
  const join = ({ run: { client }, append }: OwnedRun): void => {
    questions.keepBy(append);
    here.set(id, { client, questions, cancellation, outcome, owned: () => owned });
  };
  const keep = async (bundle: Bundle, begun: ReviewedRun, taken?: TakenOver): Promise<OwnedRun> => {
    const made = makeRun({ ...request, id }, bundle, { ...begun, approved: approval.given(), targets, project });
    owned = await enter(store, made, taken, request);
    clock = from === undefined ? newClock() : clockOf(owned);
    join(owned);
    request.onBegun?.(id);
    return owned;
  };
  const own: Attempt["own"] = async (bundle, begun, options) => {
    if (owned !== undefined) return approval.refused(options.audience) ?? owned;
    const taken = from && (await takeOver(from, bundle, begun.lockfile, options));
    if (taken !== undefined && !(await mayLeave(taken, request))) return failedAnswer([describeLeft(taken)]);
    return keep(bundle, begun, taken);
  };
  const approval = makeScriptApproval({
    questions,
    owned: () => owned,
    // What is taken over of another run is known when the script may run.
    begin: async () =>
      asked === undefined || from !== undefined || !(await mayWait(work, request)) ? undefined : keep(...asked),
  });
  const goOn = async (): Promise<RunAnswer> => {
    for (;;) {
      const beforeApproval: DurableRequest["beforeApproval"] = (...script) => void (asked = script);
      const going = { ...request, mayChange, signal: either, runId: () => id, beforeApproval };
      const attempt = requestOf(going, owned, approval.wrap);
      const watched = { onCancelled: () => cancellation.abort(), elapsed: () => clock.elapsed() };
      const end = approval.endOf(await runAttempt({ questions, suspendAfterMs, own, ...watched }, attempt, run));
      if (owned === undefined) return "answer" in end ? end.answer : failedAnswer([describeLoss(undefined)]);
      const again = either.aborted
        ? undefined
        : await claimAgain(work, owned, end).catch(unlessCode("STORE_UNREACHABLE"));
      if (again !== undefined && "logs" in again) return again;
      if (again !== undefined) {
        owned = again;
        questions.keepBy(again.append);
        continue;
      }
      if (end.kind !== "suspended") {
        // What a person says from now on is for another process, or too late.
        questions.keepBy(() => Promise.reject(new RunTaken()));
        const whole = "answer" in end ? { ...end, answer: withWarnings(end.answer, describeClock(clock)) } : end;
        return finish(owned, whole, { isLeft: signal?.aborted === true, isCancelled: cancelled.aborted });
      }
      await request.onSuspended?.(true);
      if (!(await rest(end.restMs))) {
        await owned.release();
        return failedAnswer([describeUnanswered(owned)]);
      }
      await request.onSuspended?.(false);
    }
  };
  const outcome = Promise.resolve()
    .then(goOn)
    .finally(() => owned && here.delete(id));
  if (first !== undefined) join(first);
  return outcome.then((answer) => (owned?.isKept() === true ? { ...answer, runId: owned.run.id } : answer));
}

/** Enters a new run into its store, now or late. A key is for one run of all processes, and what is taken over of another run is kept with it. */
async function enter(
  store: DurableStore,
  made: DurableRun,
  taken: TakenOver | undefined,
  { entersLate, key, from }: DurableRequest,
): Promise<OwnedRun> {
  if (entersLate === undefined || key !== undefined || from !== undefined) return createFrom(store, made, taken);
  const late = beginLate(store, made);
  entersLate(late.enter);
  return late;
}

/** A person is asked once about the same tools: their answer counts until the run ends. */
function askOnce(mayChange: DurableRequest["mayChange"]): DurableRequest["mayChange"] {
  const agreed = new Set<string>();
  return (
    mayChange &&
    (async (tools) => {
      const named = tools.join(" ");
      if (!agreed.has(named) && (await mayChange(tools)) === true) agreed.add(named);
      return agreed.has(named);
    })
  );
}

function withWarnings(answer: RunAnswer, warnings: readonly Diagnostic[]): RunAnswer {
  return warnings.length === 0 ? answer : { ...answer, diagnostics: [...answer.diagnostics, ...warnings] };
}

/**
 * Claims a run again that this process has lost: a process that was silent for a while, for instance because its machine slept, goes on where no other one
 * does. Gives the answer of one that has ended; undefined where nothing was lost, or another process has the run.
 */
async function claimAgain(
  work: DurableWork,
  owned: OwnedRun,
  end: AttemptEnd,
): Promise<OwnedRun | RunAnswer | undefined> {
  if (end.kind !== "taken" || !(end.why instanceof RunTaken) || !owned.isKept()) return undefined;
  await owned.release();
  const again = await work.store.claim(owned.run.id);
  if (again === undefined || again === "held") return undefined;
  const answer = await settle(again);
  // What others have answered meanwhile comes before what is said here from now on.
  if (answer === undefined) await orRelease(again, () => takeAnswers(work, again));
  return answer ?? again;
}
