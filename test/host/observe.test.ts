import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeConnectionSet } from "../../runtime/mcp/connection-set.ts";
import { joinSinks, observeByAll } from "../../runtime/host/observe.ts";
import type { BundleFacts, CallEnd, CallFacts, Observer, RunEnd, RunFacts } from "../../schemas/run/events.ts";
import type { ServerEvent } from "../../schemas/run/events.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { makeProject } from "../e2e/run-codemode.ts";
import { until } from "../serve/http/start-http.ts";

const RUN = { runId: "1", origin: "cli", subject: { kind: "script", name: "script.ts" } } as RunFacts;

test("without observers there is none, and a run without an observation is not observed", () => {
  expect(observeByAll([])).toBeUndefined();
  expect(observeByAll([{}, { runStarted: () => undefined }])?.runStarted?.(RUN)).toBeUndefined();
});

test("all receive events, their metadata for a call is merged, and one that throws affects no other", () => {
  const events: string[] = [];
  const throwing = (): never => {
    throw new Error("broken");
  };
  const broken: Observer = {
    runStarted: () => ({ bundled: throwing, callStarted: throwing, ended: throwing }),
    runTurnedAway: throwing,
    serverEvent: throwing,
    stateOffered: throwing,
  };
  const observerOf = (name: string): Observer => ({
    runStarted: ({ runId }) => ({
      callStarted: ({ number }) => ({
        meta: { [name]: runId },
        ended: ({ outcome }) => void events.push(`${name}: call ${number} ${outcome}`),
      }),
      ended: ({ ok }) => void events.push(`${name}: run ${ok}`),
    }),
    serverEvent: ({ serverId }) => void events.push(`${name}: ${serverId}`),
  });
  const observer = observeByAll([broken, observerOf("one"), { runStarted: throwing }, observerOf("two")]);
  const run = observer?.runStarted?.(RUN);
  const call = run?.callStarted?.({ number: 7 } as CallFacts);
  expect(call?.meta).toEqual({ one: "1", two: "1" });
  call?.ended?.({ outcome: "ok" } as CallEnd);
  run?.ended?.({ ok: true } as RunEnd);
  observer?.serverEvent?.({ kind: "disconnected", serverId: "trips", code: "closed", afterMs: 1 });
  observer?.stateOffered?.({});
  expect(events).toEqual([
    "one: call 7 ok",
    "two: call 7 ok",
    "one: run true",
    "two: run true",
    "one: trips",
    "two: trips",
  ]);
});

test("of several sinks one is made, which lacks what all of them lack: it is not computed then", () => {
  expect(joinSinks([undefined])).toBeUndefined();
  const seen: string[] = [];
  const joined = joinSinks([undefined, { bundled: () => void seen.push("bundled") }, { logged: undefined }]);
  expect(Object.keys(joined ?? {})).toEqual(["bundled"]);
  expect(joinSinks([{ logged: undefined }, {}])).toBeUndefined();
  expect(joinSinks([joined])).toBe(joined);
  const logging = joinSinks([joined, { logged: ({ message }) => void seen.push(message) }]);
  logging?.bundled?.({} as BundleFacts);
  logging?.logged?.({ level: "log", message: "here", timeMs: 0 });
  expect(seen).toEqual(["bundled", "here"]);
});

test("what a function of the caller throws about a line of the console or a call is reported once, and ends nothing", () => {
  const fail = (): never => {
    throw new Error("of the caller");
  };
  const failed: string[] = [];
  const heard: string[] = [];
  const other = { logged: ({ message }: { message: string }) => void heard.push(message) };
  const joined = joinSinks([{ logged: fail, callEvent: fail }, { ended: fail }, other], (name, error) =>
    failed.push(`${name}: ${String(error)}`),
  );
  for (const message of ["one", "two"]) joined?.logged?.({ level: "log", message, timeMs: 0 });
  joined?.callEvent?.({ kind: "started", serverId: "a", toolName: "b", number: 1 });
  joined?.ended?.({} as RunEnd);
  expect(heard).toEqual(["one", "two"]);
  expect(failed).toEqual(["onLog", "onCall", "observers"].map((name) => `${name}: Error: of the caller`));
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
