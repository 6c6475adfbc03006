import type { Step } from "../../engine/run/durable-extra.ts";
import type { DurableRun, StoredRun } from "./steps.ts";

/** Where durable runs are kept. Every function rejects with a `CodemodeError` where the store cannot be used, or a run in it is damaged. */
export interface DurableStore {
  /** Keeps a new run, which is this process's own from the start. `held` where there is one of that id. */
  create(run: DurableRun): Promise<OwnedRun | "held">;
  /**
   * Makes a run this process's own. `held` where another process that is alive has it, or has just taken it; undefined where there is none.
   */
  claim(id: string): Promise<OwnedRun | "held" | undefined>;
  read(id: string): Promise<StoredRun | undefined>;
  /** The ids of all runs, or of those that are not over, the oldest first. */
  list(areOpen?: boolean): Promise<string[]>;
  /** Asks the process that has the run to cancel it. */
  cancel(id: string): Promise<void>;
  /** Which of these runs are to be cancelled. */
  cancelled(ids: readonly string[]): Promise<string[]>;
  /** Removes a run that no process has. */
  remove(id: string): Promise<void>;
  /** Gives all runs of this process back. */
  close(): Promise<void>;
}

/** A run that this process may work on until another process has taken it. */
export interface OwnedRun {
  run: DurableRun;
  /** What has happened so far. */
  readonly steps: readonly Step[];
  /**
   * Adds steps, in the order of the calls of this function. It resolves when they survive the end of this process; with `isFlushed`, that of the
   * machine too. Rejects with a `RunTaken` where another process has the run, and with a `CodemodeError`.
   */
  append(steps: readonly Step[], isFlushed?: boolean): Promise<void>;
  /** Throws a `RunTaken` where this process was silent for so long that another one may have the run. */
  assertOwned(): void;
  /** Lets other processes have it, unless it is over: then none goes on with it. */
  release(isOver?: boolean): Promise<void>;
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
