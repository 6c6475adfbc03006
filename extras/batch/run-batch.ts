import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { exitCodeOf, type RunAnswer } from "../../schemas/run/answer.ts";
import { integrityOf } from "../../schemas/lock/integrity.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { OnProgress } from "../../schemas/progress.ts";
import { digestText } from "../../runtime/host/digest-text.ts";
import { keyOfInput, type BatchResult, toBatchResult } from "./batch-result.ts";
import type { Journal } from "./journal.ts";
import type { BatchInput } from "./read-inputs.ts";
import { joinSignals } from "../../engine/process/join-signals.ts";
import { setTimeout as delay } from "node:timers/promises";
import type { SharedJournal } from "./claims/shared-journal.ts";

/** A batch: one run of the same script for each input. */
export interface Batch {
  inputs: AsyncIterable<BatchInput>;
  /** How many there are; undefined where that shows at the end. */
  total: number | undefined;
  concurrency: number;
  journal: Journal;
  run: RunInput;
  /** What is kept of a run beside its result goes, as soon as that is in the journal. */
  forget: (answer: RunAnswer) => Promise<void>;
  /** Called for every input, in the order of the inputs. */
  onResult: (result: BatchResult) => void;
  /** Called whenever one more is done, in the order in which they end. */
  onProgress: OnProgress;
  /** No further input is begun, and what it cuts off is not written down. */
  signal: AbortSignal;
}

/** Runs the script for the input of a line, with the idempotency key of the run. */
export type RunInput = (input: JsonValue, line: number, key: string) => Promise<RunAnswer>;

/** What a batch came to. */
export interface BatchSummary {
  done: number;
  failed: number;
  /** How many runs are left as they are, and wait for a person; they count as failed. */
  waiting: number;
  /** The first lines whose runs failed. */
  firstFailed: readonly number[];
}

/** So many results wait for those of earlier inputs at most, and of so many characters. */
const MAX_AHEAD = 1000;
const MAX_AHEAD_CHARACTERS = 32 * 1024 * 1024;
const MAX_LISTED = 20;

/** Runs a batch. What the journal knows is not run again. Its memory does not grow with the number of inputs. */
export async function runBatch(batch: Batch): Promise<BatchSummary> {
  const { journal, total = 0 } = batch;
  const stopping = new AbortController();
  const signal = joinSignals(batch.signal, stopping.signal) ?? stopping.signal;
  const inputs = batch.inputs[Symbol.asyncIterator]();
  const firstFailed: number[] = [];
  const ahead = makeOrder((result) => {
    if (!result.ok && firstFailed.length < MAX_LISTED) firstFailed.push(result.line);
    batch.onResult(result);
  });
  signal.addEventListener("abort", ahead.letIn);
  let begun = 0;
  let done = 0;
  let failed = 0;
  let waiting = 0;

  const settle = (index: number, result: BatchResult): void => {
    done += 1;
    if (!result.ok) failed += 1;
    ahead.add(index, result);
    batch.onProgress({ done, total, failed, ...withoutUndefined({ text: total === 0 ? `${done} done` : undefined }) });
  };

  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      await ahead.room(signal);
      const next = await inputs.next();
      if (next.done === true || signal.aborted) return;
      const index = begun;
      begun += 1;
      const { line, input } = next.value;
      const integrity = integrityOf(input, digestText);
      const known = await journal.find(line, integrity);
      if (known !== undefined) {
        settle(index, known);
        continue;
      }
      const answer = await batch.run(input, line, keyOfInput(journal.batch, line, integrity));
      const result = toBatchResult(line, answer);
      // What the signal has cut off is no result; what ended well before is one.
      if (batch.signal.aborted && !result.ok) return;
      await journal.add(integrity, result);
      await batch.forget(answer);
      if (waitsForPerson(answer)) waiting += 1;
      settle(index, result);
    }
  };
  const stopAll = (error: unknown): void => {
    stopping.abort();
    // Who stops a batch may close its inputs as well.
    if (!batch.signal.aborted) throw error;
  };

  // What is under way when an input or the journal fails is finished and kept.
  const works = await Promise.allSettled(Array.from({ length: batch.concurrency }, () => work().catch(stopAll)));
  for (const ended of works) if (ended.status === "rejected") throw ended.reason;
  return { done, failed, waiting, firstFailed };
}

/** Whether a durable run is left as it is, for a person to answer. */
function waitsForPerson(answer: RunAnswer): boolean {
  return exitCodeOf(answer) === 4;
}

/** Passes on results in order, and holds back new work while too many of them wait for an earlier one. */
function makeOrder(onResult: (result: BatchResult) => void): {
  add: (index: number, result: BatchResult) => void;
  room: (signal: AbortSignal) => Promise<void>;
  letIn: () => void;
} {
  const waiting = new Map<number, { result: BatchResult; size: number }>();
  const held: (() => void)[] = [];
  let passed = 0;
  let characters = 0;
  const letIn = (): void => held.splice(0).forEach((go) => go());
  return {
    letIn,
    add(index, result) {
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
    },
    async room(signal) {
      while (!signal.aborted && (waiting.size >= MAX_AHEAD || characters > MAX_AHEAD_CHARACTERS)) {
        await new Promise<void>((go) => held.push(go));
      }
    },
  };
}

/** The part of one process in a shared batch. */
interface ClaimWork {
  journal: SharedJournal;
  concurrency: number;
  run: RunInput;
  /** As in `Batch`. */
  forget: Batch["forget"];
  /** Called whenever this process has done one more. */
  onProgress: OnProgress;
  /** No further input is begun, and what it cuts off is not written down. */
  signal: AbortSignal;
}

/** How often a process looks for inputs of dead ones while others finish theirs. */
const POLL_MS = 1_000;

/** Claims inputs and runs them until the batch is finished. Gives how many of the runs of this process are left for a person. */
export async function workClaims({
  journal,
  concurrency,
  run,
  forget,
  onProgress,
  signal,
}: ClaimWork): Promise<number> {
  const claimed: { line: number; input: JsonValue }[] = [];
  let claiming: Promise<void> | undefined;
  let isOver = false;
  let done = 0;
  let failed = 0;
  let waiting = 0;

  const keyOf = ({ line, input }: (typeof claimed)[number]): string =>
    keyOfInput(journal.batch, line, integrityOf(input, digestText));
  const claim = async (): Promise<void> => {
    claimed.push(...(await journal.claim(2 * concurrency)));
    if (claimed.length > 0) return;
    isOver = await journal.isFinished();
    if (!isOver) await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  };
  const work = async (): Promise<void> => {
    while (!isOver && !signal.aborted) {
      const next = claimed.shift();
      if (next === undefined) {
        await (claiming ??= claim().finally(() => (claiming = undefined)));
        continue;
      }
      const answer = await run(next.input, next.line, keyOf(next));
      const result = toBatchResult(next.line, answer);
      if (signal.aborted && !result.ok) return;
      // Another process that has taken the input over goes on with the run, or waits for its answer.
      if (await journal.add(result)) await forget(answer);
      if (waitsForPerson(answer)) waiting += 1;
      done += 1;
      if (!result.ok) failed += 1;
      onProgress({ done, total: 0, failed, text: `${done} done by this process` });
    }
  };
  const stop = (error: unknown): never => {
    isOver = true;
    throw error;
  };

  const works = await Promise.allSettled(Array.from({ length: concurrency }, () => work().catch(stop)));
  for (const ended of works) if (ended.status === "rejected") throw ended.reason;
  return waiting;
}
