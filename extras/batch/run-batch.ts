import { delay } from "../../engine/clock.ts";
import type { BatchInputs } from "../../engine/run/batch-inputs.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { exitCodeOf, type RunAnswer } from "../../schemas/run/answer.ts";
import { type Integrity, integrityOf } from "../../schemas/lock/integrity.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { OnProgress } from "../../schemas/progress.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { keyOfInput, type BatchResult, toBatchResult } from "./batch-result.ts";
import type { Journal } from "./journal.ts";
import type { BatchInput } from "./read-inputs.ts";

/** A batch: one run of the same script for each input. */
export interface Batch {
  /** Names the batch in the keys of its runs. */
  id: string;
  /** Keeps a result, before its worker takes the next task. */
  keep: KeepResult;
  /** What there is to do for this process. A worker takes the next task when it has ended one. */
  tasks: (signal: AbortSignal) => AsyncGenerator<BatchTask>;
  /** How many there are; undefined where that shows at the end. */
  total?: number | undefined;
  /** What progress without a total says after the number. */
  unit: "done by this process" | "done";
  concurrency: number;
  run: RunInput;
  /** Called whenever one more is done, in the order in which they end. */
  onProgress: OnProgress;
  /** No further input is begun, and what it cuts off is not written down. */
  signal: AbortSignal;
}

/** One input to run. */
interface BatchTask {
  line: number;
  input: JsonValue;
  integrity: Integrity;
  /** Its result, where a journal has it: then it is not run again. */
  known?: BatchResult | undefined;
  /** Takes its result, in the order in which they end. */
  onResult?: (result: BatchResult) => void;
}

/** Keeps the result of an input. What is kept of its run beside that goes. */
export type KeepResult = (result: BatchResult, input: Integrity, answer: RunAnswer) => Promise<void>;

/** Runs the script for the input of a line, with the idempotency key of the run. */
export type RunInput = (input: JsonValue, line: number, key: string) => Promise<RunAnswer>;

/** What a batch came to, as far as this process has run it. */
export interface BatchSummary {
  done: number;
  failed: number;
  /** How many runs are left as they are, and wait for a person; they count as failed. */
  waiting: number;
  /** The first lines whose runs failed. */
  firstFailed: readonly number[];
}

const MAX_LISTED = 20;

/** Runs a batch. Its memory does not grow with the number of inputs. */
export async function runBatch(batch: Batch): Promise<BatchSummary> {
  const { total = 0, unit, signal } = batch;
  const stopping = new AbortController();
  const stopped = AbortSignal.any([signal, stopping.signal]);
  const tasks = batch.tasks(stopped);
  const summary = { done: 0, failed: 0, waiting: 0, firstFailed: [] as number[] };

  const settle = ({ line, onResult }: BatchTask, result: BatchResult): void => {
    const done = (summary.done += 1);
    if (!result.ok) {
      summary.failed += 1;
      summary.firstFailed = [...summary.firstFailed, line].toSorted((left, right) => left - right).slice(0, MAX_LISTED);
    }
    onResult?.(result);
    const text = total === 0 ? `${done} ${unit}` : undefined;
    batch.onProgress({ done, total, failed: summary.failed, ...withoutUndefined({ text }) });
  };
  const run = async (task: BatchTask): Promise<void> => {
    const { line, input, integrity } = task;
    const answer = await batch.run(input, line, keyOfInput(batch.id, line, integrity));
    const result = toBatchResult(line, answer);
    // What the signal has cut off is no result; what ended well before is one.
    if (signal.aborted && !result.ok) return;
    await batch.keep(result, integrity, answer);
    // A durable run that is left as it is, for a person to answer.
    if (exitCodeOf(answer) === 4) summary.waiting += 1;
    settle(task, result);
  };
  const work = async (): Promise<void> => {
    while (!stopped.aborted) {
      const { done, value: task } = await tasks.next();
      if (done === true || stopped.aborted) return;
      if (task.known === undefined) await run(task);
      else settle(task, task.known);
    }
  };
  const stopAll = (error: unknown): never => {
    stopping.abort();
    throw error;
  };

  // What is under way when an input, or what keeps results, fails is finished and kept.
  const works = await Promise.allSettled(Array.from({ length: batch.concurrency }, () => work().catch(stopAll)));
  for (const ended of works) if (ended.status === "rejected") throw ended.reason;
  return summary;
}

/** The inputs of a file or of standard input; `onResult` is called for every input, in their order. */
export async function* tasksOfInputs(
  inputs: AsyncIterable<BatchInput>,
  journal: Pick<Journal, "find">,
  onResult: (result: BatchResult) => void,
  signal: AbortSignal,
): AsyncGenerator<BatchTask> {
  const order = makeOrder(onResult, signal);
  try {
    for await (const { line, input } of inputs) {
      await order.room();
      if (signal.aborted) return;
      const integrity = integrityOf(input, digestText);
      yield { line, input, integrity, known: await journal.find(line, integrity), onResult: order.begin() };
    }
  } catch (error) {
    // Who stops a batch may close its inputs as well.
    if (!signal.aborted) throw error;
  }
}

/** How often a process looks for inputs whose owner has lost its lease, while others finish theirs. */
const POLL_MS = 1_000;

/** The inputs that this process claims in a store, until the batch is finished. */
export async function* tasksOfClaims(
  inputs: Pick<BatchInputs, "claimInputs" | "isFinished">,
  concurrency: number,
  signal: AbortSignal,
): AsyncGenerator<BatchTask> {
  for (let isOver = false; !isOver && !signal.aborted;) {
    const claimed = await inputs.claimInputs(2 * concurrency);
    for (const task of claimed) yield { ...task, integrity: integrityOf(task.input, digestText) };
    if (claimed.length > 0) continue;
    isOver = await inputs.isFinished();
    if (!isOver) await delay(POLL_MS, { signal });
  }
}

/** At most so many results, with so many characters in all, wait for the results of earlier inputs. */
const MAX_AHEAD = 1000;
const MAX_AHEAD_CHARACTERS = 32 * 1024 * 1024;

/** Passes on results in order, and holds back new work while too many of them wait for an earlier one. */
function makeOrder(onResult: (result: BatchResult) => void, signal: AbortSignal) {
  const waiting = new Map<number, { result: BatchResult; size: number }>();
  let begun = 0;
  let passed = 0;
  let characters = 0;
  let letIn = (): void => undefined;
  signal.addEventListener("abort", () => letIn());
  const add = (index: number, result: BatchResult): void => {
    const size = index === passed ? 0 : JSON.stringify(result).length;
    waiting.set(index, { result, size });
    characters += size;
    for (let next = waiting.get(passed); next !== undefined; next = waiting.get(passed)) {
      waiting.delete(passed);
      passed += 1;
      characters -= next.size;
      onResult(next.result);
    }
    letIn();
  };
  return {
    /** The place of the next input: takes its result. */
    begin(): (result: BatchResult) => void {
      const index = begun;
      begun += 1;
      return (result) => add(index, result);
    },
    async room(): Promise<void> {
      while (!signal.aborted && (waiting.size >= MAX_AHEAD || characters > MAX_AHEAD_CHARACTERS))
        await new Promise<void>((go) => (letIn = go));
    },
  };
}
