import { clock, delay } from "../../engine/clock.ts";
import type { DurableRequest, DurableRuns, ResumeRequest } from "../../engine/run/durable-extra.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import { MACHINE } from "../../engine/files.ts";
import type { Host } from "../../engine/run/host.ts";
import { unlessCode } from "../../schemas/codemode-error.ts";
import { mayPass } from "../../schemas/passing-error.ts";
import { AWAY_MS } from "../../engine/while-away.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { endOf, foldRun, wasRefused } from "../../schemas/run/fold-run.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import { answerQuestion, HEAR_EVERY_MS, hearAnswers, readQuestions, takeAnswers } from "./answers.ts";
import { type DurableWork, driveRun } from "./drive-run.ts";
import { LEFT, removeEnded, settle, settleFree } from "./settle-run.ts";
import { durableRunMoved, durableRunOpen, unlessDamaged } from "./durable-errors.ts";
import { programOf } from "../../engine/run/program-of.ts";
import { idOfKey, workOf } from "./run-identity.ts";
import { recordingOf } from "./recording-of.ts";
import { forgetFailure, mayRetry } from "./retry-run.ts";
import {
  type DurableRun,
  type DurableStore,
  type ListedRun,
  type RunHead,
  RunTaken,
  type ServerTargets,
  type StoredRun,
} from "./kept-runs.ts";
import { claimRun, inTurns, orRelease, readRun } from "./run-store.ts";
import { overviewOf } from "./steps.ts";
import { confirmMoved } from "./targets.ts";
import { undoByScript, undoRun } from "./undo-run.ts";
import { LOOK_EVERY_MS, repeat, watchFreeRuns, whyLeft } from "./watch-free-runs.ts";

/** Runs scripts so that they survive the end of this process. */
export function makeDurableRuns(given: {
  store: DurableStore;
  /** Absent where questions are read and answered alone. */
  run?: Host["run"] | undefined;
  bundle?: Host["bundle"] | undefined;
  lockfile?: Host["lockfile"] | undefined;
  /** Where the calls of this process go. */
  targets?: ServerTargets;
  /** As in `DurableWork`. */
  project?: string | undefined;
  key?: DurableWork["key"];
}): DurableRuns {
  const { store, lockfile, run = refuseToRun, ...parts } = given;
  const work: DurableWork = { store, targets: {}, ...parts, run, here: new Map() };
  const { here } = work;
  const cancelling = repeat(() => abortCancelled(work));
  const hearing = repeat(() => hearAnswers(work), HEAR_EVERY_MS);
  let closing: Promise<void> | undefined;
  const find = makeFind(store);
  const list = async (): Promise<RunOverview[]> => {
    const look = async ({ id, head }: ListedRun) => (head === undefined ? readListed(store, id) : toOverview(head));
    return (await inTurns(await store.list(), look)).flatMap((overview) => overview ?? []);
  };
  const prune = async (before: number, mayGo = async (_id: string): Promise<boolean> => true): Promise<number> => {
    await store.sweep?.();
    const over = (await list()).filter(({ endedAt }) => endedAt !== undefined && endedAt < before);
    let removed = 0;
    for (const { id } of over) if ((await mayGo(id)) && (await removeEnded(store, id))) removed += 1;
    return removed;
  };
  const pruneOld = () => prune(clock.wall() - KEPT_MS, (id) => isOld(store, id));
  return {
    ...{ find, list, prune: (before) => prune(before) },
    async begin({ undo, ...request }) {
      if (undo === undefined) return begin(work, request);
      await readEnded(work, undo, request);
      return undoByScript(store, undo, request, { begin: (asked) => begin(work, asked), lockfile: lockfile?.() });
    },
    idOf: (key, client) => idOfKey(key, client, store.scope),
    resume: (id, request) => resume(work, id, request),
    retry: (id, request) => resume(work, id, request, true),
    recording: async (id) => recordingOf(await readRun(store, id)),
    undo: (id, plan) => undoRun(store, id, plan),
    steps: async (id) => (await readRun(store, id)).steps,
    cancel: (id) => cancel(work, id),
    decide: async (id, digest, decision) => (await here.get(id)?.questions.decide({ digest }, decision)) ?? false,
    questions: async (run) => readQuestions(work, run === undefined ? await store.list() : [{ id: run }]),
    answer: (id, decision, proof) => answerQuestion(work, id, decision, proof),
    async remove(id) {
      const head = await store.head(id);
      const found = head?.state === "ended" ? head : await find(id).catch(unlessDamaged);
      if (found === undefined) await store.remove(id);
      else if (found.state !== "ended" || !(await removeEnded(store, id))) throw durableRunOpen(id);
      return 1;
    },
    watch(...options) {
      const stop = watchFreeRuns(work, (id, request) => resume(work, id, request), options);
      const [, onFailure] = options;
      const pruning = repeat(async () => void (await pruneOld().catch(onFailure)), PRUNE_EVERY_MS);
      return () => {
        stop();
        pruning.end();
      };
    },
    close() {
      cancelling.end();
      hearing.end();
      return (closing ??= store.close());
    },
  };
}

async function refuseToRun(): Promise<never> {
  throw new Error("No script runs here.");
}

function toOverview({ restMs: _rest, ...overview }: RunHead): RunOverview {
  return overview;
}

/** Of a run that is damaged its id; undefined where it was removed meanwhile. */
async function readListed(store: DurableStore, id: string): Promise<RunOverview | undefined> {
  try {
    const stored = await store.read(id);
    if (stored === undefined) return undefined;
    const { answer: _answer, ...overview } = overviewOf(stored);
    return overview;
  } catch (error) {
    unlessDamaged(error);
    return { id, key: "", script: "?", begunAt: 0, state: "damaged", calls: 0, questions: [] };
  }
}

/** The state of so many runs is known: the ones that are waited for. */
const MOST_KNOWN = 64;

/** Finds a run, and reads nothing of it while it stands still: callers that wait for it ask all the time. */
function makeFind(store: DurableStore): (id: string) => Promise<RunOverview> {
  const known = new Map<string, { stamp: string; overview: RunOverview }>();
  return async (id) => {
    const stamp = await store.stampOf?.(id);
    const found = known.get(id);
    if (stamp !== undefined && found?.stamp === stamp) return found.overview;
    known.delete(id);
    const overview = overviewOf(await readRun(store, id));
    if (stamp !== undefined) known.set(id, { stamp, overview });
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return overview;
  };
}

async function abortCancelled({ store, here }: DurableWork): Promise<void> {
  const kept = [...here].flatMap(([id, run]) => (run.owned()?.isKept() === true ? id : []));
  if (kept.length === 0) return;
  for (const id of await store.cancelled(kept)) here.get(id)?.cancellation.abort();
}

async function begin(work: DurableWork, asked: DurableRequest): Promise<RunAnswer> {
  const from = asked.from === undefined ? undefined : await readEnded(work, asked.from, asked);
  const request = { ...asked, input: asked.input ?? from?.run.input };
  if (request.key === undefined) return driveRun(work, request, undefined, from);
  const known = await work.store.read(idOfKey(request.key, request.access.client, work.store.scope));
  // Nothing of it has run: its key is free.
  const isRefused = known !== undefined && wasRefused(foldRun(known.steps));
  if (isRefused) await removeRefused(work.store, known.run.id);
  if (known === undefined || isRefused) {
    // Another request with this key may come first.
    return (await driveRun(work, request, undefined, from).catch(unlessTaken)) ?? begin(work, request);
  }
  const problem = await findOtherWork(work, known.run, request);
  if (problem !== undefined) return failedAnswer(problem);
  const { id } = known.run;
  request.onBegun?.(id, overviewOf(known).endedAt);
  return follow(work, id, request);
}

/** Another request with this key may have removed it, and begun another run. */
async function removeRefused(store: DurableStore, id: string): Promise<void> {
  const owned = await store.claim(id);
  if (owned === undefined || owned === "held") return;
  const folded = foldRun(owned.steps);
  await owned.release(folded.end && "over");
  if (wasRefused(folded)) await store.removeOver(id);
}

/** A run that nothing happens with any more: of the client, and of any client for the operator. */
async function readEnded({ store, targets }: DurableWork, id: string, request: DurableRequest): Promise<StoredRun> {
  const { client } = request.access;
  const stored = await readRun(store, id);
  if (client !== undefined && stored.run.client !== client) throw durableRunUnknown(id);
  if (endOf(stored.steps) === undefined) throw durableRunOpen(id);
  await confirmMoved(targets, stored.run, request);
  return stored;
}

/** Why the run of a key is not the one that is asked for; undefined where it is. */
async function findOtherWork(
  { bundle }: DurableWork,
  { work, program }: DurableRun,
  request: DurableRequest,
): Promise<Diagnostic[] | undefined> {
  if (work !== workOf(request)) return [KEY_REUSED];
  if (program === undefined || bundle === undefined) return undefined;
  const outcome = await bundle(request);
  if (!outcome.ok) return [...outcome.diagnostics];
  return programOf(outcome.bundle) === program ? undefined : [KEY_REUSED];
}

async function resume(work: DurableWork, id: string, request: ResumeRequest, isRetry = false): Promise<RunAnswer> {
  const { store, here } = work;
  const stored = await readRun(store, id);
  const overview = overviewOf(stored);
  // It goes on with the rights of the client that has begun it, and no others.
  if (overview.client !== request.access.client) throw durableRunUnknown(id);
  const known = here.get(id);
  if (known !== undefined) return { ...(await known.outcome), runId: id };
  const mayGoOn = overview.state !== "ended" || (isRetry && mayRetry(foldRun(stored.steps)));
  if (!mayGoOn) return { ...(overview.answer as RunAnswer), runId: id };
  if (isRetry) await confirmMoved(work.targets, stored.run, request);
  const owned = await claimRun(store, id);
  if (isRetry) await orRelease(owned, () => forgetFailure(owned));
  const answer = await settle(owned);
  if (answer !== undefined) return { ...answer, runId: id };
  await orRelease(owned, () => takeAnswers(work, owned));
  return driveRun(work, { ...request, script: { name: owned.run.script, code: "" } }, owned);
}

/** Waits for the end of a run, and goes on with it where no other process does. */
async function follow(work: DurableWork, id: string, request: ResumeRequest): Promise<RunAnswer> {
  let answeredAt = clock.now();
  while (request.signal?.aborted !== true) {
    try {
      const answer = await lookAfter(work, id, request);
      if (answer !== undefined) return answer;
      answeredAt = clock.now();
    } catch (error) {
      // A database that is restarted is away for a while, and the run goes on meanwhile.
      if (!mayPass(error) || clock.now() - answeredAt > AWAY_MS) throw error;
    }
    await delay(LOOK_EVERY_MS / 4, { signal: request.signal });
  }
  return { ...failedAnswer([LEFT]), runId: id };
}

/** Goes on with a run that no other process has; undefined where one has it. */
async function lookAfter(work: DurableWork, id: string, request: ResumeRequest): Promise<RunAnswer | undefined> {
  const isHere = work.here.has(id);
  if (!isHere && (await work.store.isOwned(id))) return undefined;
  const left = isHere ? undefined : whyLeft(work.targets, await readRun(work.store, id));
  if (left !== undefined) return { ...failedAnswer([describeLeft(id, left)]), runId: id };
  return resume(work, id, request).catch(unlessCode("RUN_HELD"));
}

function describeLeft(id: string, why: string): Diagnostic {
  const { message, hint } = durableRunMoved(id, why);
  return { ...LEFT, message, hint };
}

async function cancel({ store, here }: DurableWork, id: string): Promise<void> {
  // The answer of a run that has ended stays, also where it ends in between.
  if (overviewOf(await readRun(store, id)).state === "ended") return;
  await store.cancel(id);
  here.get(id)?.cancellation.abort();
  if (!here.has(id)) await settleFree(store, id);
}

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof RunTaken)) throw error;
}

/** Whether a run may be removed unasked: a clock that was set ahead makes no run old, and its key stays spent. */
async function isOld(store: DurableStore, id: string): Promise<boolean> {
  // One that cannot be read keeps no other from going.
  const stored = await store.read(id).catch(unlessDamaged);
  return stored !== undefined && ageOf(stored) >= KEPT_MS;
}

/** How long ago a run began: by the clock of its store, or of this machine since that was started, which is never set. */
function ageOf({ ageMs, run: { begunOn, begunAt } }: StoredRun): number {
  if (ageMs !== undefined) return ageMs;
  return begunOn?.machine === MACHINE ? clock.steady() - begunOn.steadyMs : clock.wall() - begunAt;
}

/** A run is kept for so long after its end. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** How often a process that watches runs removes what was kept for that long. */
const PRUNE_EVERY_MS = 3_600_000;
