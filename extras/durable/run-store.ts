import { clock, every } from "../../engine/clock.ts";
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { writeTogether } from "../../engine/write-together.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { toFileError } from "../../schemas/known-errors.ts";
import type { Step } from "../../schemas/run/durable-run.ts";
import { durableRunHeld } from "./durable-errors.ts";
import type { LeftMessage, RunMessage } from "./run-message.ts";
import { type DurableRun, headOf, type KeptRun, type Rest, type RunHead, type StoredRun } from "./steps.ts";

/** Where runs are kept. Every function rejects with a `CodemodeError` where the store cannot be used, or a run in it is damaged. */
export interface DurableStore<Run extends KeptRun = DurableRun> {
  /** The project whose runs these are, where others use the same store. */
  scope?: string | undefined;
  /** Keeps a new run with its first steps, which is this process's own from the start. `held` where there is one of that id. */
  create(run: Run, steps?: readonly Step[]): Promise<OwnedRun<Run> | "held">;
  /**
   * Makes a run this process's own. `held` where another process that is alive has it, or has just taken it; undefined where there is none.
   */
  claim(id: string): Promise<OwnedRun<Run> | "held" | undefined>;
  read(id: string): Promise<StoredRun<Run> | undefined>;
  /** Whether a process that is alive has a run. It reads no journal: callers that wait for a run ask all the time. */
  isOwned(id: string): Promise<boolean>;
  /** Another text after each change of a run, also of its process; undefined where there is none. It reads no journal. */
  stampOf?(id: string): Promise<string | undefined>;
  /** Removes what processes have left that were killed before they had begun a run. */
  sweep?(): Promise<void>;
  /** All runs, the oldest first. It reads no journals: a run that was not let go of has no head. */
  list(): Promise<ListedRun[]>;
  /** The head of one run, as in the list. */
  head(id: string): Promise<RunHead | undefined>;
  /** The runs that could go on and that no process has; runs that do not wait come first, the oldest of them first. It reads no journals either. */
  listFree(): Promise<readonly FreeRun[]>;
  /** Asks the process that has the run to cancel it. */
  cancel(id: string): Promise<void>;
  /** Which of these runs are to be cancelled. */
  cancelled(ids: readonly string[]): Promise<string[]>;
  /** Whether a message can come only from a process with the key of the store. */
  isSealed: boolean;
  /** Leaves a message for a run; false where there is no such run, or too many are there. */
  leave(id: string, message: RunMessage): Promise<boolean>;
  /** What is left for these runs, the oldest first. */
  messages(ids: readonly string[]): Promise<LeftMessage[]>;
  /** Removes messages that were read. */
  discard(messages: readonly LeftMessage[]): Promise<void>;
  /** Removes a run that no process has. */
  remove(id: string): Promise<void>;
  /** Removes a run that its last process has left as `over`; false where there is none, or another process has claimed it since. */
  removeOver(id: string): Promise<boolean>;
  /** Gives all runs of this process back. */
  close(): Promise<void>;
}

export interface ListedRun {
  id: string;
  /** As its last process has left it; absent where one may have it, and where its steps may say more. */
  head?: RunHead | undefined;
}

/** A run that no process has. */
export interface FreeRun {
  id: string;
  /** Counts its claims: another one for each of its rests. */
  token?: number | undefined;
  /** What it waits for; absent where it only waits for a process, and where its steps may say more. */
  wait?: RunWait | undefined;
  /** Whether something has come for it that it does not know of. */
  hasCome?: boolean | undefined;
}

/** What a run waits for: a person, a time, or both. */
export interface RunWait {
  isAsked: boolean;
  /** When it goes on by itself, in milliseconds since the epoch, and how long that was to take. */
  wakeAt?: number | undefined;
  restMs?: number | undefined;
}

/** What a run waits for that rests; undefined where nothing of that is known. */
export function waitOf({ state, questions, wakeAt, restMs }: RunHead): RunWait | undefined {
  const isAsked = questions.length > 0;
  return state === "waiting" && (isAsked || wakeAt !== undefined) ? { isAsked, wakeAt, restMs } : undefined;
}

/** A run that this process may work on until another process has taken it. */
export interface OwnedRun<Run extends KeptRun = DurableRun> {
  run: Run;
  /** What has happened so far. */
  readonly steps: readonly Step[];
  /**
   * Adds steps, in the order of the calls of this function. It resolves when they survive the end of this process; with `isFlushed`, the end of the
   * machine too. With `withinMs` they are kept with the next ones, at the latest after so many milliseconds. Rejects with a `RunTaken` where another
   * process has the run, and with a `CodemodeError`.
   */
  append(steps: readonly Step[], isFlushed?: boolean, withinMs?: number): Promise<void>;
  /** Whether it has entered its store: else it is in the memory of this process alone. */
  isKept(): boolean;
  /** Of a run that is over: it enters its store no more. Resolves to whether it is there, when what may be entering it is done. */
  closeEntry(): Promise<boolean>;
  /** Whether it is to be cancelled, as far as that was said before it was claimed or last added to. */
  isCancelled(): boolean;
  /** Throws a `RunTaken` where this process was silent for so long that another one may have the run. */
  assertOwned(): void;
  /** Lets other processes have it. One that is `over` does not go on, and one that is `blocked` when it is claimed. */
  release(rest?: Rest): Promise<void>;
}

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

/** Another process has the run, or may have it: nothing that this one does for it counts any more. */
export class RunTaken extends Error {
  override readonly name = "RunTaken";

  constructor() {
    super("Another process has taken over the run");
  }
}

/** A process that was not heard of for so long does not own its runs any more, in milliseconds. */
export const LEASE_MS = 10_000;

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
