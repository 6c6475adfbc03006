import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { DurableRuns } from "../../engine/extras.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import { toRunResult } from "../../serve/surfaces/run-tool.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { runOfQuestion } from "../../serve/long-runs/long-runs.ts";
import type { RunInside, WaitingRequest } from "../../serve/long-runs/runs.ts";
import { toCallResult } from "../../serve/long-runs/print-run-news.ts";
import type { ServerQuestion } from "../../schemas/run/question.ts";
import type { ToolCallResult } from "../../serve/surface.ts";
import { takeClock } from "../move-clock.ts";
import { makeRuns, aRequest, answerOf, log, aRun, detached } from "./make-runs.ts";

test("a run that is over in time is answered as ever, and any run where 0 turns it off, with a key too", async () => {
  const done = { kind: "ended", result: answerOf("done") };
  expect(await makeRuns().runs.begin(async () => answerOf("done"), aRequest())).toEqual(done);
  const time = takeClock();
  const { runs } = makeRuns({ detachAfterMs: 0 });
  for (const request of [aRequest(), { ...aRequest(), key: { text: "job", call: "the call" } }]) {
    const run = aRun();
    const begun = runs.begin(run.work, request);
    await time.move(60_000);
    run.end("done");
    expect(await begun).toEqual(done);
  }
});

test("a longer one has an id of 128 bits, each wait gives its new logs, and its answer can be read again", async () => {
  const { runs } = makeRuns();
  const run = aRun();
  const begun = runs.begin(run.work, aRequest());
  run.log("first");
  const first = await begun;
  expect(first).toMatchObject({ kind: "continues", id: expect.stringMatching(/^[\w-]{22}$/), logs: [log("first")] });
  const { id } = first as { id: string };
  run.log("second");
  expect(await runs.wait(id, aRequest())).toMatchObject({ kind: "continues", id, logs: [log("second")] });
  const waits = [runs.wait(id, aRequest()), runs.wait(id, aRequest())];
  run.end("done");
  const ended = { kind: "ended", result: answerOf("done") };
  expect(await Promise.all(waits)).toEqual([ended, ended]);
  expect(await runs.wait(id, aRequest())).toEqual(ended);
});

test("an answer is kept for a time, read or not, and a failure that no request was informed of", async () => {
  const time = takeClock();
  const { runs } = makeRuns({ keptMs: 60_000 });
  const [read, left] = [await detached(runs), await detached(runs)];
  let fail!: () => void;
  const failing = new Promise<never>((_, reject) => (fail = () => reject(new Error("broken"))));
  const failed = await runs.begin(() => failing, aRequest());
  fail();
  read.end("read");
  left.end("left");
  expect(await runs.wait(read.id, aRequest())).toMatchObject({ kind: "ended" });
  const ids = [read.id, left.id, (failed as { id: string }).id];
  await time.move(60_000);
  expect(await Promise.all(ids.map((id) => runs.look(id, "one")))).toEqual([undefined, undefined, undefined]);
  expect(await runs.wait(left.id, aRequest())).toEqual({ kind: "lost" });
});

test.each([
  [18, "done", 2],
  [3, "x".repeat(7 * 1024 * 1024), 1],
])("of the answers so many, and so many bytes, are kept, and the oldest goes first: %d", async (count, text, lost) => {
  const { runs } = makeRuns();
  const all = await Promise.all(Array.from({ length: count }, () => detached(runs)));
  for (const { end } of all) end(text);
  await delay(10);
  const news = await Promise.all(all.map(({ id }) => runs.wait(id, aRequest())));
  const kept = Array<string>(count - lost).fill("ended");
  expect(news.map(({ kind }) => kind)).toEqual([...Array<string>(lost).fill("lost"), ...kept]);
});

test("another session, another client and a guess get one and the same answer, and change nothing", async () => {
  const { runs } = makeRuns();
  const { id, end } = await detached(runs);
  const strangers = [
    runs.wait(id, aRequest("two")),
    runs.cancel(id, aRequest("two")),
    makeRuns().runs.wait(id, aRequest()),
    runs.wait("AAAAAAAAAAAAAAAAAAAAAA", aRequest()),
    runs.wait("__proto__", aRequest()),
  ];
  expect(
    new Set((await Promise.all(strangers)).map((news) => JSON.stringify(toCallResult(news as never, "run")))).size,
  ).toBe(1);
  end("done");
  expect(await runs.wait(id, aRequest())).toMatchObject({ kind: "ended" });
});

test("a client with a name reads, answers and cancels its runs from each of its sessions", async () => {
  const { runs } = makeRuns({ client: "billing" });
  const first = await detached(runs);
  first.end("done");
  expect(await runs.wait(first.id, aRequest("another"))).toMatchObject({ kind: "ended", result: answerOf("done") });
  expect(await runs.look(first.id, "a third")).toMatchObject({ id: first.id });
  const second = await detached(runs);
  expect(await runs.cancel(second.id, aRequest("another"))).toMatchObject({ result: answerOf("cancelled") });
});

test("a client gets the id of a durable run when that has entered its store, also where it begins later than that", async () => {
  const { runs } = makeRuns();
  let hasEntered = false;
  const entering = async (): Promise<void> => {
    await delay(1);
    hasEntered = true;
  };
  const run = aRun(entering);
  expect(await runs.begin(run.work, aRequest())).toMatchObject({ kind: "continues", findings: [] });
  expect(hasEntered).toBe(true);
  hasEntered = false;
  let begin!: () => void;
  const begins = new Promise<void>((resolve) => (begin = resolve));
  const slow = async (inside: RunInside) => {
    await begins;
    return aRun(entering).work(inside);
  };
  expect(await runs.begin(slow, aRequest())).toMatchObject({ kind: "continues" });
  begin();
  await expect.poll(() => hasEntered).toBe(true);
});

test("a run that could not enter its store goes on in this process, and its client is warned", async () => {
  const { runs } = makeRuns();
  const run = aRun(() => Promise.reject(storeUnreachable("postgres://db", { code: "ECONNREFUSED" })));
  const news = await runs.begin(run.work, aRequest());
  expect(news).toMatchObject({
    kind: "continues",
    findings: [{ severity: "warning", message: expect.stringContaining("STORE_UNREACHABLE") }],
  });
  run.end("done");
  expect(await runs.wait("id" in news ? news.id : "", aRequest())).toMatchObject({ result: answerOf("done") });
  const broken = aRun(() => Promise.reject(new TypeError("a mistake")));
  await expect(runs.begin(broken.work, aRequest())).rejects.toThrow("a mistake");
});

/** A request with a key, for that work. */
const keyed = (call = "the call", session = "one"): WaitingRequest => ({
  ...aRequest(session),
  key: { text: "job", call },
});
const FAILED = toRunResult(failedAnswer([{ severity: "error", code: "SYNTAX_ERROR", message: "No script." }]));

test("a second request with a key gets the answer of the first, while its run goes on and afterwards", async () => {
  const { runs } = makeRuns();
  const run = aRun();
  const { id } = await detached(runs, run, keyed());
  const second = runs.begin(() => Promise.reject(new Error("it runs again")), keyed());
  run.end("done");
  const done = { kind: "ended", result: answerOf("done") };
  expect(await second).toEqual(done);
  expect(await runs.begin(() => Promise.reject(new Error("it runs again")), keyed())).toEqual(done);
  expect(await runs.wait(id, aRequest())).toEqual(done);
  // Of a client without a name, another session has runs of its own.
  expect(await runs.begin(async () => answerOf("other"), keyed("the call", "two"))).toEqual({
    kind: "ended",
    result: answerOf("other"),
  });
});

test("a key is for one piece of work", async () => {
  const { runs } = makeRuns();
  await runs.begin(async () => answerOf("done"), keyed());
  const other = await runs.begin(async () => answerOf("other"), keyed("another call"));
  expect(other).toMatchObject({ result: { structuredContent: { diagnostics: [{ code: "KEY_REUSED" }] } } });
});

const CALLED = { type: "call-started", serverId: "files", toolName: "write", number: 1 } as const;

test.each([
  ["has failed without a call", async () => FAILED, true],
  ["was broken", () => Promise.reject(new Error("broken")), true],
  ["has failed after a call", async ({ emit }: RunInside) => (emit(CALLED), FAILED), false],
])("the key of a run that %s is free: %s", async (_what, work, isFree) => {
  const { runs } = makeRuns();
  await runs.begin(work, keyed()).catch(() => undefined);
  const again = await runs.begin(async () => answerOf("again"), keyed());
  expect(again).toMatchObject({ result: isFree ? answerOf("again") : FAILED });
});

test("a key is free when the answer of its run is kept no longer", async () => {
  const time = takeClock();
  const { runs } = makeRuns({ keptMs: 1000 });
  await runs.begin(async () => answerOf("done"), keyed());
  await time.move(1001);
  expect(await runs.begin(async () => answerOf("again"), keyed())).toMatchObject({ result: answerOf("again") });
});

/** Durable runs of which only the ids of keys are known. */
const withIds = async (idOf: (key: string) => string) => ({ idOf }) as unknown as DurableRuns;

test("the run of a key has the id that its log has", async () => {
  const { runs } = makeRuns({ durable: withIds((key) => key.padEnd(22, "-")) });
  const run = aRun();
  const asked = { ...aRequest(), key: { text: "k1", call: "the call" } };
  expect(await runs.begin(run.work, asked)).toMatchObject({ kind: "continues", id: "k1".padEnd(22, "-") });
  run.end("done");
});

test.each([
  ["while its run goes on", false],
  ["before its run begins", true],
])("a request that goes %s cancels it, and not one with a key, whose caller may ask again", async (_name, isBefore) => {
  const keyedId = "k".repeat(22);
  for (const key of [undefined, { text: "job", call: "the call" }]) {
    const { runs } = makeRuns({ detachAfterMs: 10_000, durable: withIds(() => keyedId) });
    const [run, leaving] = [aRun(), new AbortController()];
    if (isBefore) leaving.abort();
    const begun = runs.begin(run.work, { ...aRequest("one", leaving.signal), key });
    leaving.abort();
    if (key === undefined) {
      expect(await begun).toEqual({ kind: "ended", result: answerOf("cancelled") });
      continue;
    }
    // Its request is answered at once, for a client that is gone.
    expect(await begun).toEqual({ kind: "continues", id: keyedId, logs: [], findings: [] });
    run.end("done");
    expect(await runs.wait(keyedId, aRequest())).toEqual({ kind: "ended", result: answerOf("done") });
  }
});

test("a request that goes when its run is detached leaves it to the next one, with what it logged", async () => {
  const { runs } = makeRuns();
  const begins = new AbortController();
  const { id, end, ...run } = await detached(runs, aRun(), aRequest("one", begins.signal));
  begins.abort();
  const waits = new AbortController();
  const waiting = runs.wait(id, aRequest("one", waits.signal));
  run.log("kept for the next one");
  waits.abort();
  expect(await waiting).toMatchObject({ kind: "continues", logs: [] });
  expect(await runs.wait(id, aRequest())).toMatchObject({ logs: [log("kept for the next one")] });
  end("done");
  expect(await runs.wait(id, aRequest())).toEqual({ kind: "ended", result: answerOf("done") });
});

test("the request of a run that is cancelled with it waits until the run has ended", async () => {
  const time = takeClock();
  const { runs } = makeRuns();
  const leaving = new AbortController();
  let end!: () => void;
  const ended = new Promise<ToolCallResult>((resolve) => (end = () => resolve(answerOf("cleaned up"))));
  let news: unknown;
  const begun = runs.begin(() => ended, aRequest("one", leaving.signal)).then((came) => (news = came));
  leaving.abort();
  await time.move(60_000);
  expect(news).toBeUndefined();
  end();
  await begun;
  expect(news).toEqual({ kind: "ended", result: answerOf("cleaned up") });
});

test("a run that has ended is not cancelled by a request that comes too late", async () => {
  const { runs } = makeRuns();
  const { id, end } = await detached(runs);
  expect(await runs.look(id, "one")).toMatchObject({ isCancelled: false });
  end("done");
  await delay(10);
  await runs.end(id, "one");
  expect(await runs.look(id, "one")).toMatchObject({ isCancelled: false, ended: { result: answerOf("done") } });
  const other = await detached(runs);
  await runs.end(other.id, "one");
  expect(await runs.look(other.id, "one")).toMatchObject({ isCancelled: true });
});

test("a run is cancelled by its id, and with the process", async () => {
  const { runs, calls } = makeRuns();
  const cancelled = { kind: "ended", result: answerOf("cancelled") };
  expect(await runs.cancel((await detached(runs)).id, aRequest())).toEqual(cancelled);
  const { id } = await detached(runs);
  const waiting = runs.wait(id, aRequest());
  await calls.stop(1000);
  expect(await waiting).toEqual(cancelled);
});

const QUESTION: ServerQuestion = { serverId: "files", lines: ["Who?"], mode: "form", fields: [] };

/** A run that asks a person, and answers with the reply. */
async function asking({ ask, signal }: RunInside): Promise<ToolCallResult> {
  return answerOf(JSON.stringify(await ask(QUESTION, signal)));
}

test("a question of a server is the answer to a request of the new revision, and its reply that to the run", async () => {
  const { runs } = makeRuns({ detachAfterMs: 0 });
  const news = await runs.begin(asking, aRequest());
  if (news.kind !== "asks") throw new Error(news.kind);
  expect(news.question).toBe(QUESTION);
  expect(await runs.reply(news.id, { action: "accept" }, aRequest("two"))).toEqual({ kind: "lost" });
  const run = runOfQuestion(news.id);
  for (const changed of [`${news.id}-TAMPERED`, `${run}.1`, run])
    expect(await runs.reply(changed, { action: "accept" }, aRequest())).toBe("never-asked");
  const end = { kind: "ended", result: answerOf('{"action":"decline"}') };
  expect(await runs.reply(news.id, { action: "decline" }, aRequest())).toEqual(end);
  // The question was answered: the request gets the answer of the run.
  expect(await runs.reply(news.id, { action: "accept" }, aRequest())).toEqual({ ...end, isLate: true });
  const other = { ...aRequest(), digest: () => "sha256-other" };
  expect(await runs.reply(news.id, { action: "accept" }, other)).toBeUndefined();
});

test("a reply to a question whose time is over goes to no other question", async () => {
  const { runs } = makeRuns({ detachAfterMs: 0 });
  const expiry = new AbortController();
  const first = await runs.begin(async ({ ask, signal }) => {
    const replies = [await ask(QUESTION, expiry.signal), await ask(QUESTION, signal)];
    return answerOf(JSON.stringify(replies));
  }, aRequest());
  if (first.kind !== "asks") throw new Error(first.kind);
  expiry.abort();
  const second = await runs.wait(runOfQuestion(first.id), aRequest());
  if (second.kind !== "asks") throw new Error(second.kind);
  const late = await runs.reply(first.id, { action: "accept" }, aRequest());
  expect(late).toEqual({ ...second, isLate: true });
  expect(await runs.reply(second.id, { action: "decline" }, aRequest())).toEqual({
    kind: "ended",
    result: answerOf('[{"action":"cancel"},{"action":"decline"}]'),
  });
});

test("a question that comes when no request waits is put to the next one", async () => {
  const { runs } = makeRuns();
  const run = aRun();
  const begun = await runs.begin(async (inside) => {
    await run.work(inside);
    return asking(inside);
  }, aRequest());
  if (begun.kind !== "continues") throw new Error(begun.kind);
  run.end("");
  await delay(1);
  const shown: ServerQuestion[] = [];
  const request: WaitingRequest = {
    ...aRequest(),
    ask: async (question) => {
      shown.push(question);
      return { action: "cancel" };
    },
  };
  expect(await runs.wait(begun.id, request)).toMatchObject({ kind: "ended" });
  expect(shown).toEqual([QUESTION]);
});

test("a person gets the questions of two runs one after the other", async () => {
  const { runs } = makeRuns({ detachAfterMs: 0 });
  const open: (() => void)[] = [];
  const request = (): WaitingRequest => ({
    ...aRequest(),
    asksByResult: false,
    ask: () => new Promise((resolve) => open.push(() => resolve({ action: "decline" }))),
  });
  const both = [runs.begin(asking, request()), runs.begin(asking, request())];
  await delay(10);
  expect(open).toHaveLength(1);
  open[0]?.();
  await both[0];
  await delay(10);
  open[1]?.();
  expect(await Promise.all(both)).toHaveLength(2);
});

test("requests that wait are let go with the ids of their runs; one that is patient is not", async () => {
  const { runs } = makeRuns({ detachAfterMs: 20_000 });
  const [run, other] = [aRun(), aRun()];
  const begun = runs.begin(run.work, aRequest());
  const patient = runs.begin(other.work, { ...aRequest(), waitsForEnd: true });
  runs.letGo();
  const news = await begun;
  expect(news).toMatchObject({ kind: "continues" });
  run.end("done");
  expect(await runs.wait((news as { id: string }).id, aRequest())).toMatchObject({ kind: "ended" });
  other.end("done");
  expect(await patient).toEqual({ kind: "ended", result: answerOf("done") });
});
