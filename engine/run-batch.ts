import type { RunAnswer } from "../schemas/run/answer.ts";
import { integrityOf } from "../schemas/lock/integrity.ts";
import type { JsonValue } from "../schemas/json/json.ts";
import type { OnProgress } from "../schemas/progress.ts";
import type { BatchResult, Journal } from "./host/batch/journal.ts";
import type { BatchInput } from "./host/batch/read-inputs.ts";

export { NO_JOURNAL, openJournal } from "./host/batch/journal.ts";
export { readInputs } from "./host/batch/read-inputs.ts";
export type { BatchResult };

/** A batch: one run of the same script for each input. */
export interface Batch {
  inputs: readonly BatchInput[];
  concurrency: number;
  journal: Journal;
  run: (input: JsonValue, line: number) => Promise<RunAnswer>;
  /** Called for every input, in the order of the inputs. */
  onResult: (result: BatchResult) => void;
  /** Called whenever one more is done, in the order in which they end. */
  onProgress: OnProgress;
  /** No further input is begun, and what it cuts off is not written down. */
  signal: AbortSignal;
}

/** Runs a batch; gives the lines whose runs failed. What the journal knows is not run again. */
export async function runBatch(batch: Batch): Promise<number[]> {
  const { inputs, journal, signal } = batch;
  const waiting = new Map<number, BatchResult>();
  const failed: number[] = [];
  let begun = 0;
  let done = 0;
  let reported = 0;

  const settle = (index: number, result: BatchResult): void => {
    done += 1;
    if (!result.ok) failed.push(result.line);
    waiting.set(index, result);
    for (let next = waiting.get(reported); next !== undefined; next = waiting.get(reported)) {
      waiting.delete(reported);
      reported += 1;
      batch.onResult(next);
    }
    batch.onProgress({ done, total: inputs.length, failed: failed.length });
  };

  const work = async (): Promise<void> => {
    while (begun < inputs.length && !signal.aborted) {
      const index = begun;
      begun += 1;
      const { line, input } = inputs[index] as BatchInput;
      const integrity = integrityOf(input);
      const known = journal.find(line, integrity);
      if (known !== undefined) {
        settle(index, known);
        continue;
      }
      const result = toResult(line, await batch.run(input, line));
      if (signal.aborted) return;
      await journal.add(integrity, result);
      settle(index, result);
    }
  };

  await Promise.all(Array.from({ length: batch.concurrency }, work));
  return failed.toSorted((left, right) => left - right);
}

function toResult(line: number, { result, diagnostics }: RunAnswer): BatchResult {
  const hasFailed = diagnostics.some(({ severity }) => severity === "error");
  return hasFailed ? { line, ok: false, diagnostics } : { line, ok: true, result };
}
