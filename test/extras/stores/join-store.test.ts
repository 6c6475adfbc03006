import { expect, onTestFinished, test } from "vitest";
import { type StorePlan, makeSealer } from "../../../engine/store-plan.ts";
import { openStore } from "../../../extras/stores/postgres-store.ts";
import type { NameStore } from "../../../serve/store/shared-state.ts";
import { makeMemoryStore } from "./name-store.ts";
import { joinStore, makeSharedLimiter } from "../../../extras/stores/join-store.ts";

const fail = (error: unknown): never => {
  throw error;
};

const REACHED = { isReachable: () => true };
const sealer = makeSealer("k".repeat(32));

/** Joins one replica after another; each has a connection of its own, which counts when it is closed. */
async function join(memory: NameStore = makeMemoryStore()) {
  const warnings: string[] = [];
  let closed = 0;
  const store = { ...memory, close: async () => void (closed += 1) };
  const state = await joinStore({ store, sealer }, { warn: (text) => void warnings.push(text), onFailure: fail });
  return { ...state, warnings, closed: () => closed };
}

test("replicas that join a store share what they keep there, until they leave", async () => {
  const memory = makeMemoryStore();
  const [one, other] = [await join(memory), await join(memory)];
  expect([one.sealer, one.warnings]).toEqual([sealer, []]);
  const cache = one.cacheOf("ada");
  const id = cache.keep("s", Buffer.from("1"), "number");
  await cache.settled();
  const found = other.cacheOf("ada");
  await found.fetch("s", `"@codemode/results/${id}"`);
  expect(found.of("s").read(id)?.toString()).toBe("1");
  await Promise.all([one.close(), other.close()]);
  expect([one.closed(), other.closed()]).toEqual([1, 1]);
});

test("what is being written when a process ends is written first", async () => {
  const memory = makeMemoryStore();
  const state = await join(memory);
  let write!: () => void;
  const writing = new Promise<void>((resolve) => (write = resolve));
  void state.writes.track(writing.then(() => state.store.put("run/1", Buffer.from("x"), 60_000)));
  const closing = state.close();
  setTimeout(write, 20);
  await closing;
  expect([String(await memory.get("run/1")), state.closed()]).toEqual(["x", 1]);
});

test.each([
  [-120_000, "The clock of this machine is 120 s ahead of the store's: keep both by NTP."],
  [120_000, "The clock of this machine is 120 s behind the store's: keep both by NTP."],
])("a store whose clock differs by %d ms is one to see to", async (aheadMs, warning) => {
  const memory = { ...makeMemoryStore(), now: async () => Date.now() + aheadMs };
  const { warnings, close } = await join(memory);
  onTestFinished(close);
  expect(warnings).toEqual([warning]);
});

test("a store that is not there is named", async () => {
  const plan: StorePlan = { url: "postgres://127.0.0.1:1/x", place: "the store", sealer };
  await expect(openStore(plan)).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
    message: expect.stringContaining("The store the store cannot be used"),
  });
});

test("a process that cannot join leaves no connection to the store", async () => {
  let isClosed = false;
  const now = () => Promise.reject(new Error("no clock"));
  const store = { ...makeMemoryStore(), now, close: async () => void (isClosed = true) };
  await expect(joinStore({ store, sealer }, { warn: fail, onFailure: fail })).rejects.toThrow("no clock");
  expect(isClosed).toBe(true);
});

test("without a limit every run is taken, and the store is not asked", async () => {
  const store = { limit: () => Promise.reject(new Error("asked")) };
  const limiter = makeSharedLimiter({ store, ...REACHED, onFailure: fail }, undefined);
  expect(await limiter.take("ada")).toBe(0);
});

test("the store says in how many seconds the next run is, by the name of each client", async () => {
  const asked: [string, number][] = [];
  const limit = async (name: string, perMinute: number) => (asked.push([name, perMinute]), asked.length * 1001 - 1001);
  const limiter = makeSharedLimiter({ store: { limit }, ...REACHED, onFailure: fail }, { runsPerMinute: 5 });
  expect([await limiter.take("ada"), await limiter.take("a/b c"), await limiter.take("ada")]).toEqual([0, 2, 3]);
  expect(asked).toEqual([
    ["rate/ada", 5],
    ["rate/a%2Fb%20c", 5],
    ["rate/ada", 5],
  ]);
});

test("a store that fails is a failure of the log, and the process counts by itself", async () => {
  const failures: unknown[] = [];
  const store = { limit: () => Promise.reject(new Error("the store is gone")) };
  const onFailure = (error: unknown): void => void failures.push(error);
  const limiter = makeSharedLimiter({ store, ...REACHED, onFailure }, { runsPerMinute: 1 });
  expect(await limiter.take("ada")).toBe(0);
  expect(await limiter.take("ada")).toBeGreaterThan(0);
  expect(failures).toMatchObject([{ message: "the store is gone" }, { message: "the store is gone" }]);
});
