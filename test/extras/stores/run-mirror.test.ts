import { beforeEach, expect, onTestFinished, test } from "vitest";
import { OpenWork } from "../../../serve/http/open-work.ts";
import type { SharedRun } from "../../../serve/long-runs/runs.ts";
import { makeMail } from "../../../extras/stores/mail.ts";
import type { Replica } from "../../../extras/stores/replica.ts";
import { digestSession, makeRunRecords, makeRunMirror } from "../../../extras/stores/run-records.ts";
import { type RunStore, makeMemoryStore } from "../../../serve/store/run-store.ts";
import type { ServerQuestion } from "../../../schemas/run/question.ts";
import { takeClock } from "../../move-clock.ts";
import { DONE, sealer } from "./start-replica.ts";

let time: ReturnType<typeof takeClock>;
beforeEach(() => void (time = takeClock({ stands: true })));

const RUN_ID = "r".repeat(22);
const QUESTION: ServerQuestion = { serverId: "files", lines: ["Who?"], mode: "form", fields: [] };
const pass = (ms = 400) => time.move(ms);

/** A mirror of runs beside a store that can fail, with the messages that reach its runs. */
function startMirror() {
  const memory = makeMemoryStore();
  const state = { isGone: false, puts: 0, looks: 0, held: Promise.resolve() };
  const store: RunStore = {
    ...memory,
    async put(...entry) {
      state.puts += 1;
      await state.held;
      if (state.isGone) throw new Error("the store is gone");
      await memory.put(...entry);
    },
    list: async (prefix) => ((state.looks += 1), memory.list(prefix)),
  };
  const records = makeRunRecords({ store, sealer }, "");
  const [failures, taken]: [unknown[], unknown[]] = [[], []];
  const onFailure = (error: unknown): void => void failures.push(error);
  const mail = makeMail({ store, sealer }, "one", onFailure);
  const shared = { replica: { id: "one" } as Replica, mail, writes: new OpenWork(), onFailure };
  const mirror = makeRunMirror({ shared, records, take: (id, message) => void taken.push([id, message]) });
  const to = ["one", records.nameOf(RUN_ID)] as const;
  return { mirror, mail, to, records, state, failures, taken };
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

test("messages of other replicas reach the run as long as it goes on, and then no look follows", async () => {
  const { mirror, mail, to, state, taken } = startMirror();
  const run = aRun();
  mirror.changed(run);
  await mirror.written(RUN_ID);
  const messages = [{ kind: "reply", number: 2, reply: { action: "decline" } }, { kind: "cancel" }] as const;
  for (const message of messages) {
    await mail.send(...to, message);
    await pass();
  }
  expect(taken).toEqual(messages.map((message) => [RUN_ID, message]));
  run.ended = { at: Date.now(), result: DONE };
  mirror.changed(run);
  await mirror.written(RUN_ID);
  await pass();
  const { looks } = state;
  // A timer that is left would look within a minute; other files of this process may have timers of their own.
  await pass(60_000);
  expect(state.looks).toBe(looks);
});

test("a run that has not changed is written once", async () => {
  const { mirror, state, failures, taken } = startMirror();
  mirror.changed(aRun());
  await pass(4000);
  expect([state.puts, failures, taken]).toEqual([1, [], []]);
});

test("changes that come while a run is written are written together, after it", async () => {
  const { mirror, state, records } = startMirror();
  let release!: () => void;
  state.held = new Promise((resolve) => (release = resolve));
  const run = aRun();
  mirror.changed(run);
  await pass(0);
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

test("what the store did not take is written when it answers again, of a run that goes on and of one that has ended", async () => {
  for (const ended of [undefined, { at: 7, result: DONE }]) {
    const { mirror, records, state } = startMirror();
    state.isGone = true;
    mirror.changed(aRun({ ended }));
    await pass(ended === undefined ? 180_000 : 50_000);
    state.isGone = false;
    await pass(1000);
    expect(await records.read(RUN_ID)).toMatchObject({ replica: "one", ...(ended && { endedAt: 7 }) });
  }
});

test("what a run that changes all the time did before is written when that is asked for", async () => {
  const { mirror, records, state } = startMirror();
  const run = aRun();
  state.held = new Promise((settle) => setTimeout(settle, 20));
  const changing = setInterval(() => mirror.changed(run), 1);
  onTestFinished(() => clearInterval(changing));
  mirror.changed(Object.assign(run, { callCount: 7 }));
  const written = mirror.written(RUN_ID);
  await pass(40);
  await written;
  expect((await records.read(RUN_ID))?.details?.callCount).toBe(7);
});

test("of a run that is not mirrored nothing has to be written", async () => {
  const { mirror } = startMirror();
  await expect(mirror.written("x".repeat(22))).resolves.toBeUndefined();
});
