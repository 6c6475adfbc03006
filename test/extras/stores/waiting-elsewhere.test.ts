import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { LongRuns, WaitingRequest } from "../../../serve/long-runs/runs.ts";
import { joinReplicas } from "../../../extras/stores/replica.ts";
import { digestSession, makeRunRecords, type RunRecord } from "../../../extras/stores/run-records.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import type { Diagnostic } from "../../../schemas/run/answer.ts";
import type { ServerQuestion } from "../../../schemas/run/question.ts";
import { aRequest, DONE, fail, sealer, startReplica } from "./start-replica.ts";

const ID = "r".repeat(22);
const FINDING: Diagnostic = { severity: "warning", code: "LOCK_DRIFT", message: "It waits." };
const QUESTION: ServerQuestion = { serverId: "files", lines: ["Who?"], mode: "form", fields: [] };
/** A wait of this process that is over before the test is. */
const passTime = (ms: number) => void vi.advanceTimersByTime(ms);

interface Elsewhere {
  runs: LongRuns;
  /** Writes what the other replica says of its run. */
  write(changes?: Partial<RunRecord>, details?: object): Promise<void>;
  records: ReturnType<typeof makeRunRecords>;
}

/** A run of another replica, which a test writes about, and the runs of a process that is asked for it. */
async function startElsewhere(store: RunStore = makeMemoryStore(), detachAfterMs = 20_000): Promise<Elsewhere> {
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const replica = await joinReplicas(store, () => undefined);
  onTestFinished(replica.end);
  const records = makeRunRecords({ store, sealer }, "");
  const state = { replica: replica.id, session: digestSession(""), begunAt: 1, isCancelled: false, isKeyed: false };
  const known = { calls: [], callCount: 0, findings: [FINDING] };
  return {
    runs: await startReplica(store, fail, detachAfterMs),
    write: (changes = {}, details = {}) =>
      records.write(ID, { ...state, ...changes, details: { ...known, ...details } }),
    records,
  };
}

test("a request waits for the run of another replica for its time, and then gets what the run waits for", async () => {
  const { runs, write } = await startElsewhere();
  await write();
  const waiting = runs.wait(ID, aRequest());
  await delay(300);
  passTime(20_001);
  expect(await waiting).toEqual({ kind: "continues", id: ID, logs: [], findings: [FINDING] });
});

test("a request that is patient waits as long as the run takes", async () => {
  const { runs, write } = await startElsewhere();
  await write();
  const waiting = runs.wait(ID, { ...aRequest(), waitsForEnd: true });
  await delay(20);
  passTime(60_000);
  await delay(300);
  await write({ endedAt: 2 }, { result: DONE });
  expect(await waiting).toEqual({ kind: "ended", result: DONE });
});

test("where requests wait as long as their runs take, those for a run of another replica do too", async () => {
  const { runs, write } = await startElsewhere(makeMemoryStore(), 0);
  await write();
  const waiting = runs.wait(ID, aRequest());
  await delay(300);
  await write({ endedAt: 2 }, { result: DONE });
  expect(await waiting).toEqual({ kind: "ended", result: DONE });
});

test("of a run whose details this process cannot open its states are known", async () => {
  const { runs, write, records } = await startElsewhere();
  await write();
  const { details: _, ...states } = { ...(await records.read(ID)) } as RunRecord;
  await records.write(ID, states);
  expect(await runs.look(ID, "")).toMatchObject({ id: ID, begunAt: 1, findings: [] });
  const gone = { ...aRequest(), signal: AbortSignal.abort() };
  expect(await runs.wait(ID, gone)).toEqual({ kind: "continues", id: ID, logs: [], findings: [] });
  await records.write(ID, { ...states, endedAt: 2 });
  const diagnostics = [{ code: "RUN_LOST", message: expect.stringContaining("not known") }];
  expect(await runs.wait(ID, aRequest())).toMatchObject({ result: { structuredContent: { diagnostics } } });
});

test("a request that is gone is answered at once, and no question is put to it", async () => {
  const { runs, write } = await startElsewhere();
  await write({}, { question: { number: 1, question: QUESTION } });
  const ask = (): never => {
    throw new Error("asked");
  };
  const gone: WaitingRequest = { ...aRequest(), signal: AbortSignal.abort(), ask };
  expect(await runs.wait(ID, gone)).toMatchObject({ kind: "continues" });
});

test("a question of another replica is the answer to a request, or put to its person once, whose reply is sent there", async () => {
  const { runs, write, records } = await startElsewhere();
  await write({}, { question: { number: 3, question: QUESTION } });
  expect(await runs.wait(ID, aRequest())).toEqual({ kind: "asks", id: ID, number: 3, question: QUESTION });
  const asked: ServerQuestion[] = [];
  const ask: WaitingRequest["ask"] = async (question) => {
    asked.push(question);
    return { action: "decline" };
  };
  const waiting = runs.wait(ID, { ...aRequest(), ask });
  await delay(300);
  expect(await records.takeOrder(ID)).toEqual({ kind: "reply", number: 3, reply: { action: "decline" } });
  await delay(300);
  expect([asked, await records.takeOrder(ID)]).toEqual([[QUESTION], undefined]);
  await write({}, { question: { number: 4, question: QUESTION } });
  await delay(300);
  expect(await records.takeOrder(ID)).toMatchObject({ number: 4 });
  await write({ endedAt: 2 }, { result: DONE });
  expect(await waiting).toEqual({ kind: "ended", result: DONE });
});

test.each<[string, Partial<RunRecord>, object, string]>([
  ["whose process is gone", { replica: "gone" }, {}, "The run is lost: the process that ran it is gone; it had called"],
  ["that has ended without an answer", { endedAt: 2 }, {}, "The run has ended, and its answer was not kept; it had"],
])("a run %s is lost", async (_name, changes, details, message) => {
  const { runs, write } = await startElsewhere();
  await write(changes, details);
  const diagnostics = [{ code: "RUN_LOST", message: expect.stringContaining(message) }];
  const result = { structuredContent: { diagnostics } };
  expect(await runs.wait(ID, aRequest())).toMatchObject({ kind: "ended", result });
  expect(await runs.look(ID, "")).toMatchObject({ ended: { at: expect.any(Number), result } });
});

test("what a replica writes last before it is gone counts", async () => {
  const memory = makeMemoryStore();
  let beforeLook: () => Promise<void> = async () => undefined;
  const store: RunStore = {
    ...memory,
    async get(name) {
      if (name === "replica/gone") await beforeLook();
      return memory.get(name);
    },
  };
  const { runs, write } = await startElsewhere(store);
  await write({ replica: "gone" });
  beforeLook = () => write({ replica: "gone", endedAt: 2 }, { result: DONE });
  expect(await runs.wait(ID, aRequest())).toEqual({ kind: "ended", result: DONE });
});

test("a run of another replica is looked at as it stands", async () => {
  const { runs, write } = await startElsewhere();
  expect(await runs.look(ID, "")).toBeUndefined();
  await write({ isCancelled: true });
  expect(await runs.look(ID, "")).toEqual({
    id: ID,
    begunAt: 1,
    isCancelled: true,
    findings: [FINDING],
    ended: undefined,
  });
  await write({ endedAt: 7 }, { result: DONE });
  expect(await runs.look(ID, "")).toMatchObject({ ended: { at: 7, result: DONE } });
});

test("a run of another replica is cancelled by an order, and one that is over gets none", async () => {
  const { runs, write, records } = await startElsewhere();
  await write();
  const cancelling = runs.cancel(ID, aRequest());
  await delay(20);
  expect(await records.takeOrder(ID)).toEqual({ kind: "cancel" });
  // It is waited for as long as by other requests.
  passTime(6000);
  await delay(300);
  await write({ endedAt: 2 }, { result: DONE });
  expect(await cancelling).toEqual({ kind: "ended", result: DONE });
  expect(await runs.cancel(ID, aRequest())).toEqual({ kind: "ended", result: DONE });
  expect(await records.takeOrder(ID)).toBeUndefined();
  await runs.end(ID);
  expect(await records.takeOrder(ID)).toEqual({ kind: "cancel" });
});

test("a reply is for the open question of a run, and for a run that is there", async () => {
  const { runs, write, records } = await startElsewhere();
  expect(await runs.reply(ID, 3, { action: "accept" }, aRequest())).toEqual({ kind: "lost" });
  await write();
  expect(await runs.reply(ID, 3, { action: "accept" }, aRequest())).toEqual({ kind: "late", id: ID });
  await write({}, { question: { number: 3, question: QUESTION } });
  for (const number of [2, 4]) {
    expect(await runs.reply(ID, number, { action: "accept" }, aRequest())).toEqual({ kind: "late", id: ID });
  }
  expect(await records.takeOrder(ID)).toBeUndefined();
  const replying = runs.reply(ID, 3, { action: "accept" }, aRequest());
  await delay(100);
  expect(await records.takeOrder(ID)).toEqual({ kind: "reply", number: 3, reply: { action: "accept" } });
  await write({ endedAt: 2 }, { result: DONE });
  expect(await replying).toEqual({ kind: "ended", result: DONE });
});

test("a key whose first run is never heard of is lost, after a time", async () => {
  const { runs, records } = await startElsewhere();
  await records.claim("job", { runId: ID, call: "the call" });
  const waiting = runs.begin(async () => DONE, aRequest("job"));
  let isOver = false;
  void waiting.then(() => (isOver = true));
  await delay(300);
  expect(isOver).toBe(false);
  passTime(2001);
  expect(await waiting).toEqual({ kind: "lost" });
});
