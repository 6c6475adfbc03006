import { undoByScript } from "./undo-by-script.ts";
import { undoRun } from "./undo-run.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { DurableRequest, DurableRuns, ResumeRequest } from "../../engine/run/durable-extra.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import type { Host } from "../../engine/run/host.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { endOf, foldRun } from "../../schemas/run/fold-run.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import { answerQuestion, hearAnswers, listQuestions, takeAnswers } from "./answers.ts";
import { attend, type DurableWork, LEFT, settle } from "./attend.ts";
import { durableRunHeld, durableRunMoved, durableRunOpen, unlessDamaged } from "./durable-errors.ts";
import { idOfKey, programOf, workOf } from "./run-identity.ts";
import { recordingOf } from "./recording-of.ts";
import { forgetFailure, mayRetry } from "./retry-run.ts";
import { type DurableStore, inTurns, type ListedRun, RunTaken } from "./run-store.ts";
import { type DurableRun, overviewOf, type RunHead, type StoredRun } from "./steps.ts";
import { findMoved, type ServerTargets } from "./targets.ts";

/** Runs scripts so that they survive the end of this process. */
export function makeDurableRuns(given: {
  store: DurableStore;
  run: Host["run"];
  bundle?: Host["bundle"] | undefined;
  /** Where the calls of this process go. */
  targets?: ServerTargets;
  /** As in `DurableWork`. */
  project?: string | undefined;
  key?: DurableWork["key"];
}): DurableRuns {
  const { store } = given;
  const work: DurableWork = { targets: {}, ...given, here: new Map() };
  const { here } = work;
  const cancelling = repeat(() => abortCancelled(work));
  const hearing = repeat(() => hearAnswers(work), HEAR_EVERY_MS);
  let closing: Promise<void> | undefined;
  const find = makeFind(store);
  const list = async (): Promise<RunOverview[]> => {
    const listed = await store.list();
    const headless = listed.filter(({ head }) => head === undefined);
    const look = ({ id }: ListedRun) =>
      readListed(store, id).catch((error: unknown) => overviewOfUnreadable(id, error));
    const read = new Map((await inTurns(headless, look)).map((found, at) => [headless[at]?.id, found]));
    return listed.flatMap(({ id, head }) => (head && toOverview(head)) ?? read.get(id) ?? []);
  };
  const prune = async (before: number): Promise<number> => {
    await store.sweep?.();
    const over = (await list()).filter(({ endedAt }) => endedAt !== undefined && endedAt < before);
    for (const { id } of over) await store.remove(id);
    return over.length;
  };
  return {
    ...{ find, list, prune },
    async begin({ undo, ...request }) {
      if (undo === undefined) return begin(work, request);
      await readEnded(store, undo, request);
      return undoByScript(store, undo, request, (asked) => begin(work, asked));
    },
    resume: (id, request) => resume(work, id, request),
    retry: (id, request) => resume(work, id, request, true),
    recording: async (id) => recordingOf(await read(store, id)),
    undo: (id, plan) => undoRun(store, id, plan),
    steps: async (id) => (await read(store, id)).steps,
    cancel: (id) => cancel(work, id),
    decide: async (id, digest, decision) => (await here.get(id)?.questions.decide({ digest }, decision)) ?? false,
    async questions() {
      const asking = (await list()).filter(({ questions }) => questions.length > 0);
      const stored = await inTurns(asking, ({ id }) => store.read(id));
      const found = await inTurns(stored, async (run) => (run === undefined ? [] : listQuestions(work, run)));
      return found.flat();
    },
    answer: (id, decision, sign) => answerQuestion(work, id, decision, sign),
    async remove(id) {
      const found = await find(id).catch(unlessDamaged);
      if (found !== undefined && found.state !== "ended") throw durableRunOpen(id);
      await store.remove(id);
      return 1;
    },
    watch(...options) {
      const stop = watchFreeRuns(work, (id, request) => resume(work, id, request), options);
      const [, onFailure] = options;
      const pruning = repeat(() => prune(Date.now() - KEPT_MS).then(() => undefined, onFailure), PRUNE_EVERY_MS);
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

function toOverview({ restMs: _rest, ...overview }: RunHead): RunOverview {
  return overview;
}

async function readListed(store: DurableStore, id: string): Promise<RunOverview> {
  const { answer: _answer, ...overview } = await readOverview(store, id);
  return overview;
}

const readOverview = async (store: DurableStore, id: string): Promise<RunOverview> => overviewOf(await read(store, id));

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
    const overview = await readOverview(store, id);
    if (stamp !== undefined) known.set(id, { stamp, overview });
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return overview;
  };
}

/** Of a run that is damaged its id; undefined where it was removed meanwhile. */
function overviewOfUnreadable(id: string, error: unknown): RunOverview | undefined {
  if (!(error instanceof CodemodeError)) throw error;
  if (error.code === "RUN_UNKNOWN") return undefined;
  unlessDamaged(error);
  return { id, key: "", script: "?", begunAt: 0, state: "damaged", calls: 0, questions: [] };
}

async function read(store: DurableStore, id: string): Promise<StoredRun> {
  const stored = await store.read(id);
  if (stored === undefined) throw durableRunUnknown(id);
  return stored;
}

async function abortCancelled({ store, here }: DurableWork): Promise<void> {
  if (here.size === 0) return;
  for (const id of await store.cancelled([...here.keys()])) here.get(id)?.cancellation.abort();
}

async function begin(work: DurableWork, asked: DurableRequest): Promise<RunAnswer> {
  const from = asked.from === undefined ? undefined : await readEnded(work.store, asked.from, asked);
  const request = { ...asked, input: asked.input ?? from?.run.input };
  if (request.key === undefined) return attend(work, request, undefined, from);
  const known = await findKeyed(work.store, request);
  if (known === undefined) {
    // Another request with this key may come first.
    return (await attend(work, request, undefined, from).catch(unlessTaken)) ?? begin(work, request);
  }
  const problem = await findOtherWork(work, known.run, request);
  if (problem !== undefined) return failedAnswer(problem);
  const { id } = known.run;
  request.onBegun?.(id, overviewOf(known).endedAt);
  return follow(work, id, request);
}

/** A run that nothing happens with any more: of the client, and of any client for the operator. */
async function readEnded(store: DurableStore, id: string, { access }: DurableRequest): Promise<StoredRun> {
  const stored = await read(store, id);
  if (access.client !== undefined && stored.run.client !== access.client) throw durableRunUnknown(id);
  if (endOf(stored.steps) === undefined) throw durableRunOpen(id);
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

/** The run of a key; one that an earlier version has begun has its id without a project. */
async function findKeyed(store: DurableStore, request: DurableRequest): Promise<StoredRun | undefined> {
  const known = await store.read(idOfKey(request, store.scope));
  return known ?? (store.scope === undefined ? undefined : store.read(idOfKey(request)));
}

async function resume(work: DurableWork, id: string, request: ResumeRequest, isRetry = false): Promise<RunAnswer> {
  const { store, here } = work;
  const stored = await read(store, id);
  const overview = overviewOf(stored);
  // It goes on with the rights of the client that has begun it, and no others.
  if (overview.client !== request.access.client) throw durableRunUnknown(id);
  const known = here.get(id);
  if (known !== undefined) return { ...(await known.outcome), runId: id };
  const mayGoOn = overview.state !== "ended" || (isRetry && mayRetry(foldRun(stored.steps)));
  if (!mayGoOn) return { ...(overview.answer as RunAnswer), runId: id };
  const owned = await store.claim(id);
  if (owned === undefined) throw durableRunUnknown(id);
  if (owned === "held") throw durableRunHeld(id);
  if (isRetry) await forgetFailure(owned);
  const answer = await settle(owned);
  if (answer !== undefined) return { ...answer, runId: id };
  await takeAnswers(work, owned);
  return attend(work, { ...request, script: { name: owned.run.script, code: "" } }, owned);
}

/** Waits for the end of a run, and goes on with it where no other process does. */
async function follow(work: DurableWork, id: string, request: ResumeRequest): Promise<RunAnswer> {
  let answeredAt = performance.now();
  while (request.signal?.aborted !== true) {
    try {
      const answer = await lookAfter(work, id, request);
      if (answer !== undefined) return answer;
      answeredAt = performance.now();
    } catch (error) {
      // A database that is restarted is away for a while, and the run goes on meanwhile.
      const isAway = error instanceof CodemodeError && error.code === "STORE_UNREACHABLE";
      if (!isAway || performance.now() - answeredAt > AWAY_MS) throw error;
    }
    await delay(LOOK_EVERY_MS / 4, undefined, { signal: request.signal }).catch(() => undefined);
  }
  return { ...failedAnswer([LEFT]), runId: id };
}

/** Goes on with a run that no other process has; undefined where one has it. */
async function lookAfter(work: DurableWork, id: string, request: ResumeRequest): Promise<RunAnswer | undefined> {
  const isHere = work.here.has(id);
  if (!isHere && (await work.store.isOwned(id))) return undefined;
  const left = isHere ? undefined : whyLeft(work, await read(work.store, id));
  if (left !== undefined) return { ...failedAnswer([describeLeft(id, left)]), runId: id };
  return resume(work, id, request).catch(unlessHeld);
}

/** Why a process leaves a run to a person, who can say whether its calls may go where those of this process go; undefined where it need not. */
function whyLeft({ targets }: DurableWork, { run, steps, isOfUnknownProject }: StoredRun): string | undefined {
  if (endOf(steps) !== undefined) return undefined;
  if (isOfUnknownProject === true) return "an earlier version has begun it, and its project is not known";
  const [moved] = findMoved(run.servers, targets);
  return moved === undefined ? undefined : `the calls of its server "${moved}" would go elsewhere than when it began`;
}

function describeLeft(id: string, why: string): Diagnostic {
  const { message, hint } = durableRunMoved(id, why);
  return { ...LEFT, message, hint };
}

async function cancel({ store, here }: DurableWork, id: string): Promise<void> {
  // The answer of a run that has ended stays, also where it ends in between.
  if (overviewOf(await read(store, id)).state === "ended") return;
  await store.cancel(id);
  here.get(id)?.cancellation.abort();
  const owned = here.has(id) ? undefined : await store.claim(id);
  if (owned !== undefined && owned !== "held") await settle(owned);
}

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof RunTaken)) throw error;
}

/** Another process has taken it in between. */
function unlessHeld(error: unknown): undefined {
  if (!(error instanceof CodemodeError) || error.code !== "RUN_HELD") throw error;
}

/** How long a store may be away while a run of another process is waited for. */
const AWAY_MS = 60_000;

/** A run is kept for so long after its end. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** How often a process that watches runs removes what was kept for that long. */
const PRUNE_EVERY_MS = 3_600_000;

/** How often a process looks for runs that are to be cancelled, or that no process has. */
const LOOK_EVERY_MS = 2000;

/** How often a process looks for what people have answered elsewhere, while its runs ask. */
const HEAR_EVERY_MS = 250;

/** The longest wait of a run that cannot be gone on with. */
const LONGEST_WAIT_MS = 300_000;

/** How many runs of others a process works on at a time: with all of them at once each is too slow, and lost again. */
const MOST_AT_ONCE = 4;

/** Does something now and again, one at a time, until `end`. */
function repeat(visit: () => Promise<void>, everyMs: number = LOOK_EVERY_MS): { now(): void; end(): void } {
  let isBusy = false;
  const now = (): void => {
    if (isBusy) return;
    isBusy = true;
    void visit().then(
      () => (isBusy = false),
      () => (isBusy = false),
    );
  };
  now();
  const timer = setInterval(now, everyMs).unref();
  return { now, end: () => clearInterval(timer) };
}

/** Goes on with each run that no process has, some at a time. Runs that wait without a sandbox do not count. */
function watchFreeRuns(
  work: DurableWork,
  resume: (id: string, request: ResumeRequest) => Promise<RunAnswer>,
  [resumeAs, onFailure]: Parameters<DurableRuns["watch"]>,
): () => void {
  const { store, here } = work;
  /** Runs that this process cannot go on with: damaged, of a client that it does not serve, or whose servers are elsewhere. */
  const left = new Set<string>();
  const taken = new Set<string>();
  const working = new Set<string>();
  /** Runs that have failed: each comes after the others, and later each time. */
  const failed = new Map<string, { times: number; from: number }>();
  const isDue = (id: string): boolean => performance.now() >= (failed.get(id)?.from ?? 0);
  const postpone = (id: string): void => {
    const times = (failed.get(id)?.times ?? 0) + 1;
    const waitMs = Math.min(LOOK_EVERY_MS * 2 ** (times - 1), LONGEST_WAIT_MS);
    failed.set(id, { times, from: performance.now() + waitMs });
  };
  const goOn = async (id: string): Promise<void> => {
    const stored = await store.read(id);
    if (stored !== undefined && endOf(stored.steps) !== undefined) return settleFree(store, id);
    const request = resumeAs(stored?.run.client);
    if (request === undefined) return void left.add(id);
    const why = stored && whyLeft(work, stored);
    if (why !== undefined) throw durableRunMoved(id, why);
    const onSuspended: ResumeRequest["onSuspended"] = async (isSuspended) => {
      if (!isSuspended) working.add(id);
      else if (working.delete(id)) looking.now();
      await request.onSuspended?.(isSuspended);
    };
    await resume(id, { ...request, onSuspended });
  };
  const take = async (id: string): Promise<void> => {
    taken.add(id);
    working.add(id);
    let hasGoneOn = false;
    try {
      await goOn(id);
      hasGoneOn = true;
      failed.delete(id);
    } catch (error) {
      const code = error instanceof CodemodeError ? error.code : undefined;
      if (code === "RUN_DAMAGED" || code === "RUN_MOVED") left.add(id);
      // Where another process was faster, or has removed it, nothing is wrong.
      else if (code !== "RUN_HELD" && code !== "RUN_UNKNOWN") postpone(id);
      if (code !== "RUN_HELD" && code !== "RUN_UNKNOWN") onFailure(error);
    }
    taken.delete(id);
    // After a failure it waits for its time: the next look would fail at once.
    if (working.delete(id) && hasGoneOn) looking.now();
  };
  const looking = repeat(async () => {
    if (working.size >= MOST_AT_ONCE) return;
    try {
      const free = (await store.listFree()).filter(
        (id) => !here.has(id) && !taken.has(id) && !left.has(id) && isDue(id),
      );
      free.sort((one, other) => (failed.get(one)?.times ?? 0) - (failed.get(other)?.times ?? 0));
      for (const id of free.slice(0, MOST_AT_ONCE - working.size)) void take(id);
    } catch (error) {
      onFailure(error);
    }
  });
  return looking.end;
}

/** Its process was killed when it had kept the end of the run, and before it could say that to the others. */
async function settleFree(store: DurableStore, id: string): Promise<void> {
  const owned = await store.claim(id);
  if (owned === undefined || owned === "held") return;
  if ((await settle(owned)) === undefined) await owned.release();
}
