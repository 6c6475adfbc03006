import { setTimeout as delay } from "node:timers/promises";
import type { DurableRequest, DurableRuns, ResumeRequest } from "../../engine/run/durable-extra.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import type { Host } from "../../engine/run/host.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { KEY_REUSED } from "../../schemas/run/run-key.ts";
import { attend, type DurableWork, LEFT } from "./attend.ts";
import { durableRunHeld, durableRunOpen } from "./durable-errors.ts";
import { idOfKey, workOf } from "./run-identity.ts";
import { type DurableStore, RunTaken } from "./run-store.ts";
import { overviewOf, type StoredRun } from "./steps.ts";
import { LOOK_EVERY_MS, repeat, watchFreeRuns } from "./watch.ts";

/** Runs scripts so that they survive the end of this process. */
export function makeDurableRuns({ store, run }: { store: DurableStore; run: Host["run"] }): DurableRuns {
  const work: DurableWork = { store, run, here: new Map() };
  const { here } = work;
  const cancelling = repeat(() => abortCancelled(work));
  let closing: Promise<void> | undefined;
  const find = async (id: string): Promise<RunOverview> => overviewOf(await read(store, id));
  const list = async (): Promise<RunOverview[]> => {
    const found = await Promise.all((await store.list()).map((id) => find(id).catch(() => undefined)));
    return found.filter((overview) => overview !== undefined);
  };
  return {
    ...{ find, list },
    begin: (request) => begin(work, request),
    resume: (id, request) => resume(work, id, request),
    steps: async (id) => (await read(store, id)).steps,
    cancel: (id) => cancel(work, id),
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
    watch: (...options) => watchFreeRuns(work, (id, request) => resume(work, id, request), options),
    close() {
      cancelling.end();
      return (closing ??= store.close());
    },
  };
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

async function begin(work: DurableWork, request: DurableRequest): Promise<RunAnswer> {
  if (request.key === undefined) return attend(work, request, undefined);
  const id = idOfKey(request);
  const known = await work.store.read(id);
  if (known === undefined) {
    // Another request with this key may come first.
    return (await attend(work, request, undefined).catch(unlessTaken)) ?? begin(work, request);
  }
  if (known.run.work !== workOf(request)) return failedAnswer([KEY_REUSED]);
  request.onBegun?.(id);
  return follow(work, id, request);
}

async function resume(work: DurableWork, id: string, request: ResumeRequest): Promise<RunAnswer> {
  const { store, here } = work;
  const overview = overviewOf(await read(store, id));
  // It goes on with the rights of the client that has begun it, and no others.
  if (overview.client !== request.access.client) throw durableRunUnknown(id);
  const known = here.get(id);
  if (known !== undefined) return { ...(await known.outcome), runId: id };
  if (overview.state === "ended") return { ...(overview.answer as RunAnswer), runId: id };
  const owned = await store.claim(id);
  if (owned === undefined) throw durableRunUnknown(id);
  if (owned === "held") throw durableRunHeld(id);
  const [last] = owned.steps.slice(-1);
  if (last?.kind === "ended") {
    // Its process has come to the end in between.
    await owned.release("over");
    return { ...last.answer, runId: id };
  }
  return attend(work, { ...request, script: { name: owned.run.script, code: "" } }, owned);
}

/** Waits for the end of a run, and goes on with it where no other process does. */
async function follow(work: DurableWork, id: string, request: ResumeRequest): Promise<RunAnswer> {
  while (request.signal?.aborted !== true) {
    if (work.here.has(id) || !(await work.store.isOwned(id))) {
      const answer = await resume(work, id, request).catch(unlessHeld);
      if (answer !== undefined) return answer;
    }
    await delay(LOOK_EVERY_MS / 4, undefined, { signal: request.signal }).catch(() => undefined);
  }
  return { ...failedAnswer([LEFT]), runId: id };
}

async function cancel({ store, here }: DurableWork, id: string): Promise<void> {
  // The answer of a run that has ended stays, also where it ends in between.
  if (overviewOf(await read(store, id)).state === "ended") return;
  await store.cancel(id);
  here.get(id)?.cancellation.abort();
  const owned = here.has(id) ? undefined : await store.claim(id);
  if (owned === undefined || owned === "held") return;
  if (owned.steps.at(-1)?.kind !== "ended")
    await owned.append([{ kind: "ended", at: Date.now(), answer: failedAnswer([CANCELLED]) }], true);
  await owned.release("over");
}

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof RunTaken)) throw error;
}

/** Another process has taken it in between. */
function unlessHeld(error: unknown): undefined {
  if (!(error instanceof CodemodeError) || error.code !== "RUN_HELD") throw error;
}

const CANCELLED: Diagnostic = {
  severity: "error",
  code: "RUN_CANCELLED",
  message: "The run was cancelled",
  hint: "Do not start it again unasked.",
};
