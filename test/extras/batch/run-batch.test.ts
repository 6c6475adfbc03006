import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeNoJournal } from "../../../extras/batch/journal.ts";
import { runAgain } from "../../../extras/batch/open-batch-engine.ts";
import { type Batch, runBatch, tasksOfClaims, tasksOfInputs } from "../../../extras/batch/run-batch.ts";
import type { BatchResult } from "../../../extras/batch/batch-result.ts";
import type { Diagnostic, RunAnswer } from "../../../schemas/run/answer.ts";

const answer = (result: number): RunAnswer => ({ logs: [], result, diagnostics: [], toolTrace: [] });
const failure = (...errors: Partial<Diagnostic>[]): RunAnswer => ({
  ...answer(0),
  diagnostics: errors.map((error) => ({ severity: "error", code: "HOST_MEMORY", message: "m", ...error })),
});

async function* countTo(last: number) {
  for (let line = 1; line <= last; line += 1) yield { line, text: String(line), input: line };
}

function makeBatch(
  batch: Partial<Batch>,
  inputs: ReturnType<typeof countTo> = countTo(5000),
  onResult: (result: BatchResult) => void = () => undefined,
): Batch {
  const journal = makeNoJournal();
  return {
    ...{ id: "b", concurrency: 4, unit: "done", onProgress: () => undefined, keep: async () => undefined },
    tasks: (signal) => tasksOfInputs(inputs, journal, onResult, signal),
    run: async (_, line) => answer(line),
    signal: new AbortController().signal,
    ...batch,
  };
}

test("one slow run holds back the results of the others, and then their beginnings", async () => {
  const lines: number[] = [];
  let begun = 0;
  let begunMeanwhile = 0;
  const run = async (_: unknown, line: number): Promise<RunAnswer> => {
    begun += 1;
    if (line > 1) return answer(line);
    // Until no other begins any more.
    while (begunMeanwhile !== begun) {
      begunMeanwhile = begun;
      await delay(10);
    }
    return answer(line);
  };
  const summary = await runBatch(makeBatch({ run }, countTo(5000), ({ line }) => lines.push(line)));
  expect(summary).toEqual({ done: 5000, failed: 0, waiting: 0, firstFailed: [] });
  expect(lines).toEqual(Array.from({ length: 5000 }, (_, index) => index + 1));
  expect(begunMeanwhile).toBeGreaterThan(500);
  expect(begunMeanwhile).toBeLessThan(1100);
});

test("of many failures the first lines are kept, in order", async () => {
  const run = async (_: unknown, line: number) => (line % 2 === 0 ? failure({}) : answer(line));
  const { failed, firstFailed } = await runBatch(makeBatch({ run }));
  expect(failed).toBe(2500);
  expect(firstFailed).toEqual(Array.from({ length: 20 }, (_, index) => 2 * (index + 1)));
});

test("an input that cannot be read ends the batch after the runs that are under way", async () => {
  const lines: number[] = [];
  const inputs = (async function* () {
    yield* countTo(3);
    throw new Error("broken");
  })();
  const run = async (_: unknown, line: number) => delay(20, answer(line));
  const ending = runBatch(makeBatch({ run }, inputs, ({ line }) => lines.push(line)));
  await expect(ending).rejects.toThrow("broken");
  expect(lines).toEqual([1, 2, 3]);
});

test("a failure that passes is tried again after a pause, and any other is not", async () => {
  const { signal } = new AbortController();
  const tries = async (answers: RunAnswer[], retries: number): Promise<[last: RunAnswer, pauses: number]> => {
    let pauses = 0;
    const run = async () => answers.shift() ?? answer(-1);
    return [await runAgain(run, { retries, signal, onRetry: () => (pauses += 1) }), pauses];
  };
  expect(await tries([failure({}), answer(7)], 3)).toEqual([answer(7), 1]);
  expect(await tries([failure({ code: "UNCAUGHT_EXCEPTION", errorClass: "ServerNotFoundError" })], 1)).toEqual([
    answer(-1),
    1,
  ]);
  expect(await tries([failure({}), failure({}), answer(7)], 1)).toEqual([failure({}), 1]);
  // Another server has got a call that may not be made twice.
  const away = failure({ code: "UNCAUGHT_EXCEPTION", errorClass: "ServerNotFoundError" });
  const sent = { ...away, unrepeatable: ["a/pay"] };
  for (const last of [sent, failure({ code: "UNCAUGHT_EXCEPTION" }), failure({}, { code: "POLICY_DENIED" })]) {
    expect(await tries([last], 3)).toEqual([last, 0]);
  }
});

test("a run that ended well just before the signal is in the journal, and one that the signal has cut off is not", async () => {
  const ending = new AbortController();
  const kept: number[] = [];
  const keep = async ({ line }: BatchResult): Promise<void> => void kept.push(line);
  const run = async (_: unknown, line: number): Promise<RunAnswer> => {
    if (line === 1) return new Promise((done) => ending.signal.addEventListener("abort", () => done(failure({}))));
    ending.abort();
    return answer(line);
  };
  await runBatch(makeBatch({ concurrency: 2, signal: ending.signal, keep, run }, countTo(2)));
  expect(kept).toEqual([2]);
});

test("inputs are claimed until the batch is finished, and each result is kept under a key of the batch, line and input", async () => {
  const lines = [[1, 2, 3], [], [4], []];
  const [kept, keys]: [unknown[][], string[]] = [[], []];
  const inputs = {
    claimInputs: async () => (lines.shift() ?? []).map((line) => ({ line, input: line })),
    isFinished: async () => lines.length === 0,
  };
  const summary = await runBatch(
    makeBatch({
      tasks: (signal) => tasksOfClaims(inputs, 2, signal),
      async run(_, line, key) {
        keys.push(key);
        return line === 2 ? failure({}) : answer(line);
      },
      keep: async ({ line, ok }, _, { runId = "none" }) => void kept.push([line, ok, runId]),
    }),
  );
  expect(summary).toEqual({ done: 4, failed: 1, waiting: 0, firstFailed: [2] });
  expect(kept.toSorted(([one], [other]) => Number(one) - Number(other))).toEqual([
    [1, true, "none"],
    [2, false, "none"],
    [3, true, "none"],
    [4, true, "none"],
  ]);
  expect(keys.map((key) => key.split("/").slice(0, 2).join("/")).toSorted()).toEqual(["b/1", "b/2", "b/3", "b/4"]);
});

test.each([
  ["a claim", { claimInputs: async () => Promise.reject(new Error("away")) }, {}],
  ["a result", {}, { keep: async () => Promise.reject(new Error("away")) }],
])("where %s fails the batch ends with that error", async (_, brokenInputs, broken) => {
  const ending = new AbortController();
  const inputs = {
    claimInputs: async () => [{ line: 1, input: 1 }],
    isFinished: async () => false,
    ...brokenInputs,
  };
  const run = async () => {
    ending.abort();
    return answer(1);
  };
  const tasks = (signal: AbortSignal) => tasksOfClaims(inputs, 1, signal);
  await expect(runBatch(makeBatch({ run, signal: ending.signal, tasks, ...broken }))).rejects.toThrow("away");
});
