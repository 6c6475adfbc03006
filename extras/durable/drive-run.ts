import { clock, delay } from "../../engine/clock.ts";
import type { DurableRequest } from "../../engine/run/durable-extra.ts";
import type { Host, RunRequest } from "../../engine/run/host.ts";
import { joinSignals } from "../../engine/process/join-signals.ts";
import { MAX_DELAY_MS } from "../../runtime/sandbox/pool/timekeeper.ts";
import { unlessCode } from "../../schemas/codemode-error.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import type { ApprovalKey, ApprovalRequest } from "../../schemas/run/approval.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import { parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { foldRun, openQuestions } from "../../schemas/run/fold-run.ts";
import { printQuestionId } from "../../schemas/run/question-id.ts";
import { listSome } from "../../schemas/list-some.ts";
import { takeAnswers } from "./answers.ts";
import { makeRunBundler } from "./changed-tools.ts";
import { makeOpenQuestions, type RunQuestions, unavailable } from "./questions.ts";
import {
  type DurableRun,
  type DurableStore,
  type OwnedRun,
  RunTaken,
  type ServerTargets,
  type StoredRun,
} from "./kept-runs.ts";
import { orRelease } from "./run-store.ts";
import { makeRun, newIdOf, type ReviewedRun } from "./make-run.ts";
import { describeLoss, finish, settle } from "./settle-run.ts";
import { runAttempt, type Attempt } from "./run-attempt.ts";
import { makeScriptApproval } from "./script-approval.ts";
import { createFrom, describeLeft, mayLeave, type TakenOver, takeOver } from "./take-over.ts";
import { beginLate } from "./late-run.ts";
import { clockOf, describeClock, newClock } from "./script-clock.ts";
import type { AttemptEnd } from "./steps.ts";

/** What a process runs durably with, and the runs that it is at work on. */
export interface DurableWork {
  store: DurableStore;
  run: Host["run"];
  /** Absent where nothing is begun. */
  bundle?: Host["bundle"] | undefined;
  targets: ServerTargets;
  /** The folder of the project. */
  project?: string | undefined;
  /** What verifies the answers of the person at this account. */
  key?: Promise<ApprovalKey | undefined> | undefined;
  here: Map<string, RunHere>;
}

/** A run that this process is at work on. */
export interface RunHere {
  client: string | undefined;
  questions: RunQuestions;
  cancellation: AbortController;
  outcome: Promise<RunAnswer>;
  owned(): OwnedRun | undefined;
}

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
  let asked: Parameters<NonNullable<RunRequest["beforeApproval"]>> | undefined;
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
      const beforeApproval: RunRequest["beforeApproval"] = (...script) => void (asked = script);
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

/** The request of a further attempt: the script as it was bundled, with the time that is left. */
function requestOf(
  request: DurableRequest,
  owned: OwnedRun | undefined,
  wrap: ReturnType<typeof makeScriptApproval>["wrap"],
): RunRequest {
  const { mayChange, ...others } = request;
  const { cancel: _cancel, onBegun: _begun, onSuspended: _suspended, waitMs: _wait, from: _from, ...rest } = others;
  const { entersLate: _late, ...common } = rest;
  const withApproval = {
    ...common,
    approve: wrap(common.approve, common.approveInRun),
    askOperator: wrap(common.askOperator ?? unavailable, common.askOperatorInRun),
  };
  if (owned === undefined) return withApproval;
  const { run, steps } = owned;
  const pinned = parsePinnedBundle(run.pinned, run.script);
  const { usedMs } = foldRun(steps);
  return {
    ...withApproval,
    script: { name: pinned.name, code: "" },
    bundler: makeRunBundler(run, pinned, mayChange),
    ...{ input: run.input, key: run.key },
    limits: { ...run.limits, timeoutMs: Math.max(LEAST_MS, run.limits.timeoutMs - usedMs) },
  };
}

/** What a run has at least to go on, in milliseconds: it hears again what it has heard in that time. */
const LEAST_MS = 1000;

/** So many runs wait at a time for a person to allow their script, and of one client. */
const MOST_WAITING = 200;
const MOST_OF_CLIENT = 100;

/** Whether another run may wait: what a client begins is kept until a person answers, also when its process is gone. */
async function mayWait({ store, here }: DurableWork, { access: { client } }: DurableRequest): Promise<boolean> {
  const isOfScript = ({ call }: ApprovalRequest): boolean => call === undefined;
  const waitingHere = [...here.values()].filter(({ questions }) => questions.open().some(isOfScript));
  const heads = (await store.list()).flatMap(({ head }) => head ?? []);
  const left = heads.filter(
    ({ state, questions, calls }) => state === "waiting" && questions.length > 0 && calls === 0,
  );
  const waiting = [...waitingHere, ...left];
  return waiting.length < MOST_WAITING && waiting.filter((each) => each.client === client).length < MOST_OF_CLIENT;
}

/**
 * Waits between two attempts of a run.
 * @param waitMs how long for a person
 * @returns resolves to whether it goes on in this process
 */
function makeRest(questions: RunQuestions, waitMs: number, signal: AbortSignal) {
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
function describeUnanswered({ run: { id: run }, steps }: OwnedRun): Diagnostic {
  const ids = openQuestions(foldRun(steps)).map(({ number }) => printQuestionId({ run, number }));
  return {
    severity: "error",
    code: "APPROVAL_REQUIRED",
    message: "The run waits for a person",
    hint: `Answer ${listSome(ids)} by \`codemode approvals ID\`, then go on by \`codemode runs ${run} --resume\`, which asks in a terminal too.`,
  };
}
