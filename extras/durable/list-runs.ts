import { clock } from "../../engine/clock.ts";
import { MACHINE } from "../../engine/files.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import { unlessDamaged } from "./durable-errors.ts";
import type { DurableStore, ListedRun, RunHead, StoredRun } from "./kept-runs.ts";
import { inTurns, readRun } from "./run-store.ts";
import { removeEnded } from "./settle-run.ts";
import { overviewOf } from "./steps.ts";

/** A run is kept for so long after its end. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** Makes what finds and lists the runs of a store, and removes runs that ended long ago. */
export function makeRunList(store: DurableStore) {
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
  return { find, list, prune, pruneOld };
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
