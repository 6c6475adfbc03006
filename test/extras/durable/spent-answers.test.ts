import { expect, onTestFinished, test } from "vitest";
import type { CallDecision } from "codemode";
import { answerQuestion, listQuestions, takeAnswers } from "../../../extras/durable/answers.ts";
import type { DurableRun, DurableStore, OwnedRun } from "../../../extras/durable/kept-runs.ts";
import { makeMemory, openMemoryStore } from "../../../extras/durable/stores/memory-store.ts";
import { foldRun } from "../../../schemas/run/fold-run.ts";
import { aRun, create } from "./a-run.ts";
import { allStores } from "./all-stores.ts";

// A program that can write to an encrypted store, and has no key, can put back what it has copied, and cut off the last steps of a log. So a run may ask
// another question under the number of an earlier one, and find the answer to that.

const GRANT: CallDecision = { verdict: "granted" };
const PAY = { kind: "call" as const, call: 1, serverId: "ledger", toolName: "pay", timeMs: 0 };

/** A run that asks about one payment, whose nonce is of this question. */
async function ask(store: DurableStore, entry: string, nonce: string, run: DurableRun = aRun()): Promise<OwnedRun> {
  const owned = await create(store, run);
  const lines = ['- "ledger/pay"', `  "entry": "${entry}"`];
  await owned.append([{ ...PAY, inputJson: JSON.stringify({ entry }) }]);
  await owned.append([{ kind: "asked", about: "call", call: 1, digest: `sha256-${entry}`, nonce, lines }], true);
  return owned;
}

const { stores: STORES } = allStores();

test.each(STORES)(
  "%s: an answer that is put back counts for no other question of the same number, nor for the same one when it is put again",
  async (_, open) => {
    const reopen = await open();
    const [store, other] = [await reopen(), await reopen()];
    onTestFinished(async () => {
      await store.close();
      await other.close();
    });
    const answering = { store, here: new Map() };
    const elsewhere = { store: other, here: new Map() };
    const first = await ask(store, "alice 5 EUR", "one");
    const { run } = first;
    expect(await answerQuestion(elsewhere, `${run.id}.1`, GRANT)).toBe("given");
    const [message] = await store.messages([run.id]);
    if (message === undefined) throw new Error("There is no message.");
    await takeAnswers(answering, first);
    expect(foldRun(first.steps).questions).toMatchObject([{ number: 1, decision: GRANT }]);
    await first.release();

    for (const [entry, nonce] of [
      ["mallory 1000000 EUR", "one"],
      ["alice 5 EUR", "two"],
    ] as const) {
      // As after a cut: the run asks again, with the number from before.
      await store.remove(run.id);
      const again = await ask(store, entry, nonce, run);
      await other.leave(run.id, message.message);
      expect(await listQuestions(answering, { ...again, isOwned: true })).toMatchObject([{ id: `${run.id}.1` }]);
      await takeAnswers(answering, again);
      expect(foldRun(again.steps).questions.map(({ decision }) => decision)).toEqual([undefined]);
      expect(await store.messages([run.id])).toEqual([]);
      await again.release();
    }
  },
);

test("an answer that names the question that was shown counts for no other one, in each way to prove it", async () => {
  const store = openMemoryStore(makeMemory());
  const shown = await ask(store, "alice 5 EUR", "one");
  const answering = { store, here: new Map() };
  const [question] = await listQuestions(answering, { ...shown, isOwned: true });
  await shown.release();
  await store.remove(shown.run.id);
  await ask(store, "mallory 1000000 EUR", "two", shown.run);
  const id = `${shown.run.id}.1`;
  let asked = 0;
  const sign = async (): Promise<string> => `signature ${(asked += 1)}`;
  const { digest } = question ?? {};
  expect(await answerQuestion(answering, id, GRANT, { digest })).toBe("stale");
  expect(await answerQuestion(answering, id, GRANT, { digest, sign })).toBe("stale");
  expect(await answerQuestion(answering, id, { verdict: "refused" }, { digest })).toBe("stale");
  expect(asked).toBe(0);
  expect(await store.messages([shown.run.id])).toEqual([]);
});
