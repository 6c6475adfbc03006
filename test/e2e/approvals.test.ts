import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test, vi } from "vitest";
import type { ServedAnswer } from "../../serve/surface.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { runCodemode, STAND_INS } from "./run-codemode.ts";
import { connectLegacy } from "./serve-clients.ts";
import { shareProject } from "./share-project.ts";

const CODE = `import { echo } from "@codemode/servers/everything";
  export default await echo({ message: "hello" });`;

/** A locked project whose one tool in use asks a person, with a request that waits for 300 ms. */
const makeAskingProject = shareProject({
  "codemode.config.json": {
    mcpServers: { everything: STAND_INS.everything },
    policy: { ask: ["everything/echo"] },
    serve: { detachAfterMs: 300 },
  },
});

type Answer = ServedAnswer & { runId: string };

async function serveTo(cwd: string, env: Record<string, string>, capabilities: JsonObject = {}) {
  const client = await connectLegacy(cwd, [], { capabilities }, env);
  const call = async (args: JsonObject): Promise<Answer> => {
    const result = await client.callTool({ name: "codemode.run", arguments: args });
    return result.structuredContent as unknown as Answer;
  };
  /** Until the run waits for a person: the first one starts the server before. */
  const begin = async (args: JsonObject): Promise<Answer> => {
    const answer = await call(args);
    return answer.diagnostics.length > 1 ? answer : begin({ runId: answer.runId });
  };
  const waitFor = async ({ runId }: Answer): Promise<Answer> => {
    const answer = await call({ runId });
    return answer.runId === undefined ? answer : waitFor(answer);
  };
  return { client, call, begin, waitFor };
}

test("without a form, a run waits for the person at a terminal, who can give or refuse each consent", async () => {
  const cwd = await makeAskingProject();
  const env = { XDG_STATE_HOME: `${cwd}/state` };
  const { client, call, begin, waitFor } = await serveTo(cwd, env);
  const [first, second] = [await begin({ code: CODE }), await begin({ code: CODE })];
  expect(first).toMatchObject({
    runId: expect.any(String),
    result: null,
    diagnostics: [
      {
        severity: "warning",
        code: "APPROVAL_REQUIRED",
        message: expect.stringContaining("everything/echo"),
        hint: expect.stringContaining("`codemode approvals`"),
      },
      { severity: "info", code: "RUN_CONTINUES" },
    ],
  });
  const listed = await runCodemode(["approvals", "--json"], { cwd, env });
  const consents = JSON.parse(listed.stdout) as { id: string; project: string; tools: string[] }[];
  expect(consents).toMatchObject([
    { project: cwd, tools: [expect.stringContaining('"everything/echo"')] },
    { id: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ]);
  const [toGive, toRefuse] = consents.map(({ id }) => id) as [string, string];
  // The one who asks knows no command that answers.
  expect(JSON.stringify([first, second])).not.toContain(toGive);

  const given = await runCodemode(["approvals", toGive, "--approve"], { cwd, env });
  expect(given).toMatchObject({ code: 0, stderr: "The consent is given, for this run.\n" });
  expect(await waitFor(first)).toMatchObject({ result: "Echo: hello", diagnostics: [] });
  await runCodemode(["approvals", toRefuse, "--refuse"], { cwd, env });
  expect(await waitFor(second)).toMatchObject({
    result: null,
    diagnostics: [{ severity: "error", code: "APPROVAL_REQUIRED" }],
    toolTrace: [],
  });
  // A consent is for one run.
  const third = await begin({ code: CODE });
  expect(third.diagnostics.map(({ code }) => code)).toEqual(["APPROVAL_REQUIRED", "RUN_CONTINUES"]);
  const again = await runCodemode(["approvals", toGive, "--approve"], { cwd, env });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("No run waits for the consent") });

  await call({ runId: third.runId, cancel: true });
  await client.close();
  const left = await runCodemode(["approvals"], { cwd, env });
  expect(left).toMatchObject({ code: 0, stdout: "", stderr: "No run waits for a consent.\n" });
});

test("a consent that comes in the form of the client after the request was answered continues the run", async () => {
  const cwd = await makeAskingProject();
  const env = { XDG_STATE_HOME: `${cwd}/state` };
  const { client, call, waitFor } = await serveTo(cwd, env, { elicitation: {} });
  let decide: (approve: boolean) => void = undefined as never;
  client.setRequestHandler(ElicitRequestSchema, async () => {
    const approve = await new Promise<boolean>((resolve) => (decide = resolve));
    return { action: "accept", content: { approve } };
  });
  const inForm = await call({ code: CODE });
  expect(inForm.diagnostics.map(({ code }) => code)).toEqual(["RUN_CONTINUES"]);
  await vi.waitFor(() => expect(decide).toBeDefined(), { timeout: 10_000 });
  decide(true);
  expect(await waitFor(inForm)).toMatchObject({ result: "Echo: hello", diagnostics: [] });

  // The form is still open when the answer comes from the terminal.
  const atTerminal = await call({ code: CODE });
  const [{ id }] = JSON.parse((await runCodemode(["approvals", "--json"], { cwd, env })).stdout) as [{ id: string }];
  await runCodemode(["approvals", id, "--approve"], { cwd, env });
  expect(await waitFor(atTerminal)).toMatchObject({ result: "Echo: hello", diagnostics: [] });
});
