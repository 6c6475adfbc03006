import type { JsonValue } from "../../schemas/json/json.ts";
import type { Integrity } from "../../schemas/lock/integrity.ts";

/** A batch of a store, whose inputs many processes claim. */
export interface SharedBatch {
  name: string;
  /** Names the program that runs, as `programOf`, with its limits: another one has batches of its own. */
  program: Integrity;
  /** Whether this process brings the inputs: otherwise the batch has to exist. */
  isEntering: boolean;
}

/** What came of an input that this process has claimed. */
export interface FinishedInput {
  line: number;
  hasFailed: boolean;
  /** JSON. */
  result: string;
  /** The durable run that has it: it is removed in the same step, where it has ended. */
  runId?: string | undefined;
}

/** The inputs of one batch. A database that is away for less than a minute delays these functions, and fails none. */
export interface BatchInputs {
  /** Names the batch in the keys of its runs. */
  readonly batch: string;
  /**
   * Enters all inputs, unless that is done or another process does it. Inputs that failed in a finished batch wait again.
   * @param digest of all inputs; undefined where they can be read once: such a batch is entered once
   * @throws CodemodeError `BATCH_DIFFERS` where the batch has other inputs
   */
  enterInputs(inputs: AsyncIterable<{ line: number; text: string }>, digest: string | undefined): Promise<void>;
  /** Claims up to so many inputs that wait, or whose owner has lost its lease, in the order of their lines. */
  claimInputs(most: number): Promise<{ line: number; input: JsonValue }[]>;
  /** Keeps a result; false where another process has claimed the input since. */
  finishInput(finished: FinishedInput): Promise<boolean>;
  /** Whether all inputs are entered and finished. */
  isFinished(): Promise<boolean>;
  /** How far the batch is, all processes together. The total is undefined until all inputs are entered. */
  stateOf(): Promise<{ total: number | undefined; done: number; failed: number }>;
  /** The text of each result, in the order of the inputs. */
  results(): AsyncIterable<string>;
  /** Gives what is claimed here back. */
  close(): Promise<void>;
}
