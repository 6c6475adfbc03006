import type { DurableHost, DurableRequest, DurableRuns, ResumeRequest } from "../../engine/run/durable-extra.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { endOf, foldRun, wasRefused } from "../../schemas/run/fold-run.ts";
import { answerQuestion, HEAR_EVERY_MS, hearAnswers, readQuestions, takeAnswers } from "./answers.ts";
import { driveRun } from "./drive-run.ts";
import { durableRunOpen, unlessDamaged } from "./durable-errors.ts";
import type { DurableWork } from "./durable-work.ts";
import { RunTaken, type ServerTargets, type StoredRun } from "./kept-runs.ts";
import { makeRunList } from "./list-runs.ts";
import { recordingOf } from "./recording-of.ts";
import { forgetFailure, mayRetry } from "./retry-run.ts";
import { idOfKey } from "./run-identity.ts";
import { findOtherWork, removeRefused } from "./run-of-key.ts";
import { claimRun, orRelease, readRun } from "./run-store.ts";
import { removeEnded, settle, settleFree } from "./settle-run.ts";
import { overviewOf } from "./steps.ts";
import { confirmMoved } from "./targets.ts";
import { undoByScript, undoRun } from "./undo-run.ts";
import { followRun, repeat, watchFreeRuns } from "./watch-free-runs.ts";

/** Runs scripts so that they survive the end of this process. */
export function makeDurableRuns(
  given: DurableHost &
    Pick<DurableWork, "project" | "key" | "store"> & {
      /** Where the calls of this process go. */
      targets?: ServerTargets;
    },
): DurableRuns {
  const { store, lockfile, run = refuseToRun, ...parts } = given;
  const work: DurableWork = { store, targets: {}, ...parts, run, here: new Map() };
  const { here } = work;
  const cancelling = repeat(() => abortCancelled(work));
  const hearing = repeat(() => hearAnswers(work), HEAR_EVERY_MS);
  let closing: Promise<void> | undefined;
  const { find, list, prune, pruneOld } = makeRunList(store);
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
  return followRun(work, id, request, resume);
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

/** How often a process that watches runs removes what was kept for long. */
const PRUNE_EVERY_MS = 3_600_000;
