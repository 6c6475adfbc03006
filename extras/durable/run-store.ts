import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { clock, every } from "../../engine/clock.ts";
import { writeTogether } from "../../engine/write-together.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { toFileError } from "../../schemas/known-errors.ts";
import type { Step } from "../../schemas/run/durable-run.ts";
import { durableRunHeld } from "./durable-errors.ts";
import type { DurableStore, KeptRun, OwnedRun, Rest, RunHead, StoredRun } from "./kept-runs.ts";
import { headOf } from "./steps.ts";

/** Makes a store and its runs reject with a `CodemodeError` where the folder is read-only, full, or owned by another account. */
export function withFileErrors<Run extends KeptRun>(store: DurableStore<Run>, folder: string): DurableStore<Run> {
  const fail = (error: unknown): never => {
    throw toFileError(error, folder) ?? error;
  };
  const guard = <Part extends object>(part: Part): Part => {
    const guarded = Object.entries(part).map(([name, member]: [string, unknown]) => {
      if (typeof member !== "function") return [name, member] as const;
      const call = (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, part, args);
        return result instanceof Promise ? result.then(guardOwned, fail) : result;
      };
      return [name, call] as const;
    });
    return Object.fromEntries(guarded) as Part;
  };
  const guardOwned = (value: unknown): unknown =>
    typeof value === "object" && value !== null && "append" in value ? guard(value) : value;
  return guard(store);
}

/** @throws CodemodeError `RUN_UNKNOWN`, `RUN_DAMAGED` */
export async function readRun<Run extends KeptRun>(
  store: Pick<DurableStore<Run>, "read">,
  id: string,
): Promise<StoredRun<Run>> {
  const stored = await store.read(id);
  if (stored === undefined) throw durableRunUnknown(id);
  return stored;
}

/** @throws CodemodeError `RUN_UNKNOWN`, `RUN_HELD`, `RUN_DAMAGED` */
export async function claimRun<Run extends KeptRun>(
  store: Pick<DurableStore<Run>, "claim">,
  id: string,
): Promise<OwnedRun<Run>> {
  const owned = await store.claim(id);
  if (owned === undefined) throw durableRunUnknown(id);
  if (owned === "held") throw durableRunHeld(id);
  return owned;
}

/** Gives a claimed run back where what is to be done with it first fails: nothing would go on with it while this process lives. */
export async function orRelease<Value>(owned: OwnedRun, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    await owned.release().catch(() => undefined);
    throw error;
  }
}

/** Files of so many runs are open at a time: a process may not open all of them. */
const MOST_OPEN = 16;

/** Looks at many runs, some at a time, and gives what was found in their order. */
export async function inTurns<Run, Found>(runs: readonly Run[], look: (run: Run) => Promise<Found>): Promise<Found[]> {
  const found: Found[] = [];
  for (let at = 0; at < runs.length; at += MOST_OPEN)
    found.push(...(await Promise.all(runs.slice(at, at + MOST_OPEN).map(look))));
  return found;
}

/**
 * Gives signs of life, and knows until when others hear of this process: by a clock that goes on while the machine sleeps, and by one of this process.
 * They are never set. A process that was silent for too long gives none any more: the others may have taken its runs.
 * @param give gives a sign of life; false where the others have given this process up
 */
export async function startLease(leaseMs: number, give: () => Promise<boolean>) {
  let [given, here] = [-Infinity, -Infinity];
  const isAlive = (): boolean => clock.steady() - given < leaseMs && clock.now() - here < leaseMs;
  const renew = async (): Promise<void> => {
    const begun: [number, number] = [clock.steady(), clock.now()];
    [given, here] = (await give()) ? begun : [-Infinity, -Infinity];
  };
  await renew();
  const end = every(leaseMs / 4, () => isAlive() && renew().catch(() => undefined));
  return { isAlive, end };
}

/** How a store keeps a run that it has claimed. */
interface Keeping<Run extends KeptRun> extends Pick<OwnedRun<Run>, "run" | "steps" | "isCancelled" | "assertOwned"> {
  /** Adds steps to the ones that were kept before, in one call at a time. */
  keep(added: readonly Step[], isFlushed: boolean, before: readonly Step[]): Promise<void>;
  /** Lets others have the run, with its head where that is known. */
  letGo(rest: Rest | undefined, head: RunHead | undefined): Promise<void>;
}

/**
 * A run that was claimed. Steps are kept in their order; steps that come while others are written are kept together. After a failure none is kept: a step
 * would be missing before it.
 */
export function makeOwnedRun<Run extends KeptRun>({ keep, letGo, ...owned }: Keeping<Run>): OwnedRun<Run> {
  const steps = [...owned.steps];
  let failure: { error: unknown } | undefined;
  let last = Promise.resolve();
  const write = writeTogether(async (some: readonly { added: readonly Step[]; isFlushed: boolean }[]) => {
    if (failure !== undefined) throw failure.error;
    const added = some.flatMap((each) => each.added);
    const isFlushed = some.some((each) => each.isFlushed);
    try {
      await keep(added, isFlushed, steps);
    } catch (error) {
      failure = { error };
      throw error;
    }
    steps.push(...added);
  });
  return {
    ...{ ...owned, steps },
    ...{ isKept: () => true, closeEntry: async () => true },
    append(added, isFlushed = false, withinMs) {
      const kept = write({ added: [...added], isFlushed }, withinMs);
      last = kept.catch(() => undefined);
      return kept;
    },
    async release(rest) {
      await last;
      // Of what has failed some may be there all the same: the steps say how it stands.
      await letGo(rest, failure === undefined ? headOf(owned.run, steps, rest) : undefined);
    },
  };
}

/** This process among the owners of runs: it joins when it first claims one, and again when it was silent for too long. To look at runs leaves no trace. */
export function joinWhenNeeded<Owner extends { isAlive(): boolean; leave(): unknown }>(join: () => Promise<Owner>) {
  let latest: Owner | undefined;
  let joining: Promise<Owner> | undefined;
  const joinAgain = async (): Promise<Owner> => {
    await latest?.leave();
    latest = await join();
    return latest;
  };
  return {
    async get(): Promise<Owner> {
      if (latest?.isAlive() === true) return latest;
      joining ??= outsideOfRequests(() => joinAgain().finally(() => (joining = undefined)));
      return joining;
    },
    latest: (): Owner | undefined => latest,
  };
}
