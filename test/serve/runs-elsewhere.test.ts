import { beforeEach, describe, expect, test } from "vitest";
import type { DurableRuns } from "../../engine/extras.ts";
import { storeUnreachable } from "../../schemas/config/serve-errors.ts";
import { durableRunUnknown } from "../../schemas/errors.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import type { AnswerOutcome, RunOverview } from "../../schemas/run/durable-run.ts";
import type { WaitingRequest } from "../../serve/long-runs/runs.ts";
import { toRunResult } from "../../serve/surfaces/run-tool.ts";
import { takeClock } from "../move-clock.ts";
import { aRequest, detached, makeRuns } from "./make-runs.ts";

const ID = "r".repeat(22);
const LOOK_MS = 250;
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

const WAITING: RunOverview = {
  ...{ id: ID, key: "key", script: "script.ts", begunAt: 1, state: "waiting", calls: 1 },
  questions: [['- "files/write"']],
};

/** A durable run that another process has. */
async function startDurable(detachAfterMs = 20_000, mayApprove = true) {
  const state: { run?: RunOverview; fault?: Error; outcome?: AnswerOutcome } = {};
  const answers: unknown[][] = [];
  const cancelled: string[] = [];
  const durable = {
    async find() {
      if (state.fault !== undefined) throw state.fault;
      return state.run ?? Promise.reject(durableRunUnknown(ID));
    },
    cancel: async (id: string) => void cancelled.push(id),
    async answer(...given: unknown[]) {
      answers.push(given);
      if (state.run === undefined) throw durableRunUnknown(ID);
      return state.outcome ?? "given";
    },
  } as unknown as DurableRuns;
  return {
    ...{ state, answers, ...makeRuns({ durable: Promise.resolve(durable), mayApprove, detachAfterMs }) },
    async stands(endedAt?: number, error?: string) {
      const answer = { ...failedAnswer([]), result: "done" };
      state.run =
        endedAt === undefined ? WAITING : { ...WAITING, state: "ended", questions: [], answer, endedAt, error };
    },
    wasCancelled: async (id = ID) => cancelled.pop() === id,
  };
}

const result = toRunResult({ ...failedAnswer([]), result: "done", runId: ID });

describe("a run that another process has", () => {
  const YES = { action: "accept", content: { approve: "Allow" } } as const;

  test.each([
    [YES, { verdict: "granted" }],
    [{ action: "decline" } as const, { verdict: "refused" }],
    [
      { action: "accept", content: { decision: "change", text: '{"a":1}' } } as const,
      { verdict: "changed", input: { a: 1 } },
    ],
  ])("gets an answer of its client by its log: %j", async (reply, decision) => {
    const { runs, stands, answers } = await startDurable();
    await stands(2);
    expect(await runs.reply(`${ID}.2`, reply, aRequest())).toEqual({ kind: "ended", result });
    const proof = { form: { client: undefined, mayApprove: true } };
    expect(answers).toEqual([[`${ID}.2`, { ...decision, by: { way: "form" } }, proof]]);
  });

  test("gets none that is no answer, comes too late, or is of a client that may not approve", async () => {
    const late = { kind: "ended", result, isLate: true };
    const other = await startDurable();
    await other.stands(2);
    for (const reply of [{ action: "cancel" }, { action: "accept", content: {} }] as const)
      expect(await other.runs.reply(`${ID}.2`, reply, aRequest())).toEqual(late);
    expect(other.answers).toEqual([]);
    other.state.outcome = "answered";
    expect(await other.runs.reply(`${ID}.2`, YES, aRequest())).toEqual(late);
    for (const changed of [`${ID}.2-TAMPERED`, `${ID}.02`, ID])
      expect(await other.runs.reply(changed, YES, aRequest())).toBe("never-asked");
    const reserved = await startDurable(20_000, false);
    await reserved.stands(2);
    reserved.state.outcome = "wrong";
    expect(await reserved.runs.reply(`${ID}.2`, YES, aRequest())).toEqual(late);
    expect(reserved.answers).toMatchObject([[`${ID}.2`, {}, { form: { mayApprove: false } }]]);
    const none = await startDurable();
    expect(await none.runs.reply(`${ID}.2`, YES, aRequest())).toEqual({ kind: "lost", isLate: true });
  });

  test("is waited for as long as requests wait, and then the client reads what it waits for", async () => {
    const { runs, stands } = await startDurable();
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
    const { runs, stands } = await startDurable(detachAfterMs);
    await stands();
    const waiting = runs.wait(ID, { ...aRequest(), waitsForEnd });
    await time.move(0);
    await time.move(59_000);
    await time.move(LOOK_MS);
    await stands(2);
    expect(await atNextLook(waiting)).toEqual({ kind: "ended", result });
  });

  test("is waited for while it cannot be looked at, and is not lost: the client reads that it may go on", async () => {
    const { runs, stands, state, wasCancelled } = await startDurable(0);
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
    const { runs, stands } = await startDurable();
    expect([await runs.look(ID, ""), await runs.wait(ID, aRequest())]).toEqual([undefined, { kind: "lost" }]);
    await stands();
    const findings = [expect.objectContaining({ code: "RUN_CONTINUES" })];
    expect(await runs.look(ID, "")).toMatchObject({ id: ID, begunAt: 1, isCancelled: false, findings });
    expect((await runs.look(ID, ""))?.ended).toBeUndefined();
    await stands(7);
    expect(await runs.look(ID, "")).toMatchObject({ isCancelled: false, ended: { at: 7, result } });
    await stands(8, "RUN_CANCELLED");
    expect(await runs.look(ID, "")).toMatchObject({ isCancelled: true, ended: { at: 8 } });
  });

  test("is cancelled there, and waited for as by other requests; one that is over is not", async () => {
    const { runs, stands, wasCancelled } = await startDurable();
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
    await runs.end(ID, "");
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

test.each(["tool", "task"])(
  "a run that has ended here, and is blocked in its log, is cancelled there: by a %s",
  async (by) => {
    const { runs, state, wasCancelled } = await startDurable(1);
    const going = detached(runs);
    await time.move(1);
    const run = await going;
    state.run = { ...WAITING, id: ID, state: "blocked", answer: failedAnswer([]) };
    run.end("blocked");
    await time.move(0);
    if (by === "task") await runs.end(run.id, "one");
    else expect(await runs.cancel(run.id, aRequest())).toMatchObject({ kind: "ended" });
    expect(await wasCancelled(run.id)).toBe(true);
  },
);
