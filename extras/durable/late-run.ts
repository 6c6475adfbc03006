import type { Step } from "../../schemas/run/durable-run.ts";
import { type DurableRun, type DurableStore, type OwnedRun, RunTaken } from "./kept-runs.ts";

/** A run in the memory of this process, until it enters its store. */
export interface LateRun extends OwnedRun {
  /**
   * Enters the run into its store, with all that has happened so far, unless it is over. A second call has the outcome of the first.
   * @throws CodemodeError `STORE_UNREACHABLE`
   */
  enter(): Promise<void>;
}

/**
 * Begins a run that enters its store with the first step that must not be lost: a call that may change something, a question, a suspension. A run that ends
 * before that leaves nothing. One that could not enter never does: it ends with this process, and each step that must not be lost fails.
 */
export function beginLate(store: Pick<DurableStore, "create">, run: DurableRun): LateRun {
  const held: Step[] = [];
  let entered: OwnedRun | undefined;
  let entering: Promise<OwnedRun> | undefined;
  let isOver = false;
  const create = async (): Promise<OwnedRun> => {
    const owned = await store.create(run, held);
    if (owned === "held") throw new RunTaken();
    return (entered = owned);
  };
  return {
    run,
    get steps() {
      return entered?.steps ?? held;
    },
    async enter() {
      if (!isOver) entering ??= create();
      await entering;
    },
    async append(steps, isFlushed = false, withinMs) {
      const hold = (): void => void held.push(...steps);
      // What comes while the run enters comes after it.
      if (entering !== undefined)
        return entering.then((owned) => owned.append(steps, isFlushed, withinMs), isFlushed ? undefined : hold);
      hold();
      if (!isFlushed) return undefined;
      entering = create();
      await entering.catch((error: unknown) => {
        held.splice(-steps.length);
        throw error;
      });
    },
    isKept: () => entered !== undefined,
    async closeEntry() {
      isOver = true;
      await entering?.catch(() => undefined);
      return entered !== undefined;
    },
    isCancelled: () => entered?.isCancelled() ?? false,
    assertOwned: () => entered?.assertOwned(),
    release: async (rest) => entered?.release(rest),
  };
}
