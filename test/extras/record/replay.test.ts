import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ToolCall, ToolReply } from "../../../schemas/lock/tools.ts";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { ALL_NODE_VERSIONS, findNode, NODE_VERSIONS } from "../../node-versions/find-node.ts";
import { CALL, recordScript, replayScript } from "./record-script.ts";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Answers after `ms`; a call of "fail" with an error. */
const answerCall = async ({ toolName, input }: ToolCall): Promise<ToolReply> => {
  const { ms = 0 } = (input ?? {}) as { ms?: number };
  await pause(ms);
  return toolName === "fail"
    ? { ok: false, error: { errorClass: "ToolCallError", message: `no ${ms}`, hint: "Try again." } }
    : { ok: true, value: { echo: input, zulu: 1, alpha: [1, null, "ü\u2028\ud83d"] } };
};

const SCRIPTS: Record<string, string> = {
  "nothing at all": "",
  "a clock that is looked at before and after a pause":
    "const start = Date.now(); await sleep(12); console.log(Date.now() - start >= 12); __codemode_result__ = [start, new Date(), Date()];",
  "a loop that waits for the clock":
    "const start = Date.now(); while (Date.now() < start + 40); __codemode_result__ = Date.now() - start;",
  "random numbers, in bulk and in between":
    "const many = Array.from({ length: 1000 }, () => Math.random()); await call('a'); __codemode_result__ = [many, Math.random()];",
  "dates in words, of no date and of one":
    "const exact = new Intl.DateTimeFormat('en', { second: 'numeric', fractionalSecondDigits: 3 }); __codemode_result__ = [new Intl.DateTimeFormat('de', { timeStyle: 'long' }).format(), exact.format(), exact.formatToParts(), new Date(0).toString(), new Date().toLocaleString('fr'), new Date(2024, 0, 1).getTimezoneOffset()];",
  "a timer that races with a reply":
    "__codemode_result__ = await Promise.race([sleep(5).then(() => 'timer'), call('a', { ms: 5 }).then(() => 'reply')]);",
  "replies that race with each other":
    "const order = []; await Promise.all([9, 3, 6, 3, 0].map(async (ms, at) => { await call('a', { ms }); order.push(at, Date.now()); })); __codemode_result__ = order;",
  "timers inside of timers, some of them stopped":
    "const seen = []; const stopped = setTimeout(() => seen.push('never'), 4); setTimeout(() => { seen.push('outer'); setTimeout(() => seen.push('inner'), 0); clearTimeout(stopped); }, 2); await sleep(20); __codemode_result__ = seen;",
  "timers of the same time, in the order of their start":
    "const seen = []; for (const at of [1, 2, 3]) setTimeout(() => { seen.push(at); Promise.resolve().then(() => seen.push(`after ${at}`)); }, 3); await sleep(10); __codemode_result__ = seen;",
  "a call that is not awaited":
    "call('a', { ms: 8 }).then(() => console.log('late', Date.now())); __codemode_result__ = 1;",
  "the web's random values, clock and signals":
    "const timed = AbortSignal.timeout(5); await call('a'); const at = performance.now(); await new Promise((resolve) => timed.addEventListener('abort', resolve)); __codemode_result__ = [crypto.randomUUID(), [...crypto.getRandomValues(new Uint32Array(4))], at, performance.now(), performance.timeOrigin, timed.reason.name];",
  "a result that is a promise": "__codemode_result__ = sleep(4).then(() => Math.random());",
  "timers that are waited for after the top level": "setTimeout(() => { __codemode_result__ = Date.now(); }, 6);",
  "an error of a tool that is caught":
    "__codemode_result__ = await call('fail', { ms: 3 }).catch((error) => [error.name, error.message]);",
  "an uncaught error": "console.warn('before'); await call('fail', { ms: 2 });",
  "an unhandled rejection": "Promise.reject(new Error('lost')); await sleep(3);",
  "an error inside of a timer": "setTimeout(() => { throw new TypeError('in a timer'); }, 2); await sleep(30);",
  "a stack":
    "const inner = async () => { await sleep(1); return new Error('here').stack; }; __codemode_result__ = await inner();",
  "a promise that nothing settles": "console.log('waiting'); await new Promise(() => {});",
  "the order of members":
    "const { value } = { value: await call('a', { z: 1, a: 2 }) }; __codemode_result__ = [value, Object.keys(value)];",
  "questions about tools":
    "__codemode_result__ = JSON.parse(await __codemode_call__('@codemode/discovery', 'listServers', '{}'));",
  "a call that is no JSON": "__codemode_result__ = await __codemode_call__('server', 'a', '{');",
  "subclasses of dates":
    "class Day extends Date { iso() { return this.toISOString().slice(0, 10); } } const day = new Day(); __codemode_result__ = [day.iso().length, day instanceof Date, day.constructor === Day, new Date().constructor === Date, typeof Date()];",
  "logs of every kind":
    "console.debug({ a: [1n, new Map([[1, 2]])] }); console.error(new Error('logged')); console.log(new Date(), Symbol('s'));",
};

describe.each(ALL_NODE_VERSIONS)("on Node %s, a replay gives the same answer as the run", (version) => {
  let pool: SandboxPool;
  beforeAll(() => {
    pool = makeSandboxPool({ node: findNode(version), size: 2 });
  }, 120_000);
  afterAll(() => pool.close());

  test.each(Object.entries(SCRIPTS))("of %s", async (_name, script) => {
    const { answer, recording } = await recordScript(CALL + script, { pool, answerCall });
    const replay = await replayScript(recording, { pool });
    expect(replay.divergence).toBeUndefined();
    expect(JSON.stringify(replay.answer)).toBe(JSON.stringify(answer));
  });
});

describe("a recording", () => {
  let pool: SandboxPool;
  beforeAll(() => {
    pool = makeSandboxPool({ size: 2 });
  });
  afterAll(() => pool.close());

  test("holds a thousand calls, which are replayed in no time of the clock", async () => {
    const script = `${CALL} const replies = []; for (let at = 0; at < 990; at += 3) replies.push(...await Promise.all([0, 1, 2].map((more) => call("a", { at: at + more })))); __codemode_result__ = replies.map((reply) => reply.at);`;
    const { answer, recording } = await recordScript(script, { pool });
    expect(recording.calls).toHaveLength(990);
    const replay = await replayScript(recording, { pool });
    expect(replay.divergence).toBeUndefined();
    expect(replay.answer).toEqual(answer);
  });

  test("keeps when each call began and ended, in the script's time", async () => {
    const script = `${CALL} await sleep(5); await call("a", { ms: 10 });`;
    const { recording } = await recordScript(script, { pool, answerCall });
    const [call] = recording.calls;
    expect(call?.startMs).toBeGreaterThanOrEqual(5);
    expect((call?.endMs ?? 0) - (call?.startMs ?? 0)).toBeGreaterThanOrEqual(9);
    expect(recording.events).toEqual([
      { timeMs: expect.any(Number), timer: 1 },
      { timeMs: call?.endMs, call: 1 },
    ]);
  });

  test("of long pauses is replayed without them", async () => {
    const script = `${CALL} const start = Date.now(); await sleep(700); __codemode_result__ = Date.now() - start >= 700;`;
    const { recording } = await recordScript(script, { pool });
    const limits = { ...recording.limits, timeoutMs: 600 };
    expect((await replayScript({ ...recording, limits }, { pool })).answer).toMatchObject({
      result: true,
      diagnostics: [],
    });
  });

  test("of a run that was refused a call too many ends there again", async () => {
    const script = `${CALL} for (let at = 0; ; at += 1) console.log(await call("a", { at }));`;
    const { answer, recording } = await recordScript(script, { pool, limits: { maxToolCalls: 3 } });
    expect(answer.diagnostics).toMatchObject([
      { code: "SANDBOX_LIMIT", message: expect.stringContaining("maxToolCalls") },
    ]);
    const replay = await replayScript(recording, { pool });
    expect(replay.divergence).toBeUndefined();
    expect(replay.answer).toEqual(answer);
  });

  test("of a run whose time was up ends at once, with the same answer", async () => {
    const script = `${CALL} console.log("waiting"); setTimeout(() => {}, 60_000); await call("a", { ms: 60_000 });`;
    const { answer, recording } = await recordScript(script, {
      pool,
      limits: { timeoutMs: 300 },
      answerCall: () => new Promise(() => {}),
    });
    const patient = { ...recording, limits: { ...recording.limits, timeoutMs: 9_000 } };
    const replay = await replayScript(patient, { pool });
    expect(replay.divergence).toBeUndefined();
    expect(replay.answer.logs).toEqual(answer.logs);
    expect(replay.answer.diagnostics).toMatchObject([{ code: "SANDBOX_LIMIT" }]);
  });

  test("of a run that was cancelled, or ran out of memory, is the same as far as it goes", async () => {
    const cancellation = new AbortController();
    const cancelled = await recordScript(`${CALL} console.log("one"); await call("a");`, {
      pool,
      signal: cancellation.signal,
      answerCall: () => {
        cancellation.abort();
        return new Promise(() => {});
      },
    });
    expect(await replayScript(cancelled.recording, { pool })).toMatchObject({
      answer: { logs: [{ message: "one" }], diagnostics: [{ code: "RUN_CANCELLED" }] },
    });
    const bomb = `console.log("two"); const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length));`;
    const { recording } = await recordScript(bomb, { pool });
    expect(recording.ending).toBe("maxMemoryBytes");
    const replay = await replayScript(recording, { pool });
    expect(replay.divergence).toBeUndefined();
    expect(replay.answer.logs).toMatchObject([{ message: "two" }]);
  });

  test("of cut logs and a cut result is replayed with the same cuts", async () => {
    const script = `for (let at = 0; at < 100; at += 1) console.log("line", at, Math.random()); __codemode_result__ = "x".repeat(5000);`;
    const { answer, recording } = await recordScript(script, {
      pool,
      limits: { maxLogBytes: 500, maxResultBytes: 1000 },
    });
    expect(answer.diagnostics.map(({ code }) => code)).toEqual(["RESULT_TRUNCATED", "SANDBOX_LIMIT"]);
    expect((await replayScript(recording, { pool })).answer).toEqual(answer);
  });

  test("is replayed on another version of Node, where nothing depends on it", async () => {
    const script = `${CALL} console.log(Math.random(), Date.now(), new Date(2030, 5, 5).toISOString()); __codemode_result__ = await call("a", { ms: 2 });`;
    const { answer, recording } = await recordScript(script, { pool, answerCall });
    for (const version of NODE_VERSIONS) {
      const other = makeSandboxPool({ node: findNode(version), refill: false });
      try {
        expect((await replayScript(recording, { pool: other })).answer).toEqual(answer);
      } finally {
        await other.close();
      }
    }
  }, 60_000);

  test("can be replayed any number of times at once", async () => {
    const { answer, recording } = await recordScript(
      `${CALL} __codemode_result__ = [await call("a", { ms: 3 }), Math.random()];`,
      { pool, answerCall },
    );
    const replays = await Promise.all(Array.from({ length: 5 }, () => replayScript(recording, { pool })));
    for (const replay of replays) expect(replay.answer).toEqual(answer);
  });

  test("cannot ask for more than the host allows", async () => {
    const { recording } = await recordScript("console.log(1);", { pool });
    const greedy = { ...recording, limits: { ...recording.limits, maxLogBytes: 2 ** 40, maxMemoryBytes: 2 ** 50 } };
    const source = `for (let line = 0; line < 10; line += 1) console.log("x".repeat(1_000_000));`;
    const { answer } = await replayScript(greedy, { pool }, source);
    expect(answer.logs.at(-1)?.message).toContain("Logs truncated");
  });
});
