import { setTimeout as delay } from "node:timers/promises";
import type { JsonValue } from "../../../schemas/json/json.ts";
import type { OnProgress } from "../../../schemas/progress.ts";
import type { RunAnswer } from "../../../schemas/run/answer.ts";
import { integrityOf } from "../../../schemas/lock/integrity.ts";
import { digestText } from "../../../runtime/host/digest-text.ts";
import { toBatchResult } from "../batch-result.ts";
import { keyOfInput } from "../input-key.ts";
import type { SharedJournal } from "./shared-journal.ts";

/** The part of one process in a shared batch. */
export interface ClaimWork {
  journal: SharedJournal;
  concurrency: number;
  run: (input: JsonValue, line: number, key: string) => Promise<RunAnswer>;
  /** Called whenever this process has done one more. */
  onProgress: OnProgress;
  /** No further input is begun, and what it cuts off is not written down. */
  signal: AbortSignal;
}

/** How often a process looks for inputs of dead ones while others finish theirs. */
const POLL_MS = 1_000;

/** Claims inputs and runs them until the batch is finished. */
export async function workClaims({ journal, concurrency, run, onProgress, signal }: ClaimWork): Promise<void> {
  const claimed: { line: number; input: JsonValue }[] = [];
  let claiming: Promise<void> | undefined;
  let isOver = false;
  let done = 0;
  let failed = 0;

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
      const result = toBatchResult(next.line, await run(next.input, next.line, keyOf(next)));
      if (signal.aborted) return;
      await journal.add(result);
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
}
