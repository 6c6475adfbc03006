import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeCallsInFlight } from "../../serve/agent/calls-in-flight.ts";
import { type LongRunOptions, makeLongRuns } from "../../serve/long-runs/long-runs.ts";
import type { RunInside, SharedRun, WaitingRequest } from "../../serve/long-runs/runs.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import type { PersonsReply, ServerQuestion } from "../../schemas/run/question.ts";
import { takeClock } from "../move-clock.ts";
import { answerOf, aRequest, aRun, detached, makeRuns } from "./make-runs.ts";

const KEYED_ID = "k".repeat(22);
const keyed = (): WaitingRequest => ({ ...aRequest(), keyedId: KEYED_ID });
const QUESTION: ServerQuestion = { serverId: "files", lines: ["Who?"], mode: "form", fields: [] };
const FINDING: Diagnostic = { severity: "warning", code: "APPROVAL_PENDING" as never, message: "It waits." };

/** Runs of one process, and what of them is shared with others: each state once. */
function makeWatchedRuns(options: Partial<LongRunOptions> = {}) {
  const shared: { calls: number; ended: boolean; question: number | undefined; isCancelled: boolean }[] = [];
  const written: string[] = [];
  const runs = makeLongRuns({
    ...{ detachAfterMs: 20_000, calls: makeCallsInFlight(), isNamed: false },
    onShared: ({ callCount, ended, question, isCancelled }: SharedRun) =>
      shared.push({ calls: callCount, ended: ended !== undefined, question: question?.number, isCancelled }),
    written: async (id) => void written.push(id),
    ...options,
  });
  return { runs, shared, written };
}

const callOf = (inside: RunInside, toolName: string, kind = "started") =>
  inside.stream.callEvent({ kind, serverId: "files", toolName, number: 1 } as never);

test("others learn of a run that has a key, from its beginning to its end, and of none that its request has", async () => {
  const { runs, shared } = makeWatchedRuns();
  const work = async (inside: RunInside) => {
    callOf(inside, "read");
    callOf(inside, "read", "ended");
    return answerOf("done");
  };
  await runs.begin(work, aRequest());
  expect(shared).toEqual([]);
  await runs.begin(work, keyed());
  const states = shared.map(({ calls, ended }) => [calls, ended]);
  expect([states[0], states.at(-1)]).toEqual([
    [0, false],
    [1, true],
  ]);
});

test("others learn of a run when its request no longer waits for it, and of what it asks then", async () => {
  const { runs, shared } = makeWatchedRuns({ detachAfterMs: 20 });
  const { id, end } = await detached(runs);
  expect(shared).toEqual([{ calls: 0, ended: false, question: undefined, isCancelled: false }]);
  await runs.wait(id, aRequest());
  expect(shared).toHaveLength(1);
  end("done");
  await delay(10);
  expect(shared.at(-1)).toMatchObject({ ended: true });
  expect(await runs.look(id, "one")).toMatchObject({ id, ended: { result: answerOf("done") } });
});

test("a run waits before a call of each new tool until others can find it", async () => {
  const { runs, written } = makeWatchedRuns();
  await runs.begin(async (inside) => {
    for (const tool of ["read", "read", "write"]) {
      callOf(inside, tool);
      await inside.beforeCall?.();
    }
    return answerOf("done");
  }, keyed());
  expect(written).toEqual([KEYED_ID, KEYED_ID]);
  const order: string[] = [];
  let find!: () => void;
  const slow = makeWatchedRuns({ written: () => new Promise((resolve) => (find = resolve)) });
  const begun = slow.runs.begin(async (inside) => {
    callOf(inside, "read");
    await inside.beforeCall?.();
    order.push("called");
    return answerOf("done");
  }, keyed());
  await delay(10);
  order.push("found");
  find();
  await begun;
  expect(order).toEqual(["found", "called"]);
  let hasWait: boolean | undefined;
  await makeRuns().runs.begin(async ({ beforeCall }) => {
    hasWait = beforeCall !== undefined;
    return answerOf("done");
  }, aRequest());
  expect(hasWait).toBe(false);
});

test("orders of others reach a run that has a key while its request waits, and no run that is over", async () => {
  const { runs, shared } = makeWatchedRuns();
  const replies: PersonsReply[] = [];
  const patient: WaitingRequest = { ...keyed(), ask: () => new Promise(() => undefined) };
  const begun = runs.begin(async (inside) => {
    replies.push(await inside.ask(QUESTION, inside.signal));
    return answerOf(inside.signal.aborted ? "cancelled" : "done");
  }, patient);
  await expect.poll(() => shared.at(-1)?.question).toBe(1);
  runs.answer(KEYED_ID, 2, { action: "accept" });
  runs.answer("none", 1, { action: "accept" });
  runs.answer(KEYED_ID, 1, { action: "decline" });
  expect(await begun).toEqual({ kind: "ended", result: answerOf("done") });
  expect(replies).toEqual([{ action: "decline" }]);
  const count = shared.length;
  await runs.end(KEYED_ID);
  runs.answer(KEYED_ID, 1, { action: "accept" });
  expect([shared.length, shared.at(-1)?.question]).toEqual([count, undefined]);
});

test("a run that has a key is ended by its id while its request waits", async () => {
  const { runs, shared } = makeWatchedRuns();
  const begun = runs.begin(aRun().work, keyed());
  await runs.end(KEYED_ID);
  expect(await begun).toEqual({ kind: "ended", result: answerOf("cancelled") });
  expect(shared.some(({ isCancelled, ended }) => isCancelled && !ended)).toBe(true);
});

test("a question that comes too late for its own time is answered for the person", async () => {
  const { runs } = makeRuns();
  const replies: PersonsReply[] = [];
  await runs.begin(async ({ ask }) => {
    replies.push(await ask(QUESTION, AbortSignal.abort()));
    return answerOf("done");
  }, aRequest());
  expect(replies).toEqual([{ action: "cancel" }]);
});

test("a question that a person sees is not put again to the request that waits then", async () => {
  const { runs } = makeRuns();
  let shown = 0;
  const request = (): WaitingRequest => ({
    ...aRequest(),
    ask: () => {
      shown += 1;
      return new Promise(() => undefined);
    },
  });
  const begun = await runs.begin(async ({ ask, signal }) => {
    await ask(QUESTION, signal);
    return answerOf("done");
  }, request());
  expect(begun).toMatchObject({ kind: "continues" });
  const { id } = begun as { id: string };
  expect(await runs.wait(id, request())).toMatchObject({ kind: "continues" });
  expect(shown).toBe(1);
  runs.answer(id, 1, { action: "accept" });
  expect(await runs.wait(id, request())).toEqual({ kind: "ended", result: answerOf("done") });
});

test("a run that waits for something lets its request go with what that is, until it has come", async () => {
  const { runs } = makeRuns({ detachAfterMs: 20_000 });
  const run = aRun();
  let resume!: () => void;
  const seen: boolean[] = [];
  const begun = await runs.begin(async (inside) => {
    seen.push(inside.isDetached());
    await delay(1);
    inside.detach([FINDING]);
    resume = inside.resume;
    const answer = await run.work(inside);
    seen.push(inside.isDetached());
    return answer;
  }, aRequest());
  expect(begun).toMatchObject({ kind: "continues", findings: [FINDING] });
  const { id } = begun as { id: string };
  resume();
  expect(await runs.look(id, "one")).toMatchObject({ findings: [] });
  run.end("done");
  expect(await runs.wait(id, aRequest())).toMatchObject({ kind: "ended" });
  expect(seen).toEqual([false, true]);
});

test("a run that waits for something keeps the request that waits as long as it takes", async () => {
  const { runs } = makeRuns({ detachAfterMs: 0 });
  const run = aRun();
  const begun = runs.begin(async (inside) => {
    await delay(1);
    inside.detach([FINDING]);
    return run.work(inside);
  }, aRequest());
  await delay(20);
  run.end("done");
  expect(await begun).toEqual({ kind: "ended", result: answerOf("done") });
});

test("what a run logs and calls reaches the request that waits for it, and no request that is gone", async () => {
  const { runs } = makeRuns();
  const run = aRun();
  const streams = [0, 1].map(() => [] as string[]) as [string[], string[]];
  const request = (stream: string[]): WaitingRequest => ({
    ...aRequest(),
    stream: { logged: ({ message }) => stream.push(message), callEvent: ({ kind }) => stream.push(kind) },
  });
  let inside!: RunInside;
  const begun = runs.begin((given) => run.work((inside = given)), request(streams[0]));
  run.log("one");
  callOf(inside, "read");
  const { id } = (await begun) as { id: string };
  run.log("between");
  callOf(inside, "read", "ended");
  const waited = runs.wait(id, request(streams[1]));
  run.log("two");
  expect(await waited).toMatchObject({ kind: "continues", logs: [{ message: "between" }, { message: "two" }] });
  expect(streams).toEqual([["one", "started"], ["two"]]);
});

test("a run that has failed is known as one without a result, and its failure is given as often as it is asked for", async () => {
  const { runs } = makeRuns();
  let fail!: () => void;
  const failing = new Promise<never>((_, reject) => (fail = () => reject(new Error("broken"))));
  const { id } = (await runs.begin(() => failing, aRequest())) as { id: string };
  fail();
  await delay(1);
  expect(await runs.look(id, "one")).toMatchObject({ ended: { at: expect.any(Number) } });
  expect((await runs.look(id, "one"))?.ended).not.toHaveProperty("result");
  for (const request of [aRequest(), aRequest()]) await expect(runs.wait(id, request)).rejects.toThrow("broken");
});

test("a reply to a run that asks nothing is late", async () => {
  const { runs } = makeRuns();
  const { id } = await detached(runs);
  expect(await runs.reply(id, 1, { action: "accept" }, aRequest())).toEqual({ kind: "late", id });
});

test("who cancels a run waits for its end, also where that takes longer than other requests wait", async () => {
  const time = takeClock();
  const { runs } = makeRuns({ detachAfterMs: 20 });
  const begun = await runs.begin(async ({ signal }) => {
    await new Promise((settle) => signal.addEventListener("abort", settle));
    await time.move(100);
    return answerOf("cleaned up");
  }, aRequest());
  const { id } = begun as { id: string };
  expect(await runs.cancel(id, aRequest())).toEqual({ kind: "ended", result: answerOf("cleaned up") });
});

test("a question that was answered is over: its time does not end the next one", async () => {
  const { runs } = makeRuns({ detachAfterMs: 0 });
  const expiry = new AbortController();
  const first = await runs.begin(async ({ ask, signal }) => {
    const replies = [await ask(QUESTION, expiry.signal), await ask(QUESTION, signal)];
    return answerOf(JSON.stringify(replies.map(({ action }) => action)));
  }, aRequest());
  const { id } = first as { id: string };
  expect(await runs.reply(id, 1, { action: "accept" }, aRequest())).toMatchObject({ kind: "asks", number: 2 });
  expiry.abort();
  const ended = await runs.reply(id, 2, { action: "decline" }, aRequest());
  expect(ended).toEqual({ kind: "ended", result: answerOf('["accept","decline"]') });
});

test("of two requests that wait, the later one sees what comes when the first has gone", async () => {
  const { runs } = makeRuns();
  const run = await detached(runs);
  const first = runs.wait(run.id, aRequest());
  const seen: string[] = [];
  const stream = { logged: ({ message }: { message: string }) => seen.push(message), callEvent: () => undefined };
  const second = runs.wait(run.id, { ...aRequest(), waitsForEnd: true, stream });
  await first;
  run.log("later");
  run.end("done");
  expect([seen, await second]).toEqual([["later"], { kind: "ended", result: answerOf("done") }]);
});
