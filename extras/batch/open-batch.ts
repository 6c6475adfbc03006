import type { readBatchOptions } from "./read-batch-options.ts";
import type { PinnedBundle } from "../../schemas/run/pinned-bundle.ts";
import type { Project } from "../../library/project.ts";
import type { BatchEngine } from "./open-batch-engine.ts";
import type { Invocation } from "../../cli/command.ts";
import type { surveyInputs } from "./read-inputs.ts";
import type { Batch, BatchSummary, KeepResult } from "./run-batch.ts";
import { countOf } from "../../schemas/text/count-of.ts";

/** What a batch is opened with. */
export interface BatchOpening extends ReturnType<typeof readBatchOptions> {
  invocation: Invocation;
  survey: Awaited<ReturnType<typeof surveyInputs>> | undefined;
  project: Project;
  pinned: PinnedBundle;
}

/** A batch that is open: in a file, in a store, or in memory alone. */
export interface OpenBatch extends Pick<Batch, "id" | "tasks" | "total" | "unit"> {
  /** What `--results` prints. */
  results?: AsyncIterable<string> | undefined;
  enter?: (() => Promise<void>) | undefined;
  /** How the results of runs of this engine are kept. */
  keepFor(engine: BatchEngine): Promise<KeepResult>;
  /** How to go on with it, when it is stopped. */
  howOn: string;
  /** Says what came of it; gives the exit code. */
  conclude(summary?: BatchSummary): Promise<number>;
  close(): Promise<void>;
}

export const NOTHING_DONE: BatchSummary = { done: 0, failed: 0, waiting: 0, firstFailed: [] };

/** 4 where what is left waits for a person, and nothing else. */
export function exitCodeOfBatch(failed: number, waiting: number): 0 | 1 | 4 {
  return failed === 0 ? 0 : failed === waiting ? 4 : 1;
}

export const describeWaiting = (count: number): string =>
  `${countOf(count, "run")} ${count === 1 ? "waits" : "wait"} for a person: codemode approvals lists what is asked.`;
