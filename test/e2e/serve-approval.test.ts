import { join } from "node:path";
import type { Client as ModernClient } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { STAND_INS } from "./run-codemode.ts";
import { connectLegacy, connectModern, modernMeta, openWire, type Wire } from "./serve-clients.ts";
import { readApprovalKey, signText } from "../../engine/approval-secret.ts";
import { extra } from "../../extras/durable/index.ts";
import { PASSPHRASE } from "./own-terminal.ts";
import { setPassphraseIn } from "./set-passphrase.ts";
import { shareInFile } from "./share-in-file.ts";
import { shareProject } from "./share-project.ts";

const CODE = `import { echo } from "@codemode/servers/everything";
  export default await echo({ message: "hello" });`;
const ELICITATION = { elicitation: {} };

const CONFIG = {
  mcpServers: { everything: STAND_INS.everything },
  policy: { ask: ["everything/echo"] },
  serve: { queue: { maxRunning: 1 } },
};

/** A locked project whose one tool in use asks a person first. */
const makeAskingProject = shareProject({ "codemode.config.json": CONFIG });

type Decision =
  | { action: "accept"; content: { [field: string]: string } }
  | { action: "decline" }
  | { action: "cancel" };

const YES: Decision = { action: "accept", content: { approve: "Allow" } };
const NOT_YES: [string, Decision][] = [
  ["declines", { action: "decline" }],
  ["closes the form", { action: "cancel" }],
  ["chooses not to allow it", { action: "accept", content: { approve: "Do not allow" } }],
];

/** Runs the script with a person who decides so, and gives what that person was shown. */
type RunWith = (decision: Decision) => Promise<{ answer: RunAnswer; shown: string[] }>;

function runWith(shared: () => LegacyClient | ModernClient): RunWith {
  return async (decision) => {
    const client = shared();
    const shown: string[] = [];
    const decide = ({ params }: { params: { message: string } }) => {
      shown.push(params.message);
      return decision;
    };
    if (client instanceof LegacyClient) client.setRequestHandler(ElicitRequestSchema, decide);
    else client.setRequestHandler("elicitation/create", decide);
    const result = await client.callTool({ name: "codemode.run", arguments: { code: CODE } });
    return { answer: result.structuredContent as unknown as RunAnswer, shown };
  };
}

const ASKED = { capabilities: ELICITATION };
const legacy = shareInFile(async () => connectLegacy(await makeAskingProject(), [], ASKED));
const modern = shareInFile(async () => connectModern(await makeAskingProject(), [], ASKED));
const ERAS: [string, RunWith][] = [
  ["2025-11-25", runWith(legacy)],
  ["2026-07-28", runWith(modern)],
];

test.each(ERAS)("%s: a person is shown the tools, and the script runs when that person agrees", async (_era, run) => {
  const { answer, shown } = await run(YES);
  expect(shown).toEqual([expect.stringContaining('- "everything/echo": ')]);
  expect(answer).toMatchObject({ result: "Echo: hello", diagnostics: [] });
});

for (const [era, run] of ERAS) {
  test.each(NOT_YES)(`${era}: nothing runs when that person %s`, async (_what, decision) => {
    const { answer, shown } = await run(decision);
    expect(shown).toHaveLength(1);
    expect(answer).toMatchObject({ result: null, diagnostics: [{ severity: "error" }], toolTrace: [] });
  });
}

test("without a person to ask the answer names the tools that need approval", async () => {
  const cwd = await makeAskingProject();
  const client = await connectModern(cwd, [], {}, await setPassphraseIn(join(cwd, "state")));
  const result = await client.callTool({ name: "codemode.run", arguments: { code: CODE } });
  expect(result.structuredContent).toMatchObject({
    result: null,
    diagnostics: [
      { severity: "warning", code: "APPROVAL_REQUIRED", message: expect.stringContaining("everything/echo") },
      { code: "RUN_CONTINUES" },
    ],
    toolTrace: [],
  });
});

/** Calls the run tool over the wire, as a client that can show forms. */
function callRun(wire: Wire, code: string, more: JsonObject = {}) {
  return wire.ask("tools/call", {
    name: "codemode.run",
    arguments: { code },
    _meta: modernMeta(ELICITATION),
    ...more,
  });
}

/** The question that came back, answered with yes. */
async function agreeTo(wire: Wire, code: string): Promise<JsonObject> {
  const { result } = await callRun(wire, code);
  expect(result).toMatchObject({ resultType: "input_required" });
  const requestState = result?.["requestState"] as string;
  return { requestState, inputResponses: { answer: { action: "accept", content: { approve: "Allow" } } } };
}

test.each(ERAS)(
  "%s: a form that comes back without its choice is shown again, three times at most",
  async (_era, run) => {
    const { answer, shown } = await run({ action: "accept", content: {} });
    expect(shown).toHaveLength(3);
    expect(shown[2]).toContain("choice");
    expect(answer).toMatchObject({ result: null, diagnostics: [{ code: "APPROVAL_REQUIRED" }], toolTrace: [] });
  },
);

const asking = shareInFile(async () => openWire(await makeAskingProject()));

test("approval is for one script: another one is asked about again", async () => {
  const wire = asking();
  const agreed = await agreeTo(wire, CODE);
  const other = await callRun(wire, CODE.replace("hello", "something else"), agreed);
  expect(other.result).toMatchObject({ resultType: "input_required" });
});

test("approval is for one run: the same answer again gets the answer of that run, and nothing runs", async () => {
  const wire = asking();
  const agreed = await agreeTo(wire, CODE);
  const answered = await callRun(wire, CODE, agreed);
  expect(answered.result).toMatchObject({ structuredContent: { result: "Echo: hello", diagnostics: [] } });
  expect((await callRun(wire, CODE, agreed)).result).toMatchObject({
    structuredContent: { result: "Echo: hello", diagnostics: [{ severity: "warning", code: "ANSWER_UNUSED" }] },
  });
  expect((await callRun(wire, CODE)).result).toMatchObject({ resultType: "input_required" });
});

test("while the form is open the person answers at the terminal: the run goes on, and the answer of the form counts for nothing", async () => {
  const cwd = await makeAskingProject();
  const env = await setPassphraseIn(join(cwd, "state"));
  const wire = openWire(cwd, [], env);
  const { requestState } = await agreeTo(wire, CODE);
  const [runId = ""] = String(requestState).split(".");
  const params = { name: "codemode.run", arguments: { runId }, _meta: modernMeta(ELICITATION) };
  const wait = async () => (await wire.ask("tools/call", params)).result;
  // The form is shown again to a request that waits for the run.
  expect(await wait()).toMatchObject({ resultType: "input_required", requestState });
  const account = await extra.openAccountQuestions(undefined, env);
  const [question, ...others] = await account.questions();
  expect([question?.id, others]).toEqual([requestState, []]);
  const key = await readApprovalKey(env);
  const sign = async (text: string) => key && signText(PASSPHRASE, text, key);
  const granted = { verdict: "granted", by: { way: "terminal" } } as const;
  expect(await account.answer(String(requestState), granted, { sign, digest: question?.digest })).toBe("given");
  await account.close();
  await expect.poll(wait).toMatchObject({ structuredContent: { result: "Echo: hello", diagnostics: [] } });
  const refused = { requestState: String(requestState), inputResponses: { answer: { action: "decline" } } };
  expect((await callRun(wire, CODE, refused)).result).toMatchObject({
    structuredContent: { result: "Echo: hello", diagnostics: [{ code: "ANSWER_UNUSED" }] },
  });
});

test("an answer without a question is nothing", async () => {
  const wire = asking();
  const { inputResponses } = await agreeTo(wire, CODE);
  const answer = await callRun(wire, CODE, { inputResponses: inputResponses as JsonObject });
  expect(answer.result).toMatchObject({ resultType: "input_required" });
});

test("an answer whose state was changed is refused, and the question stays open", async () => {
  const wire = asking();
  const agreed = await agreeTo(wire, CODE);
  const changed = { ...agreed, requestState: `${String(agreed["requestState"])}-changed` };
  expect(await callRun(wire, CODE, changed)).toMatchObject({
    error: { code: -32602, message: expect.stringContaining("requestState") },
  });
  expect((await callRun(wire, CODE, agreed)).result).toMatchObject({ structuredContent: { result: "Echo: hello" } });
});

test("a person who thinks does not keep others from running", async () => {
  const client = legacy();
  let decide: (decision: Decision) => void = () => {};
  const asked = new Promise<void>((settle) => {
    client.setRequestHandler(ElicitRequestSchema, () => {
      settle();
      return new Promise<Decision>((resolve) => (decide = resolve));
    });
  });
  const waiting = client.callTool({ name: "codemode.run", arguments: { code: CODE } });
  await asked;
  const other = await client.callTool({ name: "codemode.run", arguments: { code: "export default 1;" } });
  expect(other.structuredContent).toMatchObject({ result: 1 });
  decide(YES);
  expect((await waiting).structuredContent).toMatchObject({ result: "Echo: hello" });
});
