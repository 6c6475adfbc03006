import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import {
  CodemodeError,
  type Engine,
  type EngineOptions,
  formatLockfile,
  openProject,
  type Project,
  type RunAnswer,
} from "codemode";
import { SHARED_PROCESS } from "./open-code-mode.ts";
import { makeSharedFolder, makeTestFolder } from "../make-test-folder.ts";

const EVERYTHING = resolve("test/servers/stand-in.mjs");

const mcpServers = { everything: { command: process.execPath, args: [EVERYTHING, "everything"] } };
const openExample = (cwd: string): Promise<Project> =>
  openProject({ cwd, config: { mcpServers, policy: { allow: ["*"], ask: ["everything/get-sum"] } } });

const folder = await makeSharedFolder();
/** A project that is locked and generated. */
let project: Project;
/** Engines of it, without a person and with one who grants all. */
let engine: Engine;
let granting: Engine;
const asked: string[] = [];
beforeAll(async () => {
  project = await openExample(folder);
  await project.generate();
  const approve: EngineOptions["approve"] = ({ tools }) => asked.push(...tools.map(({ toolName }) => toolName)) > 0;
  engine = await project.openEngine(SHARED_PROCESS);
  granting = await project.openEngine({ ...SHARED_PROCESS, approve });
});
afterAll(() => Promise.all([engine.close(), granting.close()]));

const ECHO = `import { echo } from "@codemode/servers/everything"; export default await echo({ message: "hello" });`;
const SUM = `import { get_sum } from "@codemode/servers/everything"; export default await get_sum({ a: 1, b: 2 });`;

test("a program locks a server, runs a script and calls a tool", async () => {
  const project = await openExample(await makeTestFolder());
  expect(project.lockfile).toBeUndefined();
  const locked = await project.lock();
  expect([locked.answered, locked.failures]).toEqual([["everything"], []]);
  expect(project.lockfile).toEqual(locked.lockfile);
  expect(await readFile(join(project.folder, "codemode.lock.json"), "utf8")).toBe(formatLockfile(locked.lockfile));
  expect((await project.diff()).changes).toEqual([]);

  await using engine = await project.openEngine();
  const answer = await engine.run({ code: ECHO });
  expect(answer).toMatchObject({ result: "Echo: hello", diagnostics: [] });
  expect(await engine.callTool("everything/echo", { message: "again" })).toBe("Echo: again");
  const failing = await engine.run({ code: "throw new Error('no')" });
  expect(failing.diagnostics.map(({ code }) => code)).toEqual(["UNCAUGHT_EXCEPTION"]);
});

test("a program trusts a project by CODEMODE_TRUST=1 in its environment, or in the env that it passes", async () => {
  vi.stubEnv("CODEMODE_TRUST", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const cwd = await makeTestFolder();
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers }));
  const lock = async (trust: string) =>
    (await openProject({ cwd, env: { ...process.env, CODEMODE_TRUST: trust } })).lock();
  await expect(lock("")).rejects.toMatchObject({ code: "PROJECT_UNTRUSTED" });
  expect((await lock("1")).answered).toEqual(["everything"]);
});

test("a call whose signal aborts rejects with the reason of the signal, and blames no server", async () => {
  const call = (signal: AbortSignal) =>
    engine.callTool("everything/trigger-long-running-operation", { duration: 60, steps: 2 }, { signal });
  await expect(call(AbortSignal.abort(new Error("not wanted")))).rejects.toThrow("not wanted");
  const later = new AbortController();
  const running = call(later.signal);
  later.abort(new Error("no more"));
  await expect(running).rejects.toThrow("no more");
  await expect(engine.tryTool("everything/echo", { message: "a" }, { signal: later.signal })).rejects.toThrow(
    "no more",
  );
});

test("a call that the policy asks about runs with the approval of the program, and not without it", async () => {
  expect((await granting.run({ code: SUM })).result).toBe("The sum of 1 and 2 is 3.");
  expect(asked).toEqual(["get-sum"]);
  expect((await engine.run({ code: SUM })).diagnostics.map(({ code }) => code)).toEqual(["APPROVAL_REQUIRED"]);
  await expect(engine.callTool("everything/get-sum", { a: 1, b: 2 })).rejects.toMatchObject({
    code: "TOOL_CALL_FAILED",
    exitCode: 1,
  });
});

test("a mistake is an error with a code and a hint", async () => {
  await expect(openProject({ config: "missing.json" })).rejects.toMatchObject({
    name: "CodemodeError",
    code: "FILE_INACCESSIBLE",
    exitCode: 2,
    hint: expect.any(String),
  });
  await expect(openProject({ config: { mcpServers: { a: {} } } })).rejects.toBeInstanceOf(CodemodeError);
  const processes = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
  const before = processes();
  await expect(project.openEngine({ client: "unknown" })).rejects.toMatchObject({ code: "SERVED_CLIENT_UNKNOWN" });
  // A command that has failed so would not end.
  expect(processes()).toBe(before);
});

test("a closed engine takes no more work, and a signal cancels a run", async () => {
  const closing = await project.openEngine();
  const stop = new AbortController();
  const endless = { code: "console.log('started'); for (;;) {}" };
  const cancelled = await closing.run(endless, { signal: stop.signal, onLog: () => stop.abort() });
  expect(cancelled.diagnostics.map(({ code }) => code)).toEqual(["RUN_CANCELLED"]);
  await closing.close();
  await expect(closing.run({ code: "1" })).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
});

test("a described tool has what an agent framework needs", async () => {
  const tool = engine.describeTool();
  expect(tool.name).toBe("codemode_run");
  expect(tool.description).toContain("\neverything: echo, ");
  expect(tool.inputSchema).toMatchObject({ type: "object", required: ["code"] });
  expect(await tool.call({ code: ECHO })).toMatchObject({ result: "Echo: hello" });
  expect((await tool.call({})).diagnostics.map(({ code }) => code)).toEqual(["INVALID_REQUEST"]);
});

test("a script is checked and pinned without a server, and the bundle runs", async () => {
  expect(await project.check({ code: ECHO })).toMatchObject({ ok: true, tools: [{ toolName: "echo" }] });
  expect((await project.check({ code: "const a: number = 'b'; export default a;" })).ok).toBe(false);
  const pinned = await project.bundle({ code: ECHO });
  if (!pinned.ok) throw new Error("The script cannot be bundled.");
  await using ofScript = await project.openEngine({ script: { bundle: pinned.pinned } });
  expect((await ofScript.run({ bundle: pinned.pinned })).result).toBe("Echo: hello");
});

test("a client that is connected gives no approval, unless the configuration says so", async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const end = await granting.connectTo(far);
  const client = new Client({ name: "agent", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: {} }));
  await client.connect(near);
  const run = async (code: string): Promise<unknown> =>
    (await client.callTool({ name: "codemode.run", arguments: { code } })).structuredContent;
  expect(await run(ECHO)).toMatchObject({ result: "Echo: hello" });
  expect(await run(SUM)).toMatchObject({ result: null, diagnostics: [{ code: "APPROVAL_REQUIRED" }] });
  await client.close();
  await end();
});

test("why a server does not start is for the program, and not for the agent that calls its tool", async () => {
  const cwd = await makeTestFolder();
  const servers = {
    users: { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] },
  };
  await writeFile(join(cwd, "tools.json"), JSON.stringify([{ name: "list", inputSchema: { type: "object" } }]));
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: servers }));
  const trusted = await openProject({ cwd, trust: true });
  await trusted.generate();
  await writeFile(join(cwd, "tools.json"), "no JSON");
  await using warning = await trusted.openEngine({ drift: "warn" });
  const code = 'import { list } from "@codemode/servers/users"; export default await list({});';
  const saidOf = ({ diagnostics }: RunAnswer) =>
    diagnostics.find((found) => found.code === "SERVER_UNAVAILABLE")?.message ?? "";
  expect(saidOf(await warning.run({ code }))).toMatch(
    /^The server "users" could not be reached: it exited with code 1/,
  );
  expect(saidOf(await warning.describeTool().call({ code }))).toBe('The server "users" could not be reached.');
});
