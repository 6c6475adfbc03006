import { expect, test } from "vitest";
import { joinReplicas } from "../../../extras/stores/replica.ts";
import { digestSession, makeRunRecords, type RunRecord } from "../../../extras/stores/run-records.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import { toRunResult } from "../../../serve/surfaces/run-tool.ts";

const sealer = makeSealer("k".repeat(32));
const RUN_ID = "r".repeat(22);
const MINUTE = 60_000;
const resultOf = (result: string) => toRunResult({ logs: [], result, diagnostics: [], toolTrace: [] });
const details = (result: string) => ({ calls: ["notes/write"], callCount: 3, findings: [], result: resultOf(result) });
const STATES = { replica: "one", session: digestSession("s"), begunAt: 1, isCancelled: false, isKeyed: false };

/** A store that notes what it is asked for, and for how long values are kept. */
function makeWatchedStore() {
  const memory = makeMemoryStore();
  const kept: number[] = [];
  const asked: string[] = [];
  const store: RunStore = {
    ...memory,
    put(name, value, ttlMs) {
      kept.push(ttlMs);
      return memory.put(name, value, ttlMs);
    },
    get(name) {
      asked.push(name);
      return memory.get(name);
    },
  };
  return { store, kept, asked };
}

test("a run is read as it was written, by its client and with its key alone", async () => {
  const { store } = makeWatchedStore();
  const record: RunRecord = { ...STATES, endedAt: 2, details: details("done") };
  await makeRunRecords({ store, sealer }, "ada").write(RUN_ID, record);
  expect(await makeRunRecords({ store, sealer }, "ada").read(RUN_ID)).toEqual(record);
  expect(await makeRunRecords({ store, sealer }, "bob").read(RUN_ID)).toBeUndefined();
  for (const other of [undefined, makeSealer("x".repeat(32))]) {
    const read = await makeRunRecords({ store, sealer: other }, "ada").read(RUN_ID);
    expect(read).toEqual({ ...STATES, endedAt: 2, details: undefined });
  }
  expect(String(await store.get(`run/ada/${RUN_ID}`))).not.toMatch(/notes|done/);
});

test("of a result that is too long what was called is kept", async () => {
  const { store } = makeWatchedStore();
  const records = makeRunRecords({ store, sealer }, "");
  await records.write(RUN_ID, { ...STATES, endedAt: 2, details: details("x".repeat(5 * 1024 * 1024)) });
  expect((await records.read(RUN_ID))?.details).toEqual({ calls: ["notes/write"], callCount: 3, findings: [] });
});

test("the store is asked for ids of runs alone", async () => {
  const { store, asked } = makeWatchedStore();
  const records = makeRunRecords({ store, sealer }, "");
  for (const id of ["", "../replica/x", "r".repeat(21), "r".repeat(23), `${"r".repeat(21)}/`, `${"r".repeat(21)}\n`]) {
    expect(await records.read(id)).toBeUndefined();
  }
  expect(asked).toEqual([]);
});

test.each([
  [{}, 24 * 60 * MINUTE],
  [{ isKeyed: true }, 24 * 60 * MINUTE],
  [{ endedAt: 2 }, 10 * MINUTE],
  [{ endedAt: 2, isKeyed: true }, 60 * MINUTE],
])("the run %j is kept for %d ms", async (more, expected) => {
  const { store, kept } = makeWatchedStore();
  await makeRunRecords({ store, sealer }, "").write(RUN_ID, { ...STATES, ...more, details: undefined });
  expect(kept).toEqual([expected]);
});

test("a process is alive without a look into the store, and others are while they say so there", async () => {
  const { store, asked } = makeWatchedStore();
  const [one, other] = [await joinReplicas(store, () => undefined), await joinReplicas(store, () => undefined)];
  one.end();
  other.end();
  expect([await one.isAlive(one.id), asked]).toEqual([true, []]);
  expect(await one.isAlive(other.id)).toBe(true);
  await store.take(`replica/${other.id}`);
  expect(await one.isAlive(other.id)).toBe(false);
});
