import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { makeCallsInFlight } from "../../serve/agent/calls-in-flight.ts";
import { makeLongRuns } from "../../serve/long-runs/long-runs.ts";
import { type AgentServerOptions, makeAgentServer } from "../../serve/agent-server.ts";
import type { Presentation } from "../../serve/present.ts";
import type { SurfaceCall, ToolCallResult } from "../../serve/surface.ts";
import { lockfileMissing } from "../../schemas/errors.ts";
import type { JsonObject } from "../../schemas/json/json.ts";

const INPUT_SCHEMA = { type: "object", properties: {} };
const DONE: ToolCallResult = { content: [{ type: "text", text: "done" }] };

/** A presentation of two tools; `work` is what the first one does. */
function presentWork(work: (call: SurfaceCall) => Promise<ToolCallResult>): Presentation & { tools: JsonObject[] } {
  const tools: JsonObject[] = ["work", "rest"].map((name) => ({ name, inputSchema: INPUT_SCHEMA }));
  return {
    tools,
    surface: {
      listTools: async () => [...tools],
      callTool: (name, _input, call) => (name === "work" ? work(call) : undefined),
      runKind: (name) => (name === "work" ? "code" : undefined),
    },
    lockfile: () => ({ servers: new Map() }),
    listResources: () => [{ uri: "codemode://types/files", name: "files" }],
    listResourceTemplates: () => [],
    readResource: async (uri) => (uri === "codemode://types/files" ? [{ uri, text: "types" }] : undefined),
    listPrompts: () => [{ name: "write_script" }],
    getPrompt: async (name) =>
      name === "write_script" ? { messages: [{ role: "user", content: { type: "text", text: "Write." } }] } : undefined,
  };
}

/** A client of a server of this process. */
async function connect(options: Partial<AgentServerOptions>): Promise<Client> {
  const calls = options.calls ?? makeCallsInFlight();
  const server = makeAgentServer({
    instructions: "Be brief.",
    presentation: presentWork(async () => DONE),
    calls,
    runs: makeLongRuns({ detachAfterMs: 0, calls, client: undefined, mayApprove: true }),
    ...options,
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await server.connect(serverSide);
  await client.connect(clientSide as never);
  onTestFinished(() => client.close());
  return client;
}

const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

test("a call that is silent for long is heard of all the same, and more each time", async () => {
  let end = (): void => {};
  const heardTwice = new Promise<void>((settle) => (end = settle));
  const presentation = presentWork(() => heardTwice.then(() => DONE));
  const client = await connect({ presentation, heartbeatMs: 40 });
  const seen: number[] = [];
  await client.callTool({ name: "work" }, undefined, {
    onprogress: ({ progress, message }) => {
      seen.push(progress);
      expect(message).toMatch(/^at work for \d+ s$/);
      if (seen.length === 2) end();
    },
  });
  expect(seen).toEqual(seen.map((_, index) => index + 1));
});

test("progress is of bounded length, and no server can put a line of its own into it", async () => {
  const presentation = presentWork(async (call) => {
    const toolName = `a\nb\u202e${"c".repeat(5000)}`;
    call.emit?.({ type: "call-started", serverId: "files", toolName, number: 1 });
    await pause(20);
    return DONE;
  });
  const client = await connect({ presentation });
  const seen: string[] = [];
  await client.callTool({ name: "work" }, undefined, { onprogress: ({ message = "" }) => seen.push(message) });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatch(/^calling files\/a b\\u202ec+…$/);
  expect(seen[0]?.length).toBeLessThan(600);
});

test("an unknown tool is an error that names the tools", async () => {
  const client = await connect({});
  await expect(client.callTool({ name: "wrok" })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("Unknown tool: wrok. The tools are: work, rest."),
  });
});

test("resources and prompts are those of the presentation, and unknown ones are errors that say so", async () => {
  const client = await connect({});
  expect((await client.listResources()).resources).toMatchObject([{ uri: "codemode://types/files" }]);
  expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
  expect((await client.readResource({ uri: "codemode://types/files" })).contents).toMatchObject([{ text: "types" }]);
  await expect(client.readResource({ uri: "codemode://types/mail" })).rejects.toMatchObject({ code: -32602 });
  expect((await client.listPrompts()).prompts).toMatchObject([{ name: "write_script" }]);
  expect((await client.getPrompt({ name: "write_script" })).messages).toHaveLength(1);
  await expect(client.getPrompt({ name: "write" })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("write_script"),
  });
});

test("there is no second page", async () => {
  const client = await connect({});
  await expect(client.listTools({ cursor: "2" })).rejects.toMatchObject({ code: -32602 });
});

test("an internal failure is reported as a failure, and its details only to the host", async () => {
  const failures: unknown[] = [];
  const broken = new Error("ENOENT: /home/ada/.ssh/id");
  const presentation = presentWork(() => Promise.reject(broken));
  const client = await connect({ presentation, onFailure: (error) => failures.push(error) });
  const failing = client.callTool({ name: "work" });
  await expect(failing).rejects.toMatchObject({ code: -32603, message: expect.not.stringContaining("ada") });
  expect(failures).toEqual([broken]);
});

test("a project that cannot be served is named by the code of its problem", async () => {
  const client = await connect({ presentation: Promise.reject(lockfileMissing("/home/ada/codemode.lock.json")) });
  await expect(client.listTools()).rejects.toMatchObject({
    message: expect.stringMatching(/^(?!.*ada).*\(LOCKFILE_MISSING\)/),
  });
});

test("the handshake does not wait for the presentation", async () => {
  const client = await connect({ presentation: new Promise<never>(() => {}) });
  expect(client.getInstructions()).toBe("Be brief.");
});

test("a list of tools that another client's run has changed is announced, once, and only to clients that have seen it", async () => {
  const presentation = presentWork(async () => DONE);
  const calls = makeCallsInFlight();
  const [runner, reader, stranger] = await Promise.all([
    connect({ presentation, calls }),
    connect({ presentation, calls }),
    connect({ presentation, calls }),
  ]);
  let announced = 0;
  let toStranger = 0;
  reader.fallbackNotificationHandler = async ({ method }) => {
    if (method === "notifications/tools/list_changed") announced += 1;
  };
  stranger.fallbackNotificationHandler = async () => void (toStranger += 1);
  await reader.listTools();
  await runner.callTool({ name: "work" });
  await pause(20);
  expect(announced).toBe(0);
  presentation.tools.push({ name: "more", inputSchema: INPUT_SCHEMA });
  await runner.callTool({ name: "work" });
  await runner.callTool({ name: "work" });
  await pause(20);
  expect([announced, toStranger]).toEqual([1, 0]);
});

test("calls are cancelled when the process goes down, and answered before it is gone", async () => {
  const calls = makeCallsInFlight();
  const presentation = presentWork(
    ({ signal }) => new Promise((settle) => signal.addEventListener("abort", () => settle(DONE))),
  );
  const client = await connect({ presentation, calls });
  const working = client.callTool({ name: "work" });
  await pause(20);
  await calls.stop(5000);
  expect(await working).toMatchObject(DONE);
});

test("a call that does not end delays shutdown by at most the grace period", async () => {
  const calls = makeCallsInFlight();
  const client = await connect({ presentation: presentWork(() => new Promise<never>(() => {})), calls });
  let isOver = false;
  const working = client.callTool({ name: "work" }).finally(() => (isOver = true));
  working.catch(() => undefined);
  await pause(20);
  await calls.stop(30);
  expect(isOver).toBe(false);
});
