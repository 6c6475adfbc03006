import { expect, onTestFinished, test } from "vitest";
import { clock } from "../../../engine/clock.ts";
import { joinReplicas } from "../../../extras/stores/replica.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import { makeSharedLimiter } from "../../../extras/stores/join-store.ts";
import { takeClock } from "../../move-clock.ts";

const fail = (error: unknown): never => {
  throw error;
};

const never = <Value>(): Promise<Value> => new Promise(() => undefined);

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
    { store, replica: { isHeard: () => isHeard }, onFailure: fail },
    { runsPerMinute: 2 },
  );
  expect([await limiter.take("ada"), await limiter.take("ada")]).toEqual([0, 0]);
  expect(await limiter.take("ada")).toBeGreaterThan(0);
  expect(asked).toHaveLength(3);
  isHeard = false;
  expect(await limiter.take("bob")).toBe(0);
  expect(asked).toHaveLength(3);
});

test("a replica that the store has not heard of for four seconds says so, and is back with its next sign of life", async () => {
  const time = takeClock({ stands: true });
  const { store, failing } = makeFailingStore();
  const replica = await joinReplicas(store, () => undefined);
  onTestFinished(replica.end);
  failing.isGone = true;
  await time.move(3500);
  expect(replica.isHeard()).toBe(true);
  await time.move(1000);
  expect(replica.isHeard()).toBe(false);
  failing.isGone = false;
  await time.move(1000);
  expect(replica.isHeard()).toBe(true);
  replica.end();
  expect(time.waits()).toBe(0);
});

test("a clock that begins to differ from the store's by more than a minute is reported once", async () => {
  const time = takeClock({ stands: true });
  let aheadMs = 50_000;
  const store = { ...makeMemoryStore(), now: async () => clock.wall() - aheadMs };
  const reported: number[] = [];
  const replica = await joinReplicas(store, (skewMs) => void reported.push(skewMs));
  onTestFinished(replica.end);
  expect([replica.skewMs(), reported]).toEqual([50_000, []]);
  aheadMs = -600_000;
  await time.move(180_000);
  expect([replica.skewMs(), reported]).toEqual([-600_000, [-600_000]]);
});
