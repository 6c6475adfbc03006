import { expect, onTestFinished, test } from "vitest";
import { clock } from "../../../engine/clock.ts";
import { watchHealth } from "../../../extras/stores/store-health.ts";
import type { NameStore } from "../../../serve/store/shared-state.ts";
import { makeSharedLimiter } from "../../../extras/stores/join-store.ts";
import { takeClock } from "../../move-clock.ts";

const fail = (error: unknown): never => {
  throw error;
};

const never = <Value>(): Promise<Value> => new Promise(() => undefined);

test("where the store does not answer in time, each process counts by itself, and asks no more once it is out of reach", async () => {
  const asked: string[] = [];
  const store: Pick<NameStore, "limit"> = {
    limit(name) {
      asked.push(name);
      return never();
    },
  };
  let isReachable = true;
  const limiter = makeSharedLimiter({ store, isReachable: () => isReachable, onFailure: fail }, { runsPerMinute: 2 });
  expect([await limiter.take("ada"), await limiter.take("ada")]).toEqual([0, 0]);
  expect(await limiter.take("ada")).toBeGreaterThan(0);
  expect(asked).toHaveLength(3);
  isReachable = false;
  expect(await limiter.take("bob")).toBe(0);
  expect(asked).toHaveLength(3);
});

test("a store that has not answered for four seconds is out of reach, until it answers again", async () => {
  const time = takeClock({ stands: true });
  let isGone = false;
  const now = async (): Promise<number> => {
    if (isGone) throw new Error("the store is gone");
    return clock.wall();
  };
  const health = await watchHealth({ now }, () => undefined);
  isGone = true;
  await time.move(3500);
  expect(health.isReachable()).toBe(true);
  await time.move(1000);
  expect(health.isReachable()).toBe(false);
  isGone = false;
  await time.move(1000);
  expect(health.isReachable()).toBe(true);
  health.end();
  expect(time.waits()).toBe(0);
});

test("a clock that begins to differ from the store's by more than a minute is reported once", async () => {
  const time = takeClock({ stands: true });
  let aheadMs = 50_000;
  const reported: number[] = [];
  const now = async (): Promise<number> => clock.wall() - aheadMs;
  const { skewMs, end } = await watchHealth({ now }, (skew) => void reported.push(skew));
  onTestFinished(end);
  expect([skewMs(), reported]).toEqual([50_000, []]);
  aheadMs = -600_000;
  await time.move(3000);
  expect([skewMs(), reported]).toEqual([-600_000, [-600_000]]);
});
