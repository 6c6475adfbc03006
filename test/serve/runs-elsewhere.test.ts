import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { DurableRuns } from "../../engine/extras.ts";
import { makeEnvelopes, type Message } from "../../extras/stores/mail.ts";
import { joinReplicas } from "../../extras/stores/replica.ts";
import { digestSession, makeRunRecords, type RunRecord } from "../../extras/stores/run-records.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import type { RunOverview } from "../../schemas/run/durable-run.ts";
import type { ServerQuestion } from "../../schemas/run/question.ts";
import { durableSource } from "../../serve/long-runs/durable-source.ts";
import type { LongRuns, WaitingRequest } from "../../serve/long-runs/runs.ts";
import { withRunsElsewhere } from "../../serve/long-runs/runs-elsewhere.ts";
import { makeMemoryStore, type RunStore } from "../../serve/store/run-store.ts";
import { toRunResult } from "../../serve/surfaces/run-tool.ts";
import { aRequest, DONE, fail, sealer, startReplica } from "../extras/stores/start-replica.ts";
import { takeClock } from "../move-clock.ts";
import { makeRuns } from "./make-runs.ts";

const ID = "r".repeat(22);
const LOOK_MS = 250;
const QUESTION: ServerQuestion = { serverId: "files", lines: ["Who?"], mode: "form", fields: [] };
const AWAY = storeUnreachable("postgres://db/runs", { code: "57P01" });
const CONTINUES = { kind: "continues", id: ID, logs: [], findings: [{ code: "RUN_CONTINUES" }] };
const gone = (): WaitingRequest => ({ ...aRequest(), signal: AbortSignal.abort() });

let time: ReturnType<typeof takeClock>;
beforeEach(() => void (time = takeClock({ stands: true })));

/** What comes of it at the next look. */
async function atNextLook<News>(waiting: Promise<News>): Promise<News> {
  await time.move(LOOK_MS);
  return waiting;
}

/** A run that this process does not have, and what becomes of it. */
interface Elsewhere {
  runs: LongRuns;
  /** It is there, waits for something, and has ended where a time is given. */
  stands(endedAt?: number): Promise<void>;
  /** What every look fails with. */
  state: { fault?: Error };
  /** Whether its process was asked to cancel it since this was last asked. */
  wasCancelled(): Promise<boolean>;
}

/** A run of another replica, which a test writes about. */
async function startReplicas(detachAfterMs = 20_000, changes: Partial<RunStore> = {}) {
  const memory = makeMemoryStore();
  const state: Elsewhere["state"] = {};
  const get: RunStore["get"] = async (name) => {
    if (state.fault !== undefined) throw state.fault;
    return memory.get(name);
  };
  const store: RunStore = { ...memory, get, ...changes };
  const replica = await joinReplicas(store, () => undefined);
  onTestFinished(replica.end);
  const records = makeRunRecords({ store: memory, sealer }, "");
  const states = { replica: replica.id, session: digestSession(""), begunAt: 1, isCancelled: false, isKeyed: false };
  const finding = { severity: "info", code: "RUN_CONTINUES", message: "It waits." } as const;
  const known = { calls: ["notes/write"], callCount: 1, findings: [finding] };
  const write = (more: Partial<RunRecord> = {}, details = {}): Promise<void> =>
    records.write(ID, { ...states, ...more, details: { ...known, ...details } });
  /** The message to the other replica since this was last asked. */
  const sent = async (): Promise<Message | undefined> => {
    const [[place, value] = [], ...others] = await memory.list(`mail/${replica.id}/`);
    if (place === undefined || others.length > 0) return undefined;
    await memory.take(place);
    const { cancel, sealed } = JSON.parse(String(value)) as { cancel?: string; sealed?: string };
    const name = records.nameOf(ID);
    if (cancel !== undefined) return cancel === name ? { kind: "cancel" } : undefined;
    const letter = makeEnvelopes(sealer).open(place, sealed) as { name: string; message: Message };
    return letter.name === name ? letter.message : undefined;
  };
  return {
    ...{ state, write, records, memory, runs: await startReplica(store, fail, detachAfterMs) },
    stands: (endedAt?: number) => write({ endedAt }, endedAt === undefined ? {} : { result: DONE }),
    sent,
    wasCancelled: async () => (await sent())?.kind === "cancel",
  };
}

const WAITING: RunOverview = {
  ...{ id: ID, key: "key", script: "script.ts", begunAt: 1, state: "waiting", calls: 1 },
  questions: [['- "files/write"']],
};

/** A durable run that another process has. */
async function startDurable(detachAfterMs = 20_000) {
  const state: Elsewhere["state"] & { run?: RunOverview } = {};
  const cancelled: string[] = [];
  const durable = {
    async find() {
      if (state.fault !== undefined) throw state.fault;
      return state.run ?? fail(durableRunUnknown(ID));
    },
    cancel: async (id: string) => void cancelled.push(id),
  } as unknown as DurableRuns;
  const source = durableSource(Promise.resolve(durable), undefined);
  return {
    ...{ state, runs: withRunsElsewhere(makeRuns().runs, source, { detachAfterMs, onFailure: fail }) },
    async stands(endedAt?: number) {
      const answer = { ...failedAnswer([]), result: "done" };
      state.run = endedAt === undefined ? WAITING : { ...WAITING, state: "ended", questions: [], answer, endedAt };
    },
    wasCancelled: async () => cancelled.pop() === ID,
  };
}

const KINDS: [string, (detachAfterMs?: number) => Promise<Elsewhere>, object][] = [
  ["of another replica", startReplicas, DONE],
  ["durable", startDurable, toRunResult({ ...failedAnswer([]), result: "done", runId: ID })],
];

describe.each(KINDS)("a run elsewhere (%s)", (_kind, start, result) => {
  test("is waited for as long as requests wait, and then the client reads what it waits for", async () => {
    const { runs, stands } = await start();
    await stands();
    const waiting = runs.wait(ID, aRequest());
    await time.move(LOOK_MS);
    await time.move(20_000 + LOOK_MS);
    expect(await waiting).toMatchObject(CONTINUES);
    expect(await runs.wait(ID, gone())).toMatchObject(CONTINUES);
    const letGo = runs.wait(ID, { ...aRequest(), waitsForEnd: true });
    runs.letGo();
    expect(await atNextLook(letGo)).toMatchObject(CONTINUES);
  });

  test.each([
    ["by a request that is patient", 20_000, true],
    ["where requests wait as long as their runs take", 0, false],
  ])("is waited for until its end %s", async (_name, detachAfterMs, waitsForEnd) => {
    const { runs, stands } = await start(detachAfterMs);
    await stands();
    const waiting = runs.wait(ID, { ...aRequest(), waitsForEnd });
    await time.move(0);
    await time.move(59_000);
    await time.move(LOOK_MS);
    await stands(2);
    expect(await atNextLook(waiting)).toEqual({ kind: "ended", result });
  });

  test("is waited for while it cannot be looked at, and is not lost: the client reads that it may go on", async () => {
    const { runs, stands, state, wasCancelled } = await start(0);
    await stands();
    const waiting = [runs.wait(ID, aRequest()), runs.wait(ID, aRequest())];
    await time.move(0);
    state.fault = AWAY;
    await time.move(LOOK_MS);
    const away = { ...CONTINUES, findings: [{ message: "The runs cannot be looked at now: STORE_UNREACHABLE." }] };
    expect(await runs.wait(ID, gone())).toMatchObject(away);
    await expect(runs.cancel(ID, aRequest())).rejects.toBe(AWAY);
    expect(await wasCancelled()).toBe(false);
    delete state.fault;
    await stands(2);
    expect(await atNextLook(Promise.all(waiting))).toEqual([1, 2].map(() => ({ kind: "ended", result })));
    state.fault = AWAY;
    const long = runs.wait(ID, aRequest());
    await time.move(0);
    await time.move(60_000 + LOOK_MS);
    expect(await long).toMatchObject(away);
    // What is a mistake of ours is seen.
    state.fault = new TypeError("a mistake");
    await expect(runs.wait(ID, aRequest())).rejects.toThrow("a mistake");
  });

  test("is looked at as it stands, and is unknown before it is there", async () => {
    const { runs, stands } = await start();
    expect([await runs.look(ID, ""), await runs.wait(ID, aRequest())]).toEqual([undefined, { kind: "lost" }]);
    await stands();
    const findings = [expect.objectContaining({ code: "RUN_CONTINUES" })];
    expect(await runs.look(ID, "")).toMatchObject({ id: ID, begunAt: 1, isCancelled: false, findings });
    expect((await runs.look(ID, ""))?.ended).toBeUndefined();
    await stands(7);
    expect(await runs.look(ID, "")).toMatchObject({ ended: { at: 7, result } });
  });

  test("is cancelled there, and waited for as by other requests; one that is over is not", async () => {
    const { runs, stands, wasCancelled } = await start();
    await stands();
    const cancelling = runs.cancel(ID, aRequest());
    await time.move(0);
    expect(await wasCancelled()).toBe(true);
    await time.move(6000);
    await time.move(LOOK_MS);
    await stands(2);
    expect(await atNextLook(cancelling)).toEqual({ kind: "ended", result });
    expect(await runs.cancel(ID, aRequest())).toEqual({ kind: "ended", result });
    expect(await wasCancelled()).toBe(false);
    await stands();
    await runs.end(ID);
    expect(await wasCancelled()).toBe(true);
  });
});

test("a durable run that is blocked is not waited for, and what the agent reads of one that asks names no command", async () => {
  const { runs, state } = await startDurable(1);
  state.run = { ...WAITING, state: "blocked", questions: [], answer: failedAnswer([]) };
  expect(await runs.wait(ID, { ...aRequest(), waitsForEnd: true })).toMatchObject({ kind: "continues", findings: [] });
  state.run = WAITING;
  const waiting = runs.wait(ID, aRequest());
  await time.move(0);
  await time.move(LOOK_MS);
  const news = await waiting;
  expect(news).toMatchObject({ kind: "continues", findings: [{ message: "The run waits for a person." }] });
  expect(JSON.stringify(news)).not.toContain("codemode");
});

test("of a run whose details this process cannot open its states are known", async () => {
  const { runs, write, records } = await startReplicas();
  await write({ isCancelled: true });
  const { details: _, ...states } = { ...(await records.read(ID)) } as RunRecord;
  await records.write(ID, states);
  expect(await runs.look(ID, "")).toMatchObject({ id: ID, begunAt: 1, isCancelled: true, findings: [] });
  expect(await runs.wait(ID, gone())).toEqual({ kind: "continues", id: ID, logs: [], findings: [] });
  await records.write(ID, { ...states, endedAt: 2 });
  const diagnostics = [{ code: "RUN_LOST", message: expect.stringContaining("not known") }];
  expect(await runs.wait(ID, aRequest())).toMatchObject({ result: { structuredContent: { diagnostics } } });
});

test("a question of another replica is the answer to a request, or put to its person once, whose reply is sent there", async () => {
  const { runs, write, stands, sent } = await startReplicas();
  await write({}, { question: { number: 3, question: QUESTION } });
  expect(await runs.wait(ID, aRequest())).toEqual({ kind: "asks", id: ID, number: 3, question: QUESTION });
  const asked: ServerQuestion[] = [];
  const ask: WaitingRequest["ask"] = async (question) => {
    asked.push(question);
    return { action: "decline" };
  };
  expect(await runs.wait(ID, { ...gone(), ask })).toMatchObject({ kind: "continues" });
  const waiting = runs.wait(ID, { ...aRequest(), ask });
  await time.move(LOOK_MS);
  expect(await sent()).toEqual({ kind: "reply", number: 3, reply: { action: "decline" } });
  await time.move(LOOK_MS);
  expect([asked, await sent()]).toEqual([[QUESTION], undefined]);
  await write({}, { question: { number: 4, question: QUESTION } });
  await time.move(LOOK_MS);
  expect(await sent()).toMatchObject({ number: 4 });
  await stands(2);
  expect(await atNextLook(waiting)).toEqual({ kind: "ended", result: DONE });
});

test("a reply is for the open question of a run, which is not put again, and for a run that is there", async () => {
  const { runs, write, stands, sent } = await startReplicas();
  expect(await runs.reply(ID, 3, { action: "accept" }, aRequest())).toEqual({ kind: "lost" });
  await write();
  expect(await runs.reply(ID, 3, { action: "accept" }, aRequest())).toEqual({ kind: "late", id: ID });
  await write({}, { question: { number: 3, question: QUESTION } });
  for (const number of [2, 4]) {
    expect(await runs.reply(ID, number, { action: "accept" }, aRequest())).toEqual({ kind: "late", id: ID });
  }
  expect(await sent()).toBeUndefined();
  const replying = runs.reply(ID, 3, { action: "accept" }, aRequest());
  await time.move(0);
  expect(await sent()).toEqual({ kind: "reply", number: 3, reply: { action: "accept" } });
  await stands(2);
  expect(await atNextLook(replying)).toEqual({ kind: "ended", result: DONE });
});

test.each<[string, Partial<RunRecord>, string]>([
  [
    "whose process is gone",
    { replica: "gone" },
    "The run is lost: the process that ran it is gone; it had called: notes/write",
  ],
  ["that has ended without an answer", { endedAt: 2 }, "The run has ended, and its answer was not kept; it had"],
])("a run %s is lost", async (_name, changes, message) => {
  const { runs, write } = await startReplicas();
  await write(changes);
  const diagnostics = [{ code: "RUN_LOST", message: expect.stringContaining(message) }];
  const result = { structuredContent: { diagnostics } };
  expect(await runs.wait(ID, aRequest())).toMatchObject({ kind: "ended", result });
  expect(await runs.look(ID, "")).toMatchObject({ ended: { at: expect.any(Number), result } });
});

test("what a replica writes last before it is gone counts", async () => {
  let beforeLook: () => Promise<void> = async () => undefined;
  const { runs, write, memory } = await startReplicas(20_000, {
    async get(name) {
      if (name === "replica/gone") await beforeLook();
      return memory.get(name);
    },
  });
  await write({ replica: "gone" });
  beforeLook = () => write({ replica: "gone", endedAt: 2 }, { result: DONE });
  expect(await runs.wait(ID, aRequest())).toEqual({ kind: "ended", result: DONE });
});

test("a key whose first run is never heard of is lost, after a time", async () => {
  const { runs, records } = await startReplicas();
  await records.claim("job", { runId: ID, call: "the call" });
  const waiting = runs.begin(async () => DONE, aRequest("job"));
  let isOver = false;
  void waiting.then(() => (isOver = true));
  await time.move(LOOK_MS);
  expect(isOver).toBe(false);
  await time.move(2000);
  expect(await waiting).toEqual({ kind: "lost" });
});
