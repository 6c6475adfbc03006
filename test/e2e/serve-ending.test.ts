import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { makeGeneratedProject, makeProject } from "./run-codemode.ts";
import { initialize, type Message, modernMeta, openWire, type Wire } from "./serve-clients.ts";

const HANGING = {
  command: process.execPath,
  args: [resolve("test/servers/hanging-server.mjs"), "notifications.txt"],
};

/** Waits for a tool that never answers, and says when it has begun to. */
const CODE = 'import { wait } from "@codemode/servers/hanging"; console.log("waiting"); await wait();';

function makeHangingProject(): Promise<string> {
  return makeGeneratedProject({ "codemode.config.json": { mcpServers: { hanging: HANGING } } });
}

function callRun(wire: Wire, id: number, _meta: JsonObject = {}, code = CODE): void {
  wire.send({
    id,
    method: "tools/call",
    params: { name: "codemode.run", arguments: { code }, _meta: { ..._meta, progressToken: id } },
  });
}

const isCalling = ({ params }: Message): boolean => String(params?.["message"]).startsWith("calling hanging/wait");

async function notificationsOf(cwd: string): Promise<string> {
  return readFile(join(cwd, "notifications.txt"), "utf8");
}

/** The processes that a process has started. */
async function childrenOf(pid: number | undefined): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  const pairs = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Looks until it is so; the time limit of the test ends it. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((settle) => setTimeout(settle, 20));
}

test.each([
  ["2025-11-25", {}],
  ["2026-07-28", modernMeta()],
])("%s: a client that cancels ends the run, and the server of the call is notified", async (_era, _meta) => {
  const cwd = await makeHangingProject();
  const wire = openWire(cwd);
  if (Object.keys(_meta).length === 0) await initialize(wire);
  callRun(wire, 77, _meta);
  await wire.find(isCalling);
  await writeFile(join(cwd, "notifications.txt"), "");
  wire.send({
    method: "notifications/cancelled",
    params: { requestId: 77, ...(_meta === undefined ? {} : { _meta }) },
  });
  await until(async () => (await notificationsOf(cwd)).includes("notifications/cancelled\n"));
  const next = await wire.ask("tools/call", {
    name: "codemode.run",
    arguments: { code: "export default 1;" },
    _meta,
  });
  expect(next.result).toMatchObject({ structuredContent: { result: 1 } });
  expect(wire.received.filter(({ id }) => id === 77)).toEqual([]);
});

test("a server that is asked to end answers running requests, and ends", async () => {
  const cwd = await makeHangingProject();
  const wire = openWire(cwd);
  await initialize(wire);
  callRun(wire, 77);
  await wire.find(isCalling);
  wire.child.kill("SIGTERM");
  const answer = await wire.find(({ id }) => id === 77);
  expect(answer.result).toMatchObject({
    structuredContent: { logs: [{ message: "waiting" }], diagnostics: [{ code: "RUN_CANCELLED" }] },
  });
  expect(await wire.ended).toBe(0);
  expect(await notificationsOf(cwd)).toContain("notifications/cancelled\n");
});

test("a client that hangs up ends what runs, and the server", async () => {
  const cwd = await makeHangingProject();
  const wire = openWire(cwd);
  await initialize(wire);
  callRun(wire, 77);
  await wire.find(isCalling);
  wire.child.stdin?.end();
  const answer = await wire.find(({ id }) => id === 77);
  expect(answer.result).toMatchObject({ structuredContent: { diagnostics: [{ code: "RUN_CANCELLED" }] } });
  expect(await wire.ended).toBe(0);
  expect(await notificationsOf(cwd)).toContain("notifications/cancelled\n");
});

test("a client that is gone in the middle of a script without end leaves no process behind", async () => {
  const wire = openWire(await makeHangingProject());
  await initialize(wire);
  callRun(wire, 77);
  await wire.find(isCalling);
  callRun(wire, 78, {}, 'console.log("busy"); while (true) {}');
  await wire.find(({ params }) => params?.["message"] === "busy");
  const children = await childrenOf(wire.child.pid);
  expect(children.length).toBeGreaterThanOrEqual(4);
  wire.child.stdout?.destroy();
  wire.child.stdin?.destroy();
  expect(await wire.ended).toBe(0);
  await until(async () => !children.some(isAlive));
});

test("the handshake waits for no server: it is answered while the project is still being locked", async () => {
  const silent = { command: process.execPath, args: ["-e", "process.stdin.resume()"] };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { silent } } });
  const wire = openWire(cwd);
  expect((await initialize(wire)).result).toMatchObject({
    serverInfo: { name: "codemode" },
    instructions: expect.stringContaining("timeoutMs"),
    capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} },
  });
});

test("a project that cannot be served says so to the client that asks, and ends with its exit code", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} }, "codemode.lock.json": "<<<<<<< mine" });
  const wire = openWire(cwd);
  wire.send({ id: 1, method: "initialize", params: INITIALIZE });
  wire.send({ id: 2, method: "tools/list", params: {} });
  expect((await wire.find(({ id }) => id === 2)).error?.message).toContain("LOCKFILE_INVALID");
  expect(await wire.ended).toBe(2);
});

const INITIALIZE: JsonObject = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

test("runs beyond the queue are refused with an answer that says when to try again", async () => {
  const cwd = await makeGeneratedProject({
    "codemode.config.json": {
      mcpServers: { hanging: HANGING },
      serve: { queue: { maxRunning: 1, maxWaiting: 1 } },
    },
  });
  const wire = openWire(cwd);
  await initialize(wire);
  callRun(wire, 77);
  await wire.find(isCalling);
  callRun(wire, 78);
  const refused = await wire.ask("tools/call", { name: "codemode.run", arguments: { code: "export default 1;" } });
  expect(refused.result).not.toHaveProperty("isError");
  expect(refused.result).toMatchObject({
    structuredContent: {
      result: null,
      diagnostics: [{ severity: "error", code: "QUEUE_FULL", hint: expect.stringMatching(/Try again in \d+ s\./) }],
    },
  });
  // A place that is given up is free.
  wire.send({ method: "notifications/cancelled", params: { requestId: 78 } });
  wire.send({ method: "notifications/cancelled", params: { requestId: 77 } });
  const next = await wire.ask("tools/call", { name: "codemode.run", arguments: { code: "export default 1;" } });
  expect(next.result).toMatchObject({ structuredContent: { result: 1 } });
});
