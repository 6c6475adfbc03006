import { expect, onTestFinished, test, vi } from "vitest";
import { planStore, makeSealer } from "../../../engine/store-plan.ts";
import { openDurableRuns } from "../../../extras/durable/open-durable-runs.ts";
import { makeMemoryStore } from "./name-store.ts";
import { storeUnreachable } from "../../../schemas/config/serve-errors.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { takeClock } from "../../move-clock.ts";
import { checkStore } from "./store-contract.ts";

test("the memory of a process is a store", async () => {
  const [time, store] = [takeClock({ stands: true }), makeMemoryStore()];
  await expect(checkStore(store, store, time.move)).resolves.toBeUndefined();
});

/** A store with a clock that stands until it is moved. */
function startClock() {
  const clock = { ms: 1_800_000_000_000 };
  return { clock, store: makeMemoryStore(() => clock.ms) };
}

test("what is in memory is there until its time is over, also beside what is kept for longer or shorter", async () => {
  const { clock, store } = startClock();
  await store.put("short", Buffer.from("s"), 100);
  await store.put("long", Buffer.from("l"), 1000);
  await store.put("again", Buffer.from("a"), 100);
  await store.put("again", Buffer.from("b"), 300);
  clock.ms += 99;
  expect(String(await store.get("short"))).toBe("s");
  clock.ms += 1;
  expect(await store.get("short")).toBeUndefined();
  await store.put("short", Buffer.from("x"), 100);
  expect([String(await store.get("long")), String(await store.get("again"))]).toEqual(["l", "b"]);
  clock.ms += 199;
  await store.put("other", Buffer.from("o"), 100);
  expect([String(await store.get("long")), String(await store.get("again"))]).toEqual(["l", "b"]);
  expect(await store.now()).toBe(clock.ms);
});

test("a minute's runs may be used at once; then one comes back after another, to the millisecond", async () => {
  const { clock, store } = startClock();
  const take = () => store.limit("rate/ada", 7);
  for (let run = 0; run < 7; run += 1) expect(await take()).toBe(0);
  expect([await take(), await take(), await store.limit("rate/bob", 7)]).toEqual([8572, 8572, 0]);
  clock.ms += 8571;
  expect(await take()).toBe(1);
  clock.ms += 1;
  expect(await take()).toBe(0);
  expect(await take()).toBe(8571);
  clock.ms += 120_000;
  for (let run = 0; run < 7; run += 1) expect(await take()).toBe(0);
  expect(await take()).toBe(8572);
});

test("what is sealed opens with the same key at the same place alone, and unchanged", () => {
  const sealer = makeSealer("a".repeat(32));
  const sealed = sealer.seal("run/ada/1", Buffer.from("private"));
  expect(sealed.toString("latin1")).not.toContain("private");
  expect(sealer.open("run/ada/1", sealed)?.toString()).toBe("private");
  expect(sealer.seal("run/ada/1", Buffer.from("private")).equals(sealed)).toBe(false);
  expect(sealer.open("run/bob/1", sealed)).toBeUndefined();
  expect(sealer.open("run/ada/2", sealed)).toBeUndefined();
  expect(makeSealer("b".repeat(32)).open("run/ada/1", sealed)).toBeUndefined();
  for (const index of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] as number) ^ 1;
    expect(sealer.open("run/ada/1", changed)).toBeUndefined();
  }
  for (const length of [0, 5, 27]) expect(sealer.open("run/ada/1", sealed.subarray(0, length))).toBeUndefined();
});

const planOf = (serve: object, env: Record<string, string> = {}) =>
  planStore(toConfig({ mcpServers: {}, serve }, "x", "/project"), env);

test("a store that this account has not trusted is not reached, by durable runs neither", async () => {
  vi.stubEnv("CODEMODE_TRUST", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(planOf({ store: "${STORE:-}" })).toBeUndefined();
  const store = "postgres://${PASSWORD}@203.0.113.7/x";
  const serve = { store, storeKey: "k".repeat(32) };
  expect(() => planOf(serve, { PASSWORD: "secret-word" })).toThrow(
    expect.objectContaining({ code: "PROJECT_UNTRUSTED", message: expect.not.stringContaining("secret-word") }),
  );
  const config = toConfig({ mcpServers: {}, serve }, "x", "/project");
  await expect(openDurableRuns(config, {} as never, { PASSWORD: "secret-word" })).rejects.toMatchObject({
    code: "PROJECT_UNTRUSTED",
  });
});

test("a store is planned without its credentials in what is shown", () => {
  const env = { PASSWORD: "secret-word", KEY: "k".repeat(32) };
  expect(planOf({})).toBeUndefined();
  // One configuration is for a single process and for replicas.
  expect(planOf({ store: "${STORE:-}", storeKey: "${STORE_KEY:-}" })).toBeUndefined();
  expect(planOf({ store: "postgres://me:${PASSWORD}@h:1/2", storeKey: "${KEY}" }, env)).toMatchObject({
    place: "postgres://h:1/2",
    sealer: expect.objectContaining({}),
  });
  const storing =
    (store: string, storeKey = "k".repeat(32), more = {}) =>
    () =>
      planOf({ store, storeKey, ...more });
  expect(storing("postgres://:${PASSWORD}@h")).toThrow('"serve.store" needs the environment variable');
  expect(storing("https://me:secret-word@h")).toThrow('"serve.store" is no URL of PostgreSQL.');
  expect(storing("postgres://h", "k".repeat(31))).toThrow('"serve.storeKey" has less than 32');
  expect(() => planOf({ store: "postgresql://h" })).toThrow('"serve.storeKey" is needed');
  expect(storing("postgresql://h")()).toMatchObject({ place: "postgresql://h" });
  expect(storing("postgresql://h", undefined, { durable: false })).toThrow('and "serve.durable" is false');
});

test.each(["xpostgres://h", "postgres:/h", "http://h/?postgres://h", "postgres://[h"])("%s is no store", (store) => {
  expect(() => planOf({ store })).toThrow("is no URL of PostgreSQL");
});

test.each(["redis://:secret-word@h:1", "rediss://h"])(
  "of a store in Redis it is said what takes its place",
  (store) => {
    expect(() => planOf({ store })).toThrow(
      expect.objectContaining({
        code: "STORE_INVALID",
        message: '"serve.store" is an address of Redis, which is no store.',
        hint: expect.stringContaining("postgres://USER@HOST/DATABASE"),
      }),
    );
  },
);

test.each([
  [{ code: "ECONNREFUSED", message: "connect postgres://me:secret@h" }, "ECONNREFUSED"],
  [{ code: "28P01", message: 'password authentication failed for user "secret"' }, "28P01"],
  [{ message: "secret" }, "it does not answer"],
])("of an error of a store's client the code is shown: %j", (error, shown) => {
  expect(storeUnreachable("postgres://h", error).message).toBe(`The store postgres://h cannot be used: ${shown}`);
});
