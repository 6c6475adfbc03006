import { describe, expect, test, vi } from "vitest";
import type { Ending } from "../../../runtime/sandbox/pool/ending-diagnostics.ts";
import type { SandboxProcess } from "../../../runtime/sandbox/pool/sandbox-process.ts";
import type { Timekeeper } from "../../../runtime/sandbox/pool/timekeeper.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";
import type { ToolReply } from "../../../schemas/lock/tools.ts";
import { callWith, executeTakenOver, MEBIBYTE, RESULT } from "./taken-over.ts";

/** Ends with the first frame that the process has received. */
const TELL = 'json({ type: "result", truncations: [], unawaited: [] }, JSON.stringify(header));';

function valueOf(ending: Ending): JsonObject {
  if (ending.kind !== "result") throw new Error(JSON.stringify(ending));
  return ending.value as JsonObject;
}

describe("a process receives", () => {
  test.each([
    ["small limits", { maxLogBytes: 1000, maxResultBytes: 5000 }, 8 * MEBIBYTE],
    ["long logs, each byte of which may take six", { maxLogBytes: 2 * MEBIBYTE, maxResultBytes: 5000 }, 12 * MEBIBYTE],
    ["a long result", { maxLogBytes: 1000, maxResultBytes: 20 * MEBIBYTE }, 20 * MEBIBYTE],
  ])("its limits, and the longest frame that they need: %s", async (_name, limits, bytes) => {
    const { ending } = await executeTakenOver(TELL, { limits });
    const header = valueOf(ending);
    expect(header).toEqual({
      type: "run",
      ...limits,
      maxFrameBytes: bytes + 64 * 1024,
      firstCallId: expect.any(Number),
      randomKey: Array.from({ length: 8 }, () => expect.any(Number)),
      seed: Array.from({ length: 4 }, () => expect.any(Number)),
    });
  });

  test("a first id and a key that no other run has", async () => {
    const [first, second] = [
      valueOf((await executeTakenOver(TELL)).ending),
      valueOf((await executeTakenOver(TELL)).ending),
    ];
    expect(first["firstCallId"]).toBeGreaterThan(1000);
    expect(first["firstCallId"]).not.toBe(second["firstCallId"]);
    expect(first["randomKey"]).not.toEqual(second["randomKey"]);
    expect(first["seed"]).not.toEqual(second["seed"]);
  });

  test("the script and its input", async () => {
    const body = 'json({ type: "result", truncations: [], unawaited: [] }, runBody);';
    const { ending } = await executeTakenOver(body, { input: { a: 1 } });
    expect(valueOf(ending)).toEqual({ code: "the code", input: { a: 1 }, key: "" });
  });

  test("what it renews for the run after this one, where there may be one", async () => {
    const renew = "realm" as const;
    const retired = vi.fn<() => void>();
    const parts = () => ({ renew, release: retired });
    const { ending, sandbox } = await executeTakenOver(TELL, { parts });
    expect(valueOf(ending)["renew"]).toBe(renew);
    expect([retired.mock.calls.length, sandbox.isAlive()]).toEqual([1, true]);
  });
});

describe("a repeatable run", () => {
  /** Records its events. */
  function makeTimekeeper() {
    const heard: unknown[] = [];
    const start = { timeMs: 5, seed: [1, 2, 3, 4] };
    const timekeeper: Timekeeper = {
      start,
      begin: ({ send }) => {
        heard.push("begin");
        wire.send = send;
      },
      onCall: (...call) => void heard.push(["call", ...call]),
      onReply: (id, json) => {
        heard.push(["reply", id, json]);
        wire.send({ type: "reply", id, timeMs: 9 }, json);
      },
      onFrame: (frame) => {
        heard.push(frame.type);
        return frame.type !== "idle";
      },
      close: ({ kind }) => void heard.push(["close", kind]),
    };
    const wire: { send: SandboxProcess["send"] } = { send: () => {} };
    return { timekeeper, heard, start };
  }

  test("starts from what is recorded, and its process may serve another one", async () => {
    const { timekeeper, heard, start } = makeTimekeeper();
    const released = vi.fn<() => void>();
    const parts = () => ({ renew: "realm" as const, release: released });
    const { ending, sandbox } = await executeTakenOver(TELL, { timekeeper, parts });
    const header = valueOf(ending);
    expect(header).toMatchObject({ randomKey: [1, 2, 3, 4, 1, 2, 3, 4], replayable: start, renew: "realm" });
    expect(header["firstCallId"]).toBeGreaterThan(1000);
    expect(heard).toEqual(["begin", ["close", "result"]]);
    expect([released.mock.calls.length, sandbox.isAlive()]).toEqual([1, true]);
  });

  test("counts its calls from 1 for its timekeeper, and tells it of answers and timers in the order in which they come", async () => {
    const { timekeeper, heard } = makeTimekeeper();
    const body = `
      json({ type: "timer", id: 1, delayMs: 5, setMs: 0 });
      json({ type: "stopTimer", id: 1 });
      ${callWith("firstCallId")}
      const [reply, value] = next();
      const { id, ...others } = JSON.parse(reply);
      json({ type: "result", truncations: [], unawaited: [] }, JSON.stringify([id - firstCallId, others, JSON.parse(value)]));`;
    const { ending } = await executeTakenOver(body, {
      timekeeper,
      answer: async (input) => ({ ok: true, value: [input] }),
    });
    expect(valueOf(ending)).toEqual([0, { type: "reply", timeMs: 9 }, { ok: true, value: [7] }]);
    expect(heard).toEqual([
      "begin",
      "timer",
      "stopTimer",
      ["call", 1, { serverId: "s", toolName: "t", inputJson: "7" }],
      ["reply", 1, '{"ok":true,"value":[7]}'],
      ["close", "result"],
    ]);
  });

  test("ends where its timekeeper refuses a frame", async () => {
    const { timekeeper } = makeTimekeeper();
    const { ending } = await executeTakenOver('json({ type: "idle", handled: 0 });', { timekeeper });
    expect(ending).toEqual({ kind: "broken", reason: "a timer that it may not set" });
  });
});

describe("calls", () => {
  test("are answered under their ids, which follow each other", async () => {
    const body = `
      const said = [];
      for (const id of [firstCallId, firstCallId + 1, firstCallId + 2]) {
        ${callWith("id")}
        const [reply, value] = next();
        said.push(JSON.parse(reply).id - firstCallId, JSON.parse(value));
      }
      json({ type: "result", truncations: [], unawaited: [] }, JSON.stringify(said));`;
    const { ending } = await executeTakenOver(body, { answer: async (value) => ({ ok: true, value }) });
    const reply = { ok: true, value: 7 };
    expect(valueOf(ending)).toEqual([0, reply, 1, reply, 2, reply]);
  });

  test("that are answered when the run has ended send nothing", async () => {
    const sent: string[] = [];
    let answer: (reply: ToolReply) => void = () => {};
    const answered = new Promise<ToolReply>((resolve) => (answer = resolve));
    const parts = ({ send }: SandboxProcess): Partial<SandboxProcess> => ({
      send: (header, body) => {
        sent.push(header.type);
        send(header, body);
      },
    });
    await executeTakenOver(`${callWith("firstCallId")} ${RESULT}`, { answer: () => answered, parts });
    answer({ ok: true, value: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toEqual(["run"]);
  });
});
