import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeHostEvents } from "../../engine/observers.ts";
import { reportRun } from "../../engine/run/report-runs.ts";
import type { Host, RunRequest } from "../../engine/run/host.ts";
import { makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { failedAnswer } from "../../schemas/run/answer.ts";
import { makeEmit } from "../../schemas/run/call-back.ts";
import type { HostEvent, RunEvent, RunFacts, ServerEvent } from "../../schemas/run/events.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { makeProject } from "../e2e/run-codemode.ts";
import { until } from "../serve/http/start-http.ts";

const RUN: RunFacts = { runId: "1", origin: "cli", subject: { kind: "script", name: "script.ts" } };
const log = (message: string): RunEvent => ({ type: "log", entry: { level: "log", message, timeMs: 0 } });
const fail = (): never => {
  throw new Error("of the listener");
};
const silent = (): void => undefined;

/** Every kind of event that a listener can fail at. */
const TYPES = Object.keys({
  ...{ "run-started": true, bundled: true, reviewed: true, "script-started": true, log: true, "run-ended": true },
  ...{ "call-started": true, "call-checked": true, "call-reviewed": true, "call-progress": true, "call-settled": true },
  ...{ "call-ended": true, "question-ended": true, "script-ended": true, "call-skipped": true },
  ...{ "request-started": true, "request-admitted": true, "request-failed": true, "request-named": true },
  ...{ "request-ended": true, "session-started": true, "session-ended": true, "run-turned-away": true },
  ...{ "access-refused": true, "server-changed": true, "state-offered": true },
} satisfies Record<HostEvent["type"], true>) as HostEvent["type"][];

test("without listeners there is no emit, so that no event is made", () => {
  expect(makeEmit([["onLog", undefined]])).toBeUndefined();
  expect(makeHostEvents([], undefined, silent)).toBeUndefined();
  const tracing = { traceOf: () => undefined, enter: () => undefined };
  expect(makeHostEvents([], tracing, silent)?.open()).toBeUndefined();
});

test.each(TYPES)("a listener that fails at %s hears nothing more, and the other one hears all", async (type) => {
  for (const how of [fail, async () => fail()]) {
    const [failing, other, reported]: [string[], string[], string[]] = [[], [], []];
    const emit = makeEmit<{ type: string }>(
      [
        ["first", (event) => (failing.push(event.type), event.type === type ? how() : undefined)],
        ["second", (event) => void other.push(event.type)],
      ],
      (name, error) => void reported.push(`${name}: ${String(error)}`),
    );
    for (const each of [...TYPES, ...TYPES]) {
      emit?.({ type: each });
      // A promise rejects in a later turn.
      await new Promise((done) => setImmediate(done));
    }
    expect(failing).toEqual(TYPES.slice(0, TYPES.indexOf(type) + 1));
    expect(other).toEqual([...TYPES, ...TYPES]);
    expect(reported).toEqual(["first: Error: of the listener"]);
  }
});

test("a promise that rejects after several events is reported once", async () => {
  const reported: string[] = [];
  const emit = makeEmit<number>([["slow", async () => fail()]], (name) => void reported.push(name));
  for (const each of [1, 2, 3]) emit?.(each);
  await new Promise((done) => setImmediate(done));
  expect(reported).toEqual(["slow"]);
});

/** A host with these listeners, whose runs log "a" and "b". */
function makeReporting(listeners: ((event: HostEvent) => unknown)[]) {
  const notes: string[] = [];
  const events = makeHostEvents(listeners, undefined, (line) => void notes.push(line));
  const inside: Host["run"] = async ({ emit }) => {
    for (const message of ["a", "b"]) emit?.(log(message));
    return failedAnswer([]);
  };
  const request = { script: { name: "script.ts", code: "" }, access: {} } as RunRequest;
  const run = (changes: Partial<RunRequest> = {}) =>
    reportRun({ events, origin: "cli" }, { ...request, ...changes }, inside);
  return { notes, events, run };
}

test("a listener of the host that fails is off for that run, and its line is logged once", async () => {
  const heard: string[] = [];
  const other: string[] = [];
  const failing = (event: HostEvent): void => {
    heard.push(event.type);
    if (event.type === "log") fail();
  };
  const { run, notes, events } = makeReporting([failing, ({ type }) => void other.push(type)]);
  await run();
  expect(heard.splice(0)).toEqual(["run-started", "log"]);
  expect(other).toEqual(["run-started", "log", "log", "run-ended"]);
  await run();
  // What belongs to no run is emitted each for itself.
  for (const _ of [1, 2]) events?.emit({ type: "run-turned-away", code: "QUEUE_FULL" });
  expect(heard).toEqual(["run-started", "log", "run-turned-away", "run-turned-away"]);
  expect(notes).toEqual(["`observers` of the program has failed: of the listener"]);
});

test("a run and its caller's listener hear nothing of a listener of the host that fails", async () => {
  const { run } = makeReporting([fail]);
  const heard: string[] = [];
  expect(await run({ emit: ({ type }) => void heard.push(type) })).toEqual(failedAnswer([]));
  expect(heard).toEqual(["run-started", "log", "log", "run-ended"]);
});

test("what is replayed reaches listeners of the host, and not those of the run", async () => {
  const [host, own]: [HostEvent[], RunEvent[]] = [[], []];
  const inside: Host["run"] = async ({ emit }) => {
    emit?.({ type: "call-started", serverId: "a", toolName: "b", number: 1, isReplayed: true });
    emit?.({ type: "call-started", serverId: "a", toolName: "b", number: 2 });
    return failedAnswer([]);
  };
  const events = makeHostEvents([(event) => host.push(event)], undefined, silent);
  const request = { script: { name: "script.ts", code: "" }, access: {}, runId: () => RUN.runId } as RunRequest;
  await reportRun({ events, origin: "cli" }, { ...request, emit: (event) => own.push(event) }, inside);
  const callsOf = (heard: (HostEvent | RunEvent)[]) => heard.filter(({ type }) => type === "call-started");
  expect(callsOf(host)).toMatchObject([{ isReplayed: true, run: { runId: "1" } }, { number: 2 }]);
  expect(callsOf(own)).toMatchObject([{ number: 2 }]);
});

test("a tracer that fails takes no part, and is reported", async () => {
  const notes: string[] = [];
  const events = makeHostEvents([], { traceOf: fail, enter: fail }, (line) => void notes.push(line));
  expect(events?.tracing?.enter(RUN, 1)).toBeUndefined();
  expect(events?.tracing?.traceOf({ transport: "http", requestId: 1, arrivedAt: 0 })).toBeUndefined();
  expect(notes).toEqual(["`observers` of the program has failed: of the listener"]);
});

test("it receives events when a server connects, ends, reconnects, and is unreachable", async () => {
  const folder = await makeProject({ "tools.json": [{ name: "end", inputSchema: {}, "x-exit": true }] });
  const entries = {
    trips: { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] },
    nowhere: { command: "no-such-command-of-codemode" },
  };
  const events: ServerEvent[] = [];
  const connections = makeConnectionSet(toConfig({ mcpServers: entries }, "config.json", folder), {
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => connections.close());
  await expect((await connections.get("trips")).callTool("end", {})).rejects.toThrow();
  await until(() => events.length > 1);
  await connections.get("trips");
  await expect(connections.get("nowhere")).rejects.toThrow();
  await connections.close();
  const number = expect.any(Number);
  const unreachable = { kind: "unreachable", serverId: "nowhere", durationMs: number };
  expect(events).toEqual([
    { kind: "connected", serverId: "trips", transport: "stdio", durationMs: number, restarts: 0 },
    { kind: "disconnected", serverId: "trips", code: "closed", afterMs: number },
    { kind: "connected", serverId: "trips", transport: "stdio", durationMs: number, restarts: 1 },
    { ...unreachable, code: "command-not-found", reason: expect.stringContaining("no-such-command-of-codemode") },
  ]);
});
