import { describe, expect, onTestFinished, test, vi } from "vitest";
import { executeRun } from "../../../runtime/sandbox/pool/execute-run.ts";
import type { Ending } from "../../../runtime/sandbox/pool/ending-diagnostics.ts";
import type { Timekeeper } from "../../../runtime/sandbox/pool/timekeeper.ts";
import { makeRecorder } from "../../../extras/record/recorder.ts";
import { makeRunLog } from "../../../runtime/sandbox/pool/run-log.ts";
import { handleRead } from "../../../runtime/sandbox/pool/handle-call.ts";
import { makeToolCallDispatcher } from "../../../runtime/sandbox/pool/tool-call-dispatcher.ts";
import type { LogEntry } from "../../../schemas/run/answer.ts";
import { parseSandboxFrame } from "../../../runtime/sandbox/pool/frames.ts";
import { TEST_LIMITS, toBundle } from "../realm/run-script.ts";
import { MEBIBYTE, startTakenOver } from "./taken-over.ts";

/** Runs the host's side against such a process. */
async function attack(
  body: string,
  timekeeper?: Timekeeper,
  signal?: AbortSignal,
  maxMemoryBytes = 512 * MEBIBYTE,
): Promise<{ ending: Ending; logs: LogEntry[]; calls: number }> {
  const sandbox = await startTakenOver(body);
  let calls = 0;
  const handleCall = handleRead(async () => {
    calls += 1;
    return { ok: true as const, value: null };
  });
  const log = makeRunLog(1000, (message) => message, undefined);
  const dispatcher = makeToolCallDispatcher(handleCall, 100);
  const limits = { ...TEST_LIMITS, maxMemoryBytes, maxLogBytes: 1000, maxResultBytes: 1000 };
  const bundle = toBundle("");
  const ending = await executeRun({ sandbox, bundle, input: null, limits, log, dispatcher, signal, timekeeper });
  return { ending, logs: log.entries, calls };
}

// What no header may be: parse-sandbox-frame.test.ts.
const CALL = '{ type: "call", id: firstCallId, serverId: "s", toolName: "t" }';

describe("a process that was taken over ends in a protocol error by [11/untrusted]", () => {
  test.each([
    ["a frame of four gigabytes", "raw(Buffer.from([255, 255, 255, 255])); for (;;) raw(Buffer.alloc(65536));"],
    ["a frame just over the limit", "raw(Buffer.from([0, 0, 0, 1])); for (;;) raw(Buffer.alloc(65536));"],
    ["text that is not JSON", 'send("hello");'],
    ["bytes that are not UTF-8", "raw(Buffer.from([2, 0, 0, 0, 255, 254]));"],
    ["a header nested a million times", 'send("[".repeat(1e6));'],
    ["a second ready", 'json({ type: "ready" });'],
    [
      "a call with an id from the future",
      'json({ type: "call", id: firstCallId + 7, serverId: "s", toolName: "t" }, "{}");',
    ],
    ["a call with the first id that there is", 'json({ type: "call", id: 1, serverId: "s", toolName: "t" }, "{}");'],
    ["a call with the id of another", `json(${CALL}, "{}"); json(${CALL}, "{}");`],
    [
      "more logs than allowed",
      'for (;;) json({ type: "log", level: "log", timeMs: 1, message: "x".repeat(99), truncated: false });',
    ],
    ["a result that is not JSON", 'json({ type: "result", truncations: [], unawaited: [] }, "{bad");'],
    ["a result without a body", 'json({ type: "result", truncations: [], unawaited: [] });'],
    [
      "a result over the limit",
      'json({ type: "result", truncations: [], unawaited: [] }, JSON.stringify("x".repeat(2000)));',
    ],
    [
      "a result nested too deeply",
      'json({ type: "result", truncations: [], unawaited: [] }, "[".repeat(400) + "]".repeat(400));',
    ],
    ["a timer in a run that is not recorded", 'json({ type: "timer", id: 1, delayMs: 1, setMs: 0 });'],
    ["the end of such a timer", 'json({ type: "stopTimer", id: 1 });'],
    ["a word of waiting in such a run", 'json({ type: "idle", handled: 0 });'],
    ["its own end", "process.exit(0);"],
  ])("%s", async (_name, body) => {
    const before = process.memoryUsage().rss;
    const { ending } = await attack(body);

    expect(ending).toEqual({ kind: "broken", reason: expect.any(String) });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MEBIBYTE);
  });
});

describe("a process that was taken over in a recorded run ends in a protocol error by", () => {
  test.each([
    [
      "more timers than a script may set",
      'for (let id = 1; ; id += 1) json({ type: "timer", id, delayMs: 50_000, setMs: 0 });',
    ],
    ["a timer with the id of another", 'for (;;) json({ type: "timer", id: 1, delayMs: 50_000, setMs: 0 });'],
  ])("%s", async (_name, body) => {
    expect(await attack(body, makeRecorder().timekeeper)).toMatchObject({ ending: { kind: "broken" } });
  });

  test("but not by timers that it stops, or by saying that it waits", async () => {
    const body = `
      for (let id = 1; id < 20_000; id += 1) { json({ type: "timer", id, delayMs: 50_000, setMs: 0 }); json({ type: "stopTimer", id }); }
      json({ type: "idle", handled: 9 });
      json({ type: "result", truncations: [], unawaited: [] }, "5");`;
    expect(await attack(body, makeRecorder().timekeeper)).toMatchObject({ ending: { kind: "result", value: 5 } });
  });
});

test("a call whose input is nested too deeply or no JSON never reaches a tool, and the run goes on", async () => {
  const { ending, calls } = await attack(`
    json(${CALL}, "[".repeat(1e6));
    json({ type: "call", id: firstCallId + 1, serverId: "s", toolName: "t" }, "nonsense");
    json({ type: "result", truncations: [], unawaited: [] }, "5");`);
  expect({ ending, calls }).toMatchObject({ ending: { kind: "result", value: 5 }, calls: 0 });
});

test("what comes after the result is not heard", async () => {
  const { ending, logs } = await attack(`
    json({ type: "result", truncations: [], unawaited: [] }, "5");
    json({ type: "log", level: "log", timeMs: 1, message: "late", truncated: false });
    json({ type: "failure", errors: [{ kind: "uncaught", name: "", message: "late", stack: "", hint: "" }] });`);
  expect({ ending, logs }).toMatchObject({ ending: { kind: "result", value: 5 }, logs: [] });
});

describe("calls that come after the end reach no tool, of a run that ended", () => {
  const call = (number: number) =>
    `text({ type: "call", id: firstCallId + ${number}, serverId: "s", toolName: "t" }, "{}")`;
  const late = [0, 1, 2].map(call).join(", ");
  test.each([
    ["with a result", `text({ type: "result", truncations: [], unawaited: [] }, "5"), ${late}`, "result", 0],
    ["with an error", `text({ type: "failure", errors: [{ ...none, kind: "uncaught" }] }), ${late}`, "failure", 0],
    ["by breaking the protocol", `text({ type: "ready" }), ${late}`, "broken", 0],
    ["by one call too many", Array.from({ length: 105 }, (_, number) => call(number)).join(", "), "limit", 100],
  ])("%s", async (_name, frames, kind, heard) => {
    // In one write, so that the host has them all when it hears of the end.
    const { ending, calls } = await attack(`
      const none = { name: "", message: "", stack: "", hint: "" };
      const text = (value, body) => {
        const bytes = Buffer.from(JSON.stringify(value) + (body === undefined ? "" : "\\n" + body));
        const head = Buffer.alloc(4);
        head.writeUInt32LE(bytes.length);
        return Buffer.concat([head, bytes]);
      };
      raw(Buffer.concat([${frames}]));`);
    expect({ kind: ending.kind, calls }).toEqual({ kind, calls: heard });
  });
});

describe("a run that is cancelled before its process has the script", () => {
  test("is cancelled, even if its process resists", async () => {
    const { ending, calls } = await attack(`json(${CALL}, "{}");`, undefined, AbortSignal.abort());
    expect({ ending, calls }).toEqual({ ending: { kind: "cancelled" }, calls: 0 });
  });
});

test("a run that has ended watches the memory of its process no longer", async () => {
  const stopped = vi.spyOn(globalThis, "clearInterval");
  onTestFinished(() => stopped.mockRestore());
  const started = vi.spyOn(globalThis, "setInterval");
  onTestFinished(() => started.mockRestore());
  await attack('json({ type: "result", truncations: [], unawaited: [] }, "5");');

  const watch: unknown = started.mock.results[0]?.value;
  expect(watch).toBeDefined();
  expect(stopped).toHaveBeenCalledWith(watch);
});

test("a frame that comes byte by byte is one frame", async () => {
  const { ending } = await attack(`
    const text = Buffer.from('{"type":"result","truncations":[],"unawaited":[]}\\n"é"');
    raw(Buffer.from([text.length, 0]));
    const rest = [0, 0, ...text];
    const next = () => { if (rest.length > 0) { raw(Buffer.from([rest.shift()])); setImmediate(next); } };
    next();`);
  expect(ending).toMatchObject({ kind: "result", value: "é" });
});

test("memory that the process takes outside of the protocol is watched all the same", async () => {
  const body = "globalThis.all = []; for (;;) all.push(Buffer.alloc(1e7, 1));";
  const { ending } = await attack(body, undefined, undefined, 128 * MEBIBYTE);
  expect(ending).toEqual({ kind: "limit", limit: "maxMemoryBytes" });
});

test("a protocol error does not quote what was sent", () => {
  expect(() => parseSandboxFrame('{"type":"<script>"}')).toThrow(/^a frame has an unknown type$/);
});
