import { setTimeout as delay } from "node:timers/promises";
import { InMemoryTransport, type ServerContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { expect, onTestFinished, test } from "vitest";
import { makeCallsInFlight } from "../../serve/agent/calls-in-flight.ts";
import { makeAgentServer } from "../../serve/agent-server.ts";
import { makeLongRuns } from "../../serve/long-runs/long-runs.ts";
import { declaresTasks } from "../../serve/long-runs/tasks.ts";
import type { Presentation } from "../../serve/present.ts";
import type { SurfaceCall, ToolCallResult } from "../../serve/surface.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ApprovalRequest } from "../../schemas/run/approval.ts";
import { modernMeta } from "../e2e/serve-clients.ts";

const TASKS = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const DONE: ToolCallResult = { content: [{ type: "text", text: "done" }] };
const CANCELLED: ToolCallResult = { content: [{ type: "text", text: "cancelled" }] };

/** A client of 2026-07-28 that sends each message by hand; `work` is what its run does. */
async function connect(work: (call: SurfaceCall) => Promise<ToolCallResult>) {
  const calls = makeCallsInFlight();
  const runs = makeLongRuns({ detachAfterMs: 20, calls, client: undefined, mayApprove: true });
  const surface = {
    listTools: async () => [],
    callTool: (_name: string, _input: unknown, call: SurfaceCall) => work(call),
    runKind: () => "code",
  };
  const presentation = { surface, lockfile: () => ({ servers: new Map() }) } as unknown as Presentation;
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = () => makeAgentServer({ instructions: "", presentation, calls, runs });
  const handle = serveStdio(server, { transport: far });
  onTestFinished(() => handle.close());
  const waiting = new Map<unknown, (message: JsonObject) => void>();
  near.onmessage = (message) => waiting.get((message as { id?: unknown }).id)?.(message as JsonObject);
  await near.start();
  let id = 0;
  return (method: string, params: JsonObject, capabilities: JsonObject = TASKS): Promise<JsonObject> => {
    id += 1;
    const answer = new Promise<JsonObject>((resolve) => waiting.set(id, resolve));
    void near.send({ jsonrpc: "2.0", id, method, params: { ...params, _meta: modernMeta(capabilities) } } as never);
    return answer;
  };
}

const RUN = { name: "codemode.run", arguments: { code: "1" } };

function aWork() {
  let end!: (result: ToolCallResult) => void;
  const ended = new Promise<ToolCallResult>((resolve) => (end = resolve));
  const work = ({ signal }: SurfaceCall): Promise<ToolCallResult> => {
    signal.addEventListener("abort", () => end(CANCELLED));
    return ended;
  };
  return { work, end };
}

test("a client that knows tasks gets one for a run that continues, and its result as often as it asks", async () => {
  const { work, end } = aWork();
  const ask = await connect(work);
  const { result } = await ask("tools/call", RUN);
  expect(result).toMatchObject({
    resultType: "task",
    taskId: expect.stringMatching(/^[\w-]{22}$/),
    status: "working",
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    ttlMs: null,
  });
  const { taskId } = result as { taskId: string };
  expect(await ask("tasks/get", { taskId })).toMatchObject({
    result: { resultType: "complete", taskId, status: "working" },
  });
  expect(await ask("tasks/update", { taskId, inputResponses: {} })).toMatchObject({
    result: { resultType: "complete" },
  });
  end(DONE);
  for (let times = 0; times < 2; times += 1) {
    const answer = await ask("tasks/get", { taskId });
    expect(answer).toMatchObject({ result: { status: "completed", result: DONE, ttlMs: expect.any(Number) } });
    expect(answer["result"]).not.toHaveProperty("error");
  }
});

test("a task is cancelled, and the run with it", async () => {
  const ask = await connect(aWork().work);
  const { taskId } = (await ask("tools/call", RUN))["result"] as { taskId: string };
  expect(await ask("tasks/cancel", { taskId })).toMatchObject({ result: { resultType: "complete" } });
  const { result } = await ask("tasks/get", { taskId });
  expect(result).toMatchObject({ status: "cancelled" });
  expect(result).not.toHaveProperty("result");
});

test("a task whose run fails says so, without its cause", async () => {
  let fail!: () => void;
  const failing = new Promise<never>((_, reject) => (fail = () => reject(new Error("a secret cause"))));
  const ask = await connect(() => failing);
  const { taskId } = (await ask("tools/call", RUN))["result"] as { taskId: string };
  const answer = async () => (await ask("tasks/get", { taskId }))["result"] as JsonObject;
  expect(await answer()).not.toHaveProperty("error");
  fail();
  await expect.poll(answer).toMatchObject({ status: "failed", error: { code: -32603 } });
  const { result, error } = await answer();
  expect(result).toBeUndefined();
  expect(JSON.stringify(error)).not.toContain("a secret cause");
});

test("unknown tasks, and clients that do not declare tasks, get errors that say so", async () => {
  const ask = await connect(aWork().work);
  const { taskId } = (await ask("tools/call", RUN))["result"] as { taskId: string };
  for (const params of [{ taskId: "AAAAAAAAAAAAAAAAAAAAAA" }, { taskId: 5 }, {}]) {
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      expect(await ask(method, params)).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(/^No task of this client/) },
      });
    }
  }
  expect(await ask("tasks/get", { taskId }, {})).toMatchObject({
    error: { code: -32021, data: { requiredCapabilities: TASKS } },
  });
  // Such a client has the run id.
  const { result } = await ask("tools/call", RUN, {});
  expect(result).toMatchObject({ resultType: "complete", structuredContent: { runId: expect.any(String) } });
});

test("a client of an older revision knows no tasks", () => {
  expect(declaresTasks({ mcpReq: {} } as ServerContext)).toBe(false);
});

test("a question that comes when its request was answered is the result of the next one that names the run", async () => {
  const script = { tools: [{ serverId: "s", toolName: "t" }], digest: "d" } as unknown as ApprovalRequest;
  const ask = await connect(async ({ approve }) => {
    await delay(50); // sleeps: past the time that a request waits
    return (await approve(script)) === "granted" ? DONE : CANCELLED;
  });
  const capabilities = { ...TASKS, elicitation: { form: {} } };
  const { result } = await ask("tools/call", RUN, capabilities);
  const { taskId } = result as { taskId: string };
  const wait = { ...RUN, arguments: { runId: taskId } };
  const asked = async (): Promise<JsonObject | undefined> =>
    (await ask("tools/call", wait, capabilities))["result"] as JsonObject | undefined;
  await expect.poll(asked).toMatchObject({ resultType: "input_required" });
  const requestState = (await asked())?.["requestState"] as string;
  const inputResponses = { answer: { action: "accept", content: { approve: "Allow" } } };
  const answered = await ask("tools/call", { ...wait, requestState, inputResponses }, capabilities);
  expect(answered).toMatchObject({ result: DONE });
});
