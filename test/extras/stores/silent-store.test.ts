import { expect, onTestFinished, test, vi } from "vitest";
import { OpenWork } from "../../../serve/http/open-work.ts";
import type { SharedRun } from "../../../serve/long-runs/runs.ts";
import { joinReplicas } from "../../../extras/stores/replica.ts";
import { makeRunRecords, makeRunMirror } from "../../../extras/stores/run-records.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import { makeSharedLimiter } from "../../../extras/stores/join-store.ts";

const never = <Value>(): Promise<Value> => new Promise(() => undefined);
const RUN_ID = "r".repeat(22);

/** A store that can be made to fail. */
function makeFailingStore() {
  const memory = makeMemoryStore();
  const failing = { isGone: false };
  const store: RunStore = {
    ...memory,
    async put(...entry) {
      if (failing.isGone) throw new Error("the store is gone");
      await memory.put(...entry);
    },
  };
  return { store, failing };
}

const aRun = (): { -readonly [Key in keyof SharedRun]: SharedRun[Key] } => ({
  ...{ id: RUN_ID, session: "", begunAt: 1, isCancelled: false, isKeyed: true },
  ...{ tools: new Set<string>(), callCount: 0, findings: [], question: undefined },
});

function startMirror(store: RunStore) {
  const records = makeRunRecords({ store, sealer: makeSealer("k".repeat(32)) }, "");
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  const mirror = makeRunMirror({ records, replica: "one", writes: new OpenWork(), onFailure });
  mirror.follow({ end: () => undefined, answer: () => undefined });
  return { mirror, records, failures };
}

test("where the store does not answer in time, each process counts by itself, and asks no more once it is not heard", async () => {
  const asked: string[] = [];
  const store: Pick<RunStore, "limit"> = {
    limit(name) {
      asked.push(name);
      return never();
    },
  };
  let isHeard = true;
  const limiter = makeSharedLimiter(
    { store, replica: { isHeard: () => isHeard } },
    { runsPerMinute: 2 },
    () => undefined,
  );
  expect([await limiter.take("ada"), await limiter.take("ada")]).toEqual([0, 0]);
  expect(await limiter.take("ada")).toBeGreaterThan(0);
  expect(asked).toHaveLength(3);
  isHeard = false;
  expect(await limiter.take("bob")).toBe(0);
  expect(asked).toHaveLength(3);
});

test("what a run that changes all the time did before is written when that is asked for", async () => {
  const memory = makeMemoryStore();
  const slow: RunStore = {
    ...memory,
    async put(...entry) {
      await new Promise((settle) => setTimeout(settle, 20));
      await memory.put(...entry);
    },
  };
  const { mirror, records } = startMirror(slow);
  const run = aRun();
  mirror.changed(run);
  run.callCount = 7;
  mirror.changed(run);
  const changing = setInterval(() => mirror.changed(run), 1);
  onTestFinished(() => clearInterval(changing));
  await mirror.written(RUN_ID);
  expect((await records.read(RUN_ID))?.details?.callCount).toBe(7);
});

test("the end of a run that the store did not take is written when it answers again", async () => {
  const { store, failing } = makeFailingStore();
  const { mirror, records, failures } = startMirror(store);
  const run = aRun();
  mirror.changed(run);
  await mirror.written(RUN_ID);
  failing.isGone = true;
  run.ended = { at: Date.now() };
  mirror.changed(run);
  await mirror.written(RUN_ID);
  expect(failures).toHaveLength(1);
  expect(await records.read(RUN_ID)).not.toHaveProperty("endedAt");
  failing.isGone = false;
  await expect.poll(() => records.read(RUN_ID), { timeout: 10_000 }).toMatchObject({ endedAt: run.ended.at });
});

test("a replica that the store has not heard of for four seconds says so, and is back with its next sign of life", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { store, failing } = makeFailingStore();
  const replica = await joinReplicas(store, () => undefined);
  onTestFinished(replica.end);
  failing.isGone = true;
  await vi.advanceTimersByTimeAsync(3500);
  expect(replica.isHeard()).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(replica.isHeard()).toBe(false);
  failing.isGone = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(replica.isHeard()).toBe(true);
  replica.end();
  expect(vi.getTimerCount()).toBe(0);
});

test("a clock that begins to differ from the store's by more than a minute is reported once", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  let aheadMs = 50_000;
  const store = { ...makeMemoryStore(), now: async () => Date.now() - aheadMs };
  const reported: number[] = [];
  const replica = await joinReplicas(store, (skewMs) => void reported.push(skewMs));
  onTestFinished(replica.end);
  expect([replica.skewMs(), reported]).toEqual([50_000, []]);
  aheadMs = -600_000;
  await vi.advanceTimersByTimeAsync(180_000);
  expect([replica.skewMs(), reported]).toEqual([-600_000, [-600_000]]);
});
