import { createHash, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { DurableRequest, DurableRuns, ResumeRequest, RunOverview, Step } from "../../engine/run/durable-extra.ts";
import type { Host, RunRequest } from "../../engine/run/host.ts";
import { makePinnedBundler } from "../../engine/run/pinned/pinned-bundler.ts";
import { takeRandomWords } from "../../runtime/sandbox/pool/random-words.ts";
import { type Diagnostic, failedAnswer, type RunAnswer, type RunLimits } from "../../schemas/run/answer.ts";
import type { Approve } from "../../schemas/run/approval.ts";
import type { Bundle } from "../../schemas/run/bundle.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { formatPinnedBundle, lockfileIntegrity, parsePinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import { VERSION } from "../../schemas/version.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { durableRunHeld, durableRunOpen } from "./durable-errors.ts";
import { makeRunQuestions, type RunQuestions } from "./questions.ts";
import { type DurableStore, type OwnedRun, RunTaken } from "./run-store.ts";
import { runSegment } from "./run-segment.ts";
import { DURABLE_VERSION, type DurableRun, overviewOf } from "./steps.ts";

/** How a process runs durably. */
export interface DurableOptions {
  store: DurableStore;
  run: Host["run"];
}

/** A run that this process is at work on. */
interface RunHere {
  questions: RunQuestions;
  cancellation: AbortController;
  outcome: Promise<RunAnswer>;
}

const SUSPEND_AFTER_MS = 10_000;

/** How often a process looks for runs that are to be cancelled, or that no process has. */
const LOOK_EVERY_MS = 2000;

/** Runs scripts so that they survive the end of this process. */
export function makeDurableRuns({ store, run }: DurableOptions): DurableRuns {
  const here = new Map<string, RunHere>();
  let closing: Promise<void> | undefined;
  let isLooking = false;
  const look = setInterval(() => void lookForCancelled().catch(() => undefined), LOOK_EVERY_MS).unref();
  const lookForCancelled = async (): Promise<void> => {
    if (here.size === 0 || isLooking) return;
    isLooking = true;
    try {
      for (const id of await store.cancelled([...here.keys()])) here.get(id)?.cancellation.abort();
    } finally {
      isLooking = false;
    }
  };

  const attend = (request: DurableRequest, first: OwnedRun | undefined): Promise<RunAnswer> => {
    const { suspendAfterMs = SUSPEND_AFTER_MS } = request;
    const questions = makeRunQuestions();
    const cancellation = new AbortController();
    let owned = first;
    const cancelled = joinAborts([cancellation.signal, request.cancel]);
    const signal = joinAborts([request.signal, cancelled]);
    const approval = makeScriptApproval(() => owned?.run.approved);
    const work = async (): Promise<RunAnswer> => {
      for (;;) {
        const end = await runSegment(
          {
            ...{ questions, suspendAfterMs },
            async own(bundle, begun) {
              if (owned !== undefined) return owned;
              const made = makeRun(request, bundle, { ...begun, approved: approval.given() });
              const created = await store.create(made);
              if (created === "held") throw new RunTaken();
              owned = created;
              here.set(made.id, { questions, cancellation, outcome });
              request.onBegun?.(made.id);
              return owned;
            },
          },
          requestOf({ ...request, signal }, owned, approval.wrap),
          run,
        );
        if (owned === undefined) return "answer" in end ? end.answer : failedAnswer([describeLoss(undefined)]);
        if (end.kind === "taken") return giveUp(owned, end.why);
        if (end.kind === "suspended") {
          await request.onSuspended?.(true);
          await waitFor(questions.answered(), end.wakeAt, signal);
          await request.onSuspended?.(false);
          continue;
        }
        if (request.signal?.aborted === true && !cancelled.aborted && isCancelled(end.answer)) return leave(owned);
        const { answer } = end;
        const isOver = end.kind === "ended" || cancelled.aborted;
        const last: Step = isOver ? { kind: "ended", at: Date.now(), answer } : { kind: "blocked", answer };
        try {
          await owned.append([last], true);
        } catch (error) {
          return giveUp(owned, error);
        }
        await owned.release(isOver);
        return answer;
      }
    };
    const outcome = Promise.resolve()
      .then(work)
      .finally(() => owned && here.delete(owned.run.id));
    if (first !== undefined) here.set(first.run.id, { questions, cancellation, outcome });
    return outcome.then((answer) => (owned === undefined ? answer : { ...answer, runId: owned.run.id }));
  };

  const resume: DurableRuns["resume"] = async (id, request) => {
    const overview = await find(id);
    // It goes on with the rights of the client that has begun it, and no others.
    if (overview.client !== request.access.client) throw durableRunUnknown(id);
    const known = here.get(id);
    if (known !== undefined) return { ...(await known.outcome), runId: id };
    if (overview.state === "ended") return { ...(overview.answer as RunAnswer), runId: id };
    const owned = await store.claim(id);
    if (owned === undefined) throw durableRunUnknown(id);
    if (owned === "held") throw durableRunHeld(id);
    return attend({ ...request, script: { name: owned.run.script, code: "" } }, owned);
  };

  /** Waits for the end of a run, and goes on with it where no other process does. */
  const follow = async (id: string, request: ResumeRequest): Promise<RunAnswer> => {
    while (request.signal?.aborted !== true) {
      const stored = here.has(id) ? undefined : await store.read(id);
      if (stored?.isOwned !== true) {
        const answer = await resume(id, request).catch(unlessHeld);
        if (answer !== undefined) return answer;
      }
      await delay(LOOK_EVERY_MS / 4, undefined, { signal: request.signal }).catch(() => undefined);
    }
    return { ...failedAnswer([LEFT]), runId: id };
  };

  const find = async (id: string): Promise<RunOverview> => {
    const stored = await store.read(id);
    if (stored === undefined) throw durableRunUnknown(id);
    return overviewOf(stored);
  };

  const list = async (): Promise<RunOverview[]> => {
    const found = await Promise.all((await store.list()).map((id) => find(id).catch(() => undefined)));
    return found.filter((overview) => overview !== undefined);
  };

  const begin: DurableRuns["begin"] = async (request) => {
      if (request.key === undefined) return attend(request, undefined);
      const id = idOfKey(request);
      const known = await store.read(id);
      if (known === undefined) {
        // Another request with this key may come first.
        const first = await attend(request, undefined).catch(unlessTaken);
        if (first !== undefined) return first;
        return begin(request);
      }
      if (known.run.work !== workOf(request)) return failedAnswer([KEY_REUSED]);
      request.onBegun?.(id);
      return follow(id, request);
  };

  return {
    begin,
    resume,
    find,
    list,
    async steps(id) {
      const stored = await store.read(id);
      if (stored === undefined) throw durableRunUnknown(id);
      return stored.steps;
    },
    async cancel(id) {
      await find(id);
      await store.cancel(id);
      here.get(id)?.cancellation.abort();
      const owned = here.has(id) ? undefined : await store.claim(id);
      if (owned === undefined || owned === "held") return;
      await owned.append([{ kind: "ended", at: Date.now(), answer: failedAnswer([CANCELLED]) }], true);
      await owned.release(true);
    },
    decide: async (id, digest, decision) => here.get(id)?.questions.decide(digest, decision) ?? false,
    async remove(id) {
      if ((await find(id)).state !== "ended") throw durableRunOpen(id);
      await store.remove(id);
      return 1;
    },
    async prune(before) {
      const over = (await list()).filter(({ endedAt }) => endedAt !== undefined && endedAt < before);
      for (const { id } of over) await store.remove(id);
      return over.length;
    },
    watch(resumeAs, onFailure) {
      let isBusy = false;
      const visit = async (): Promise<void> => {
        if (isBusy) return;
        isBusy = true;
        try {
          for (const id of await store.list(true)) {
            if (here.has(id)) continue;
            const stored = await store.read(id);
            if (stored === undefined || stored.isOwned || overviewOf(stored).state === "blocked") continue;
            const request = resumeAs(stored.run.client);
            if (request !== undefined) void resume(id, request).catch(unlessHeld).catch(onFailure);
          }
        } catch (error) {
          onFailure(error);
        } finally {
          isBusy = false;
        }
      };
      void visit();
      const timer = setInterval(() => void visit(), LOOK_EVERY_MS).unref();
      return () => clearInterval(timer);
    },
    close() {
      clearInterval(look);
      return (closing ??= store.close());
    },
  };
}

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof RunTaken)) throw error;
}

/** Another process has taken it in between. */
function unlessHeld(error: unknown): undefined {
  if (!(error instanceof CodemodeError) || error.code !== "RUN_HELD") throw error;
}

/** Of a store that is away for a while the run is free again as soon as that can be said. */
function giveUp(owned: OwnedRun, why: unknown): RunAnswer {
  void owned.release().catch(() => undefined);
  return failedAnswer([describeLoss(why instanceof RunTaken ? undefined : why)]);
}

async function leave(owned: OwnedRun): Promise<RunAnswer> {
  await owned.release();
  return { ...failedAnswer([LEFT]), runId: owned.run.id };
}

function isCancelled({ diagnostics }: RunAnswer): boolean {
  return diagnostics.some(({ code }) => code === "RUN_CANCELLED");
}

/** The request of a further stretch: the script as it was bundled, with the time that is left. */
function requestOf(request: DurableRequest, owned: OwnedRun | undefined, wrap: (approve: Approve) => Approve): RunRequest {
  const { cancel: _cancel, onBegun: _begun, onSuspended: _suspended, ...common } = request;
  const withApproval = { ...common, approve: wrap(common.approve), askOperator: common.askOperator && wrap(common.askOperator) };
  if (owned === undefined) return withApproval;
  const { run, steps } = owned;
  const pinned = parsePinnedBundle(run.pinned, run.script);
  const usedMs = steps.reduce((sum, step) => sum + (step.kind === "suspended" ? step.usedMs : 0), 0);
  return {
    ...withApproval,
    script: { name: pinned.name, code: "" },
    bundler: makePinnedBundler(pinned),
    ...{ input: run.input, key: run.key },
    limits: { ...run.limits, timeoutMs: Math.max(LEAST_MS, run.limits.timeoutMs - usedMs) },
  };
}

/** What a run has at least to go on, in milliseconds: it hears again what it has heard in that time. */
const LEAST_MS = 1000;

/** What a person has said about the script as a whole: said once, before the script runs. */
function makeScriptApproval(before: () => string | undefined) {
  let given: string | undefined;
  return {
    given: () => given,
    wrap:
      (approve: Approve): Approve =>
      async (request) => {
        if (request.call !== undefined || request.starts !== undefined) return approve(request);
        if (before() === request.digest) return "granted";
        const verdict = await approve(request);
        if (verdict === "granted") given = request.digest;
        return verdict;
      },
  };
}

function makeRun(
  request: DurableRequest,
  bundle: Bundle,
  begun: { lockfile: Lockfile; limits: RunLimits; key: string; approved: string | undefined },
): DurableRun {
  const { script, access, input = null } = request;
  const { lockfile, limits, key, approved } = begun;
  const madeBy = new Map([["codemode", VERSION]]);
  return {
    durableVersion: DURABLE_VERSION,
    id: request.id ?? (request.key === undefined ? randomBytes(16).toString("base64url") : idOfKey(request)),
    key,
    work: workOf(request),
    client: access.client,
    pinned: formatPinnedBundle({ name: script.name, bundle, lockfileIntegrity: lockfileIntegrity(lockfile), madeBy }),
    script: script.name,
    ...{ input, limits, approved },
    start: { timeMs: Date.now(), seed: takeRandomWords(4) },
    madeBy: { codemode: VERSION, node: process.version },
    begunAt: Date.now(),
  };
}

/** A key of the caller's is for one run, in each process alike. */
function idOfKey({ access: { client = "" }, key = "" }: DurableRequest): string {
  return createHash("sha256").update(JSON.stringify([client, key])).digest("base64url").slice(0, ID_CHARACTERS);
}

/** 128 bits and more. */
const ID_CHARACTERS = 22;

/** What a run is to do. */
function workOf({ script, input = null }: DurableRequest): string {
  return integrityOf([script.name, script.code, input]);
}

function joinAborts(signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}

/** The longest time that a timer takes, in milliseconds. */
const LONGEST_MS = 0x7fff_ffff;

/** Resolves when the run may go on: a person has answered, the time has come, or the signal is aborted. */
async function waitFor(answered: Promise<void>, wakeAt: number | undefined, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const ms = wakeAt === undefined ? LONGEST_MS : Math.min(Math.max(0, wakeAt - Date.now()), LONGEST_MS);
  const time = delay(ms, undefined, { signal: either }).catch(() => undefined);
  await Promise.race([answered, time]);
  over.abort();
}

function describeLoss(why: unknown): Diagnostic {
  const cause = why instanceof Error ? `What the run does cannot be kept now: ${why.message}` : "Another process goes on with the run.";
  return { severity: "error", code: "RUN_CONTINUES", message: cause, hint: "It goes on by itself. Ask again with its id." };
}

const LEFT: Diagnostic = {
  severity: "error",
  code: "RUN_CONTINUES",
  message: "The run is not over: it is left as it is.",
  hint: "Go on with it by `codemode runs ID --resume`.",
};

const KEY_REUSED: Diagnostic = {
  severity: "error",
  code: "KEY_REUSED",
  message: "Another script or input was run with this key before.",
  hint: "Give each piece of work a key of its own.",
};

const CANCELLED: Diagnostic = {
  severity: "error",
  code: "RUN_CANCELLED",
  message: "The run was cancelled",
  hint: "Do not start it again unasked.",
};
