import { clock, delay, every } from "../../engine/clock.ts";
import type { DurableRuns, ResumeRequest } from "../../engine/run/durable-extra.ts";
import { CodemodeError, unlessCode } from "../../schemas/codemode-error.ts";
import { type Diagnostic, failedAnswer, type RunAnswer } from "../../schemas/run/answer.ts";
import { mayPass } from "../../schemas/passing-error.ts";
import { AWAY_MS } from "../../engine/while-away.ts";
import { endOf } from "../../schemas/run/fold-run.ts";
import { LEFT, settleFree } from "./settle-run.ts";
import type { DurableWork } from "./durable-work.ts";
import { durableRunMoved } from "./durable-errors.ts";
import type { DurableStore, FreeRun, ServerTargets, StoredRun } from "./kept-runs.ts";
import { readRun } from "./run-store.ts";
import { headOf, waitOf } from "./steps.ts";
import { describeMoved, findMoved } from "./targets.ts";

/** How often a process looks for runs that are to be cancelled, or that no process has. */
const LOOK_EVERY_MS = 2000;

/** The longest wait of a run that cannot be gone on with. */
const LONGEST_WAIT_MS = 300_000;

/** How many runs of others a process works on at a time: with all of them at once each is too slow, and lost again. */
const MOST_AT_ONCE = 4;

/** Does something now and again, one at a time, until `end`. */
export function repeat(visit: () => Promise<void>, everyMs: number = LOOK_EVERY_MS): { now(): void; end(): void } {
  let [isBusy, isOver] = [false, false];
  const look = async (): Promise<void> => {
    if (isBusy || isOver) return;
    isBusy = true;
    await visit().catch(() => undefined);
    isBusy = false;
  };
  const now = (): void => void look();
  now();
  const stop = every(everyMs, look);
  const end = (): void => {
    isOver = true;
    stop();
  };
  return { now, end };
}

/** What a process watches: its store, and the runs that it is at work on. */
interface Watched {
  store: DurableStore;
  targets: ServerTargets;
  here: ReadonlyMap<string, unknown>;
}

/** Goes on with a run in this process, as `resume` of `DurableRuns` does. */
type ResumeRun = (work: DurableWork, id: string, request: ResumeRequest) => Promise<RunAnswer>;

/** Goes on with each run that no process has, some at a time. Runs that wait without a sandbox do not count. */
export function watchFreeRuns(
  work: Watched,
  resume: (id: string, request: ResumeRequest) => Promise<RunAnswer>,
  [resumeAs, onFailure, asksHere = true]: Parameters<DurableRuns["watch"]>,
): () => void {
  const { store, here } = work;
  /** Runs that this process cannot go on with: damaged, of a client that it does not serve, or whose servers are elsewhere. */
  const left = new Set<string>();
  const hasReason = makeReasons(asksHere);
  const taken = new Set<string>();
  const working = new Set<string>();
  /** Runs that have failed: each comes after the others, and later each time. */
  const failed = new Map<string, { times: number; from: number }>();
  const isDue = (id: string): boolean => clock.now() >= (failed.get(id)?.from ?? 0);
  const postpone = (id: string): void => {
    const times = (failed.get(id)?.times ?? 0) + 1;
    const waitMs = Math.min(LOOK_EVERY_MS * 2 ** (times - 1), LONGEST_WAIT_MS);
    failed.set(id, { times, from: clock.now() + waitMs });
  };
  /** Resolves to whether another look may be worth it at once. */
  const goOn = async (run: FreeRun): Promise<boolean> => {
    const { id } = run;
    const stored = await store.read(id);
    // Its process was killed when it had kept the end of the run, and before it could say that to the others.
    if (stored !== undefined && endOf(stored.steps) !== undefined) return settleFree(store, id).then(() => true);
    const request = resumeAs(stored?.run.client);
    if (request === undefined) {
      left.add(id);
      return true;
    }
    const why = stored && whyLeft(work.targets, stored);
    if (why !== undefined) throw durableRunMoved(id, why);
    // Its process was killed while it waited: from now on it has a head.
    if (stored !== undefined && isWaiting(run, stored, asksHere)) return settleFree(store, id).then(() => false);
    const onSuspended: ResumeRequest["onSuspended"] = async (isSuspended) => {
      if (!isSuspended) working.add(id);
      else if (working.delete(id)) looking.now();
      await request.onSuspended?.(isSuspended);
    };
    await resume(id, { ...request, onSuspended });
    return true;
  };
  const take = async (run: FreeRun): Promise<void> => {
    const { id } = run;
    taken.add(id);
    working.add(id);
    let hasGoneOn = false;
    try {
      hasGoneOn = await goOn(run);
      if (hasGoneOn) failed.delete(id);
      else postpone(id);
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
      const free = hasReason(await store.listFree()).filter(
        ({ id }) => !here.has(id) && !taken.has(id) && !left.has(id) && isDue(id),
      );
      free.sort((one, other) => (failed.get(one.id)?.times ?? 0) - (failed.get(other.id)?.times ?? 0));
      for (const run of free.slice(0, MOST_AT_ONCE - working.size)) void take(run);
    } catch (error) {
      onFailure(error);
    }
  });
  return looking.end;
}

/** Why a process does not go on with a run by itself: a person has to confirm that its calls may go to the servers of this process. Undefined where it goes on. */
function whyLeft(targets: ServerTargets, { run, steps }: StoredRun): string | undefined {
  if (endOf(steps) !== undefined) return undefined;
  const moved = findMoved(run.servers, targets);
  return moved.length === 0 ? undefined : describeMoved(moved);
}

/**
 * Tells which runs may go on: a run that does not wait, one for which something has come, and one whose time has come. A time comes by the clock of
 * the wall, or after as long as it was to take since this process has first seen the run: a clock that was set back keeps no run waiting.
 */
export function makeReasons(asksHere: boolean, now: Pick<typeof clock, "wall" | "steady"> = clock) {
  let seen = new Map<string, number>();
  return (runs: readonly FreeRun[]): FreeRun[] => {
    const [wall, steady, before] = [now.wall(), now.steady(), seen];
    seen = new Map();
    const hasTime = ({
      id,
      token,
      wait: { wakeAt = Infinity, restMs = Infinity } = { isAsked: false },
    }: FreeRun): boolean => {
      if (wakeAt === Infinity) return false;
      const rest = `${id} ${token}`;
      const since = before.get(rest) ?? steady;
      seen.set(rest, since);
      return wall >= wakeAt || steady - since >= restMs;
    };
    return runs.filter(
      (run) => run.wait === undefined || run.hasCome === true || isAsked(run, asksHere) || hasTime(run),
    );
  };
}

/** Whether a process that has a way of its own to ask takes a run to put its questions. Without one they are answered where they are: in the log. */
function isAsked({ wait }: FreeRun, asksHere: boolean): boolean {
  return asksHere && wait?.isAsked === true;
}

/** Whether a run of which nothing was known but that no process has only waits. */
function isWaiting({ id, wait: known, hasCome }: FreeRun, { run, steps }: StoredRun, asksHere: boolean): boolean {
  const head = known === undefined && hasCome !== true ? headOf(run, steps, undefined) : undefined;
  const wait = head && waitOf(head);
  return wait !== undefined && !isAsked({ id, wait }, asksHere) && clock.wall() < (wait.wakeAt ?? Infinity);
}

/** Waits for the end of a run, and goes on with it where no other process does. */
export async function followRun(
  work: DurableWork,
  id: string,
  request: ResumeRequest,
  resume: ResumeRun,
): Promise<RunAnswer> {
  let answeredAt = clock.now();
  while (request.signal?.aborted !== true) {
    try {
      const answer = await lookAfter(work, id, request, resume);
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
async function lookAfter(
  work: DurableWork,
  id: string,
  request: ResumeRequest,
  resume: ResumeRun,
): Promise<RunAnswer | undefined> {
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
