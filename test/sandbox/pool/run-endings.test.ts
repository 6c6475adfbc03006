import { getEventListeners } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { toEnding } from "../../../runtime/sandbox/pool/execute-run.ts";
import type { SandboxEnd } from "../../../runtime/sandbox/pool/sandbox-engine.ts";
import type { SandboxProcess } from "../../../runtime/sandbox/pool/sandbox-process.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import type { Manifest } from "../../../schemas/run/bundle.ts";
import { describeEnding } from "../../../runtime/sandbox/pool/ending-diagnostics.ts";
import { toBundle } from "../realm/run-script.ts";
import { makeScriptPositions } from "../../../runtime/sandbox/pool/script-positions.ts";
import type { ToolReply } from "../../../schemas/lock/tools.ts";
import { callWith, executeTakenOver, MEBIBYTE, RESULT } from "./taken-over.ts";

const FAILURE =
  'json({ type: "failure", errors: [{ kind: "uncaught", name: "E", message: "m", stack: "", hint: "" }] });';
const log = (message: string) =>
  `json({ type: "log", level: "log", timeMs: 1, message: "${message}", truncated: false });`;

describe("the end of a run", () => {
  test.each([
    ["a result", RESULT, { kind: "result", value: 5, truncations: [], unawaited: [] }],
    [
      "a result with all that belongs to it",
      `json({ type: "result", truncations: [{ pointer: "", unit: "items", kept: 1, total: 2 }], bigInts: { pointers: [""], total: 1 }, unawaited: ["s.t"] }, "5");`,
      {
        kind: "result",
        value: 5,
        truncations: [{ pointer: "", unit: "items", kept: 1, total: 2 }],
        bigInts: { pointers: [""], total: 1 },
        unawaited: ["s.t"],
      },
    ],
    [
      "an error",
      FAILURE,
      { kind: "failure", errors: [{ kind: "uncaught", name: "E", message: "m", stack: "", hint: "" }] },
    ],
    ["a second ready", 'json({ type: "ready" });', { kind: "broken", reason: "a second ready frame" }],
    ["a reset", 'json({ type: "reset", isClean: true });', { kind: "broken", reason: "a reset before its result" }],
    ["its process's end", "process.exit(1);", { kind: "broken", reason: "its process ended by itself" }],
  ])("is %s, and its process ends too", async (_name, body, expected) => {
    const { ending, sandbox } = await executeTakenOver(body);
    expect(ending).toStrictEqual(expected);
    await sandbox.ended;
  });

  test("is the limit of its time, where it has not ended before", async () => {
    const { ending, sandbox } = await executeTakenOver(log("waits"), { limits: { timeoutMs: 300 } });
    expect(ending).toEqual({ kind: "limit", limit: "timeoutMs" });
    expect(sandbox.isAlive()).toBe(false);
  });

  test("leaves no timer that keeps the process alive, and no listener", async () => {
    const [started, cleared] = [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "clearTimeout")];
    onTestFinished(() => [started, cleared].forEach((spy) => spy.mockRestore()));
    const { signal } = new AbortController();
    await executeTakenOver(RESULT, { signal, limits: { timeoutMs: 7777 } });
    const index = started.mock.calls.findIndex(([, ms]) => ms === 7777);
    expect(index).toBeGreaterThanOrEqual(0);
    expect(cleared.mock.calls.flat()).toContain(started.mock.results[index]?.value);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("is its cancellation, while it runs", async () => {
    const cancelling = new AbortController();
    const answer = async (): Promise<ToolReply> => {
      cancelling.abort();
      return { ok: true, value: null };
    };
    const { ending, sandbox } = await executeTakenOver(callWith("firstCallId"), { answer, signal: cancelling.signal });
    expect(ending).toEqual({ kind: "cancelled" });
    expect(sandbox.isAlive()).toBe(false);
  });

  test("is there with its result before its process is killed", async () => {
    const killed = vi.fn<() => void>();
    const parts = ({ kill }: SandboxProcess) => ({
      kill: () => {
        killed();
        kill();
      },
    });
    const answered = await executeTakenOver(RESULT, { parts });
    expect(killed).not.toHaveBeenCalled();
    await answered.sandbox.ended;
    expect(killed).toHaveBeenCalledTimes(1);
  });
});

describe("what is still in the pipe at the end", () => {
  /** All in one write, so that the host has it when it hears of the end. */
  const together = (...frames: string[]) => `
    const parts = [];
    const raw = (bytes) => parts.push(bytes);
    const send = (text) => { const body = Buffer.from(text); const head = Buffer.alloc(4); head.writeUInt32LE(body.length); raw(head); raw(body); };
    const json = (value, body) => send(JSON.stringify(value) + (body === undefined ? "" : "\\n" + body));
    ${frames.join("\n")}
    fs.writeSync(4, Buffer.concat(parts));`;

  test("is read for its logs where the run was ended", async () => {
    const { ending, messages } = await executeTakenOver(together(log("one"), 'json({ type: "ready" });', log("two")));
    expect([ending.kind, messages]).toEqual(["broken", ["one", "two"]]);
  });

  test.each([
    ["a result", RESULT, "result"],
    ["an error", FAILURE, "failure"],
  ])("is not heard behind %s", async (_name, end, kind) => {
    const { ending, messages } = await executeTakenOver(together(log("one"), end, log("two")));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([ending.kind, messages]).toEqual([kind, ["one"]]);
  });

  test("changes the first end no more", async () => {
    const { ending } = await executeTakenOver(together('json({ type: "ready" });', RESULT, FAILURE));
    expect(ending).toMatchObject({ kind: "broken", reason: "a second ready frame" });
  });
});

test("a script has sixteen megabytes beyond its idle process, however little it may have", async () => {
  const grow = (mebibytes: number) =>
    `globalThis.all = Buffer.alloc(${mebibytes * MEBIBYTE}, 1); setTimeout(() => { ${RESULT} }, 100);`;
  expect(await executeTakenOver(grow(4), { limits: { maxMemoryBytes: 1 } })).toMatchObject({
    ending: { kind: "result" },
  });
  expect(await executeTakenOver(grow(100), { limits: { maxMemoryBytes: 1 } })).toMatchObject({
    ending: { kind: "limit", limit: "maxMemoryBytes" },
  });
});

describe("the end of a process is read off", () => {
  const gone: SandboxEnd = {
    exitCode: 0,
    signal: null,
    isOutOfMemory: false,
    wasKilled: false,
    isMemoryShort: undefined,
  };
  const memory = { kind: "limit", limit: "maxMemoryBytes" };
  test.each<[string, Partial<SandboxEnd>, object]>([
    ["nothing", {}, { kind: "broken", reason: "its process ended by itself" }],
    ["that we killed it", { signal: "SIGKILL", wasKilled: true, isOutOfMemory: true }, { kind: "cancelled" }],
    ["its time", { signal: "SIGXCPU" }, { kind: "limit", limit: "timeoutMs" }],
    ["a kill, where the machine does not say why", { signal: "SIGKILL" }, { kind: "host-memory" }],
    ["a kill, where the machine had no memory", { signal: "SIGKILL", isMemoryShort: true }, { kind: "host-memory" }],
    [
      "a kill, where it had some",
      { signal: "SIGKILL", isMemoryShort: false },
      { kind: "broken", reason: "its process was killed from outside" },
    ],
    ["a kill after V8's last words", { signal: "SIGKILL", isOutOfMemory: true, isMemoryShort: false }, memory],
    ["V8's last words", { exitCode: 134, isOutOfMemory: true }, memory],
    ...(["SIGABRT", "SIGBUS", "SIGILL", "SIGSEGV", "SIGTRAP"] as const).map(
      (signal) => [signal, { signal }, memory] as [string, Partial<SandboxEnd>, object],
    ),
    ["another signal", { signal: "SIGTERM" }, { kind: "broken", reason: "its process ended by itself" }],
  ])("%s", (_name, end, ending) => {
    expect(toEnding({ ...gone, ...end })).toEqual(ending);
  });
});

describe("what is said of memory that is used up", () => {
  const toolsOf = (serverId: string, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const name = `t${index}`;
      return { serverId, toolName: name, exportName: name, integrity: "sha256-x" } as const;
    });
  const hintWith = (tools: Manifest["tools"]) => {
    const context = { limits: DEFAULTS.limits, positions: makeScriptPositions(toBundle("")), waiting: [] };
    const [found] = describeEnding(
      { kind: "limit", limit: "maxMemoryBytes" },
      { ...context, audience: "agent", tools },
    );
    return found?.hint;
  };

  test("names a server that the script imports as a whole, for there may be no data to handle in parts", () => {
    expect(hintWith([...toolsOf("small", 3), ...toolsOf("elastic", 452)])).toContain(
      'The script loads 452 tools of "elastic": import by name what it calls',
    );
    expect(hintWith(toolsOf("small", 99))).toContain("Handle the data in parts");
  });
});
