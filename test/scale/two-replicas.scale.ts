import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { SERVERS } from "../e2e/run-codemode.ts";
import type { HttpServing } from "../e2e/serve-over-http.ts";
import { startPostgres } from "./start-postgres.ts";
import { answerOf, ask, call, callsIn, codesOf, running, startReplicas, until } from "./two-replicas.ts";

const TASKS = { "io.modelcontextprotocol/tasks": {} };

const ASKING = `import { trigger_elicitation_request } from "@codemode/servers/everything";
export default JSON.stringify(await trigger_elicitation_request({}));`;
const LONG_RESULT = "export default Array.from({ length: 20_000 }, (_, id) => ({ id }));";

/** A script that reads the result that an answer has only the beginning of. */
function reading({ diagnostics }: JsonObject): JsonObject {
  const module = /@codemode\/results\/[\w-]{22}/.exec(JSON.stringify(diagnostics))?.[0] ?? "";
  return { code: `import rows from "${module}"; export default [rows.length, rows.at(-1).id];` };
}

/** A client of a revision with sessions. Its calls of tools go to the replica that is named; its session, answers to questions and cancellations to the first. */
async function connectToBoth(first: HttpServing) {
  const callsGoTo = { replica: first };
  const route: typeof fetch = (_url, init) => {
    const isCall = typeof init?.body === "string" && init.body.includes('"tools/call"');
    return fetch((isCall ? callsGoTo.replica : first).url, init);
  };
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: "Ada" } }));
  await client.connect(new StreamableHTTPClientTransport(first.url, { fetch: route }) as never);
  onTestFinished(() => client.close());
  const run = async (input: JsonObject, signal?: AbortSignal): Promise<JsonObject> =>
    (await client.callTool({ name: "codemode.run", arguments: input }, undefined, { ...(signal && { signal }) }))
      .structuredContent as JsonObject;
  return { callsGoTo, run };
}

test("over a store new requests of a session go to any replica, with the long results of the session", async () => {
  const { everything } = SERVERS;
  const { replicas } = await startReplicas(await startPostgres(), { detachAfterMs: 20_000 }, { everything });
  const [first, second] = replicas as [HttpServing, HttpServing];
  const { callsGoTo, run } = await connectToBoth(first);

  const kept = await run({ code: LONG_RESULT });
  expect(codesOf(kept)).toEqual(["RESULT_TRUNCATED"]);
  callsGoTo.replica = second;
  expect(await run(reading(kept))).toMatchObject({ result: [20_000, 19_999], diagnostics: [] });
  // Another session of this client has no such result, on either of them.
  const stranger = await connectToBoth(second);
  expect(codesOf(await stranger.run(reading(kept)))).not.toEqual([]);
});

test("over a store a question of a server is answered at the replica of its run, and any replica waits for the run and reads its long result", async () => {
  const { everything } = SERVERS;
  const { replicas } = await startReplicas(await startPostgres(), {}, { everything });
  const [first, second] = replicas as [HttpServing, HttpServing];
  // The request that waits when the server asks is the one that is sent again with the answer.
  let input: JsonObject = { code: ASKING };
  let asked = await call(first, input);
  while (asked["resultType"] !== "input_required") {
    const { runId = "" } = asked["structuredContent"] as JsonObject;
    input = { runId };
    asked = await call(first, input);
  }
  const [name] = Object.keys(asked["inputRequests"] as JsonObject);
  const reply = {
    requestState: asked["requestState"] as string,
    inputResponses: { [name as string]: { action: "accept", content: { name: "Ada" } } },
  };
  let answer = await answerOf(call(first, input, reply));
  while (codesOf(answer)[0] === "RUN_CONTINUES")
    answer = await answerOf(call(second, { runId: answer["runId"] as string }));
  expect(answer).toMatchObject({ result: expect.stringContaining("Name: Ada"), diagnostics: [] });

  const kept = await answerOf(call(first, { code: LONG_RESULT }));
  expect(await answerOf(call(second, reading(kept)))).toMatchObject({ result: [20_000, 19_999], diagnostics: [] });
});

test("over a store a task of a process goes on for others, is cancelled through them, and goes on when its process was killed", async () => {
  const { cwd, replicas } = await startReplicas(await startPostgres());
  const [first, second] = replicas as [HttpServing, HttpServing];
  const begin = async (input: JsonObject): Promise<string> => {
    const task = await ask(first, "tools/call", { name: "codemode.run", arguments: input }, TASKS);
    expect(task).toMatchObject({ resultType: "task", status: "working" });
    return task["taskId"] as string;
  };
  const look = (taskId: string): Promise<JsonObject> => ask(second, "tasks/get", { taskId }, TASKS);
  const isOver = (taskId: string) => async () => (await look(taskId))["status"] !== "working";

  const ended = await begin(running(700));
  await until(isOver(ended));
  expect(await look(ended)).toMatchObject({
    status: "completed",
    result: { structuredContent: { result: "done" } },
  });

  const cancelled = await begin(running(25_000));
  await ask(second, "tasks/cancel", { taskId: cancelled }, TASKS);
  await until(isOver(cancelled));
  expect(await look(cancelled)).toMatchObject({ status: "cancelled" });

  const before = await callsIn(cwd);
  const left = await begin(running(2000, "reads"));
  await until(async () => (await callsIn(cwd)) > before);
  expect(await look(left)).toMatchObject({ status: "working" });
  first.child.kill("SIGKILL");
  await first.ended;
  await until(isOver(left));
  expect(await look(left)).toMatchObject({ status: "completed", result: { structuredContent: { result: "done" } } });
});

test("over a store the form about a script is answered at any replica, once", async () => {
  const { cwd, replicas } = await startReplicas(await startPostgres(), { asks: true });
  const [first, second] = replicas as [HttpServing, HttpServing];
  const input = running(0);
  const asked = await call(first, input);
  expect(asked).toMatchObject({ resultType: "input_required", requestState: expect.stringMatching(/^[\w-]{22}\.1$/) });
  const requestState = asked["requestState"] as string;
  const reply = { requestState, inputResponses: { answer: { action: "accept", content: { approve: "Allow" } } } };
  let answer = await answerOf(call(second, input, reply));
  while (codesOf(answer)[0] === "RUN_CONTINUES")
    answer = await answerOf(call(second, { runId: answer["runId"] as string }));
  expect(answer).toMatchObject({ result: "done", diagnostics: [] });
  // The same once more, at either of them: the answer of the run.
  for (const replica of [first, second])
    expect(codesOf(await answerOf(call(replica, input, reply)))).toEqual(replica === first ? ["ANSWER_UNUSED"] : []);
  expect(await callsIn(cwd)).toBe(1);
});
