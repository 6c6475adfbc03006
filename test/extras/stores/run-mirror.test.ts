import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { OpenWork } from "../../../serve/http/open-work.ts";
import type { SharedRun } from "../../../serve/long-runs/runs.ts";
import { digestSession, makeRunRecords, makeRunMirror } from "../../../extras/stores/run-records.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import { makeSealer } from "../../../engine/store-plan.ts";
import type { ServerQuestion } from "../../../schemas/run/question.ts";
import { DONE } from "./start-replica.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
});

const RUN_ID = "r".repeat(22);
const QUESTION: ServerQuestion = { serverId: "files", lines: ["Who?"], mode: "form", fields: [] };
const pass = (ms = 400) => vi.advanceTimersByTimeAsync(ms);

/** A mirror of runs beside a store that can fail, with the orders that reach its runs. */
function startMirror() {
  const memory = makeMemoryStore();
  const state = { isGone: false, puts: 0, takes: 0, held: Promise.resolve() };
  const store: RunStore = {
    ...memory,
    async put(...entry) {
      state.puts += 1;
      await state.held;
      if (state.isGone) throw new Error("the store is gone");
      await memory.put(...entry);
    },
    take: async (name) => ((state.takes += 1), memory.take(name)),
  };
  const records = makeRunRecords({ store, sealer: makeSealer("k".repeat(32)) }, "");
  const [failures, orders]: [unknown[], unknown[]] = [[], []];
  const onFailure = (error: unknown): void => void failures.push(error);
  const mirror = makeRunMirror({ records, replica: "one", writes: new OpenWork(), onFailure });
  const follow = () =>
    mirror.follow({ end: (id) => void orders.push(["end", id]), answer: (...reply) => void orders.push(reply) });
  return { mirror, follow, records, state, failures, orders };
}

const aRun = (changes: Partial<SharedRun> = {}): { -readonly [Key in keyof SharedRun]: SharedRun[Key] } => ({
  ...{ id: RUN_ID, session: "s", begunAt: 1, isCancelled: false, isKeyed: true },
  ...{ tools: new Set<string>(), callCount: 0, findings: [], question: undefined },
  ...changes,
});

test("the store has what is known of a run: its state, its first tools, what it waits for, and its end", async () => {
  const { mirror, records } = startMirror();
  const tools = new Set(Array.from({ length: 120 }, (_, index) => `files/${index}`));
  const asking = { number: 2, question: QUESTION, settle: () => undefined };
  const run = aRun({ tools, callCount: 300, question: asking });
  mirror.changed(run);
  await mirror.written(RUN_ID);
  const known = {
    ...{ replica: "one", session: digestSession("s"), begunAt: 1, isCancelled: false, isKeyed: true },
    details: { calls: [...tools].slice(0, 100), callCount: 300, findings: [] },
  };
  expect(await records.read(RUN_ID)).toEqual({
    ...known,
    details: { ...known.details, question: { number: 2, question: QUESTION } },
  });
  run.question = undefined;
  run.ended = { at: 7, result: DONE };
  mirror.changed(run);
  await mirror.written(RUN_ID);
  expect(await records.read(RUN_ID)).toEqual({ ...known, endedAt: 7, details: { ...known.details, result: DONE } });
});

test("orders of other replicas reach the run as long as it goes on, and then no look follows", async () => {
  const { mirror, follow, records, state, orders } = startMirror();
  follow();
  const run = aRun();
  mirror.changed(run);
  await mirror.written(RUN_ID);
  await records.send(RUN_ID, { kind: "reply", number: 2, reply: { action: "decline" } });
  await pass();
  await records.send(RUN_ID, { kind: "cancel" });
  await pass();
  expect(orders).toEqual([
    [RUN_ID, 2, { action: "decline" }],
    ["end", RUN_ID],
  ]);
  run.ended = { at: Date.now(), result: DONE };
  mirror.changed(run);
  await mirror.written(RUN_ID);
  await pass();
  const { takes } = state;
  // A timer that is left would look within a minute; other files of this process may have timers of their own.
  await pass(60_000);
  expect(state.takes).toBe(takes);
});

test("orders that come before the runs can be ordered are no failure", async () => {
  const { mirror, records, failures } = startMirror();
  mirror.changed(aRun());
  for (const order of [{ kind: "cancel" }, { kind: "reply", number: 1, reply: { action: "cancel" } }] as const) {
    await records.send(RUN_ID, order);
    await pass();
  }
  expect(failures).toEqual([]);
});

test("a run that has not changed is written once", async () => {
  const { mirror, follow, state, failures, orders } = startMirror();
  follow();
  mirror.changed(aRun());
  await pass(4000);
  expect([state.puts, failures, orders]).toEqual([1, [], []]);
});

test("changes that come while a run is written are written together, after it", async () => {
  const { mirror, state, records } = startMirror();
  let release!: () => void;
  state.held = new Promise((resolve) => (release = resolve));
  const run = aRun();
  mirror.changed(run);
  for (const callCount of [1, 2, 3]) mirror.changed(Object.assign(run, { callCount }));
  await pass(4000);
  expect(state.puts).toBe(1);
  release();
  await mirror.written(RUN_ID);
  expect([state.puts, (await records.read(RUN_ID))?.details?.callCount]).toEqual([2, 3]);
});

test("the end of a run is tried again for a minute, and then given up", async () => {
  const { mirror, state, failures } = startMirror();
  state.isGone = true;
  mirror.changed(aRun({ ended: { at: Date.now(), result: DONE } }));
  await pass(59_000);
  expect(failures.length).toBeGreaterThan(10);
  await pass(10_000);
  const tries = failures.length;
  await pass(60_000);
  expect(failures).toHaveLength(tries);
});

test("what goes on is tried again for as long as it takes", async () => {
  const { mirror, records, state } = startMirror();
  state.isGone = true;
  mirror.changed(aRun());
  await pass(180_000);
  state.isGone = false;
  await pass(400);
  expect(await records.read(RUN_ID)).toMatchObject({ replica: "one" });
});

test("of a run that is not mirrored nothing has to be written", async () => {
  const { mirror } = startMirror();
  await expect(mirror.written("x".repeat(22))).resolves.toBeUndefined();
});
