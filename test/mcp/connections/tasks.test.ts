import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectServer } from "@codemode/runtime/connections/connect-server";
import type { CallOptions, ServerConnection } from "@codemode/runtime/connections/server-connection";
import { SERVERS_FOLDER } from "./misbehaving.ts";

let folder = "";
let server: ServerConnection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  const args = [join(SERVERS_FOLDER, "task-server.mjs"), join(folder, "asked.txt")];
  const target = {
    transport: "stdio",
    id: "tasks",
    name: "tasks",
    era: "legacy",
    command: process.execPath,
    args,
  } as const;
  server = await connectServer({ ...target, env: {}, cwd: folder, timeoutMs: 5000 } as never);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const call = (name: string, options: CallOptions = {}) => server.callTool(name, {}, options);
const textOf = (text: string) => ({ content: [{ type: "text", text }] });
const asked = async (): Promise<string[]> => (await readFile(join(folder, "asked.txt"), "utf8")).trim().split("\n");

test("a tool that has to be called as a task is one, and is called so, until it is over", async () => {
  const { tools, problems } = await server.snapshot();
  expect(tools.map(({ name }) => name)).toContain("long");
  expect(problems).toBeUndefined();
  expect(await call("long")).toMatchObject(textOf("result of long"));
  expect(await call("plain")).toMatchObject(textOf("plain"));
  expect(await asked()).toEqual(expect.arrayContaining(["call long as a task", "call plain plainly"]));
});

test.each([
  ["ends-twice", textOf("result of ends-twice")],
  ["flood", textOf("result of flood")],
  ["at-once", textOf("at once")],
  ["fails", { ...textOf("result of fails"), isError: true }],
])("%s: the result is passed on", async (name, result) => {
  expect(await call(name)).toMatchObject(result);
});

test.each([
  ["wrong-id", "the state of another task than the one that was asked for"],
  ["odd-status", "a task without a known status"],
  ["no-status", "a task without a known status"],
  ["cancels-itself", "that it cancelled the task by itself"],
  ["no-id", "a task without an id"],
  ["no-task", "a task without an id"],
])("%s: one clear error, and the server is called again", async (name, problem) => {
  await expect(call(name)).rejects.toMatchObject({ kind: "protocol", message: expect.stringContaining(problem) });
  expect(await call("long")).toMatchObject(textOf("result of long"));
});

test("a task that never ends is cancelled at the time limit of the call, and with the call", async () => {
  const cancels = async (): Promise<number> => (await asked()).filter((line) => line.startsWith("cancel ")).length;
  const before = await cancels();
  const limits = { timeoutMs: 300, maxTotalMs: 300 };
  await expect(call("never-ends", limits)).rejects.toMatchObject({ kind: "timeout" });
  // However long a server wants to be left alone.
  await expect(call("slow", limits)).rejects.toMatchObject({ kind: "timeout" });
  const giveUp = new AbortController();
  const calling = call("never-ends", { signal: giveUp.signal });
  setTimeout(() => giveUp.abort(), 100);
  await expect(calling).rejects.toMatchObject({ kind: "cancelled" });
  expect(await cancels()).toBe(before + 3);
});
