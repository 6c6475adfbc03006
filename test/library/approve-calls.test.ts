import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApprovalRequest, type CallDecision, type Engine, openProject, type RunOptions } from "codemode";
import { makeSharedFolder } from "../make-test-folder.ts";
import { SHARED_PROCESS } from "./open-code-mode.ts";

const cwd = await makeSharedFolder();
/** Its policy asks about each sum. It has no approver: each run brings one. */
let engine: Engine;
beforeAll(async () => {
  const everything = { command: process.execPath, args: [resolve("test/servers/stand-in.mjs"), "everything"] };
  const policy = {
    ...{ ask: ["*/get-sum"], askEach: ["*/get-sum", "*/get-tiny-image"] },
    deny: ["everything/get-tiny-image"],
  };
  const config = { mcpServers: { everything }, policy, audit: { file: "audit.jsonl" } };
  const project = await openProject({ cwd, config });
  await project.generate();
  engine = await project.openEngine(SHARED_PROCESS);
});
afterAll(() => engine.close());

/** The reviews of calls of the last run that the audit log has. */
async function readReviews(): Promise<object[]> {
  const lines = (await readFile(join(cwd, "audit.jsonl"), "utf8")).trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as { event: string; runId?: string });
  const { runId } = events.at(-1) ?? {};
  return events.filter((each) => each.event === "call.reviewed" && each.runId === runId);
}

/** An approver that gives these answers, one after the other, and notes what it is asked. */
function answering(...decisions: (boolean | CallDecision)[]) {
  const asked: ApprovalRequest[] = [];
  const approve = async (request: ApprovalRequest) => {
    asked.push(structuredClone(request));
    return decisions.shift() ?? false;
  };
  return { asked, approve };
}

const OFTEN = { interval: 5 };
const SUMS = `import { echo, get_sum } from "@codemode/servers/everything";
  await echo({ message: "first" });
  const sums = [];
  for (const b of [2, 3]) sums.push(await get_sum({ a: 1, b }).catch((error) => [error.name, error.message, error.reason]));
  export default sums;`;

test("each call is asked about with its arguments, though the policy asks about the script too, and with what the run has called so far", async () => {
  const { asked, approve } = answering(true, true);
  const answer = await engine.run({ code: SUMS }, { approve });
  expect(answer).toMatchObject({ result: ["The sum of 1 and 2 is 3.", "The sum of 1 and 3 is 4."], diagnostics: [] });
  expect(asked.map(({ call }) => call)).toEqual([
    {
      number: 2,
      input: { a: 1, b: 2 },
      position: 1,
      total: 1,
      place: "script.ts:4:43",
      made: new Map([["everything/echo", 1]]),
    },
    {
      ...{ number: 3, input: { a: 1, b: 3 }, position: 1, total: 1, place: "script.ts:4:43" },
      made: new Map([
        ["everything/echo", 1],
        ["everything/get-sum", 1],
      ]),
    },
  ]);
  expect(asked[0]).toMatchObject({
    tools: [{ serverId: "everything", toolName: "get-sum" }],
    digest: expect.stringMatching(/^sha256-/),
  });
  await expect.poll(readReviews).toMatchObject([
    { serverId: "everything", toolName: "get-sum", call: 2, shown: asked[0]?.digest, verdict: "granted" },
    { call: 3, shown: asked[1]?.digest, verdict: "granted", approvalBy: "callback" },
  ]);
});

test("one answer may allow all later calls of the tool in the run, and in no other run", async () => {
  const { asked, approve } = answering({ verdict: "granted", forRun: true });
  const { result } = await engine.run({ code: SUMS }, { approve });
  expect([result, asked.length]).toEqual([["The sum of 1 and 2 is 3.", "The sum of 1 and 3 is 4."], 1]);
  await engine.run({ code: SUMS }, { approve });
  expect(asked).toHaveLength(3);
});

test("a script gets the reason of a refusal as an error, and goes on", async () => {
  const { approve } = answering({ verdict: "refused", reason: "not that one" }, true);
  const answer = await engine.run({ code: SUMS }, { approve });
  const message = "A person has refused this call of everything/get-sum: not that one";
  expect(answer.result).toEqual([["ApprovalRefusedError", message, "not that one"], "The sum of 1 and 3 is 4."]);
  expect(answer.toolTrace).toMatchObject([
    { ok: true },
    { ok: false, error: expect.stringContaining("ApprovalRefusedError") },
    { ok: true },
  ]);
});

test("a call is made with a person's arguments or has a person's result, and the script can see that", async () => {
  const { approve } = answering(
    { verdict: "changed", input: { a: 40, b: 2 } },
    { verdict: "answered", result: "seven" },
  );
  const code = `import { changedCalls } from "@codemode/results"; ${SUMS.replace("export default sums", "export default { sums, changes: changedCalls() }")}`;
  const answer = await engine.run({ code }, { approve });
  const tool = { serverId: "everything", toolName: "get-sum" };
  expect(answer.diagnostics).toEqual([]);
  expect(answer.result).toEqual({
    sums: ["The sum of 40 and 2 is 42.", "seven"],
    changes: [
      { ...tool, sent: { a: 1, b: 2 }, changed: { kind: "input", input: { a: 40, b: 2 } } },
      { ...tool, sent: { a: 1, b: 3 }, changed: { kind: "result" } },
    ],
  });
  expect(answer.toolTrace).toMatchObject([{ ok: true }, { changed: "input" }, { changed: "result" }]);
  // The run has brought its own approver.
  const approvalBy = "callback";
  await expect.poll(readReviews).toMatchObject([
    { verdict: "changed", approvalBy },
    { verdict: "answered", approvalBy },
  ]);
});

test("arguments that do not fit the schema are asked about again, with the reason", async () => {
  const { asked, approve } = answering({ verdict: "changed", input: { a: "one", b: 2 } }, true, true);
  expect((await engine.run({ code: SUMS }, { approve })).result).toEqual([
    "The sum of 1 and 2 is 3.",
    "The sum of 1 and 3 is 4.",
  ]);
  expect(asked.map(({ call }) => call?.problem)).toEqual([undefined, expect.stringContaining('"/a"'), undefined]);
});

test("calls that wait side by side are answered in any order, and hold no other call", async () => {
  const waiting = new Map<unknown, (isGranted: boolean) => void>();
  const approve: RunOptions["approve"] = ({ call }) => new Promise((decide) => waiting.set(call?.input["b"], decide));
  let ended = 0;
  const code = `import { echo, get_sum } from "@codemode/servers/everything";
    const order = [];
    const note = (name) => order.push(name);
    await Promise.all([
      ...[1, 2, 3].map((b) => get_sum({ a: 0, b }).then(() => note(b), () => note(-b))),
      echo({ message: "by the way" }).then(() => note("echo")),
    ]);
    export default order;`;
  const onCall: RunOptions["onCall"] = ({ kind }) => (ended += Number(kind === "ended"));
  const running = engine.run({ code }, { approve, onCall });
  await expect.poll(() => [waiting.size, ended], OFTEN).toEqual([3, 1]);
  for (const [count, [b, isGranted]] of (
    [
      [3, true],
      [1, false],
      [2, true],
    ] as const
  ).entries()) {
    waiting.get(b)?.(isGranted);
    await expect.poll(() => ended, OFTEN).toBe(count + 2);
  }
  expect((await running).result).toEqual(["echo", 3, -1, 2]);
});

test("the time of a run stands still only while nothing else of it goes on", async () => {
  const approve = async (): Promise<boolean> => {
    // sleeps: the time of a run is what is measured
    await delay(1_500);
    return true;
  };
  const options = { approve, limits: { timeoutMs: 1_000 } };
  const sum = `import { get_sum, trigger_long_running_operation } from "@codemode/servers/everything";`;
  const still = await engine.run({ code: `${sum} export default await get_sum({ a: 1, b: 1 });` }, options);
  expect(still).toMatchObject({ result: "The sum of 1 and 1 is 2.", diagnostics: [] });
  const both = `Promise.all([get_sum({ a: 1, b: 1 }), trigger_long_running_operation({ duration: 30, steps: 2 })])`;
  const busy = await engine.run({ code: `${sum} export default await ${both};` }, options);
  expect(busy.diagnostics.map(({ code }) => code)).toEqual(["SANDBOX_LIMIT"]);
});

test("where no person can be asked, the call is refused and the answer says so", async () => {
  const answer = await engine.run({ code: SUMS });
  expect(answer.result).toMatchObject([1, 2].map(() => ["ApprovalRefusedError", expect.any(String), ""]));
  expect(answer.diagnostics).toMatchObject([
    { severity: "warning", code: "APPROVAL_REQUIRED", message: expect.stringContaining("no person could be asked") },
    { severity: "warning" },
  ]);
  expect(await engine.tryTool("everything/get-sum", { a: 1, b: 2 })).toMatchObject({ reply: { ok: false } });
});

test("a single call without a script is asked about with its arguments, too", async () => {
  const { asked, approve } = answering(true);
  expect(await engine.callTool("everything/get-sum", { a: 1, b: 2 }, { approve })).toBe("The sum of 1 and 2 is 3.");
  expect(asked.map(({ call }) => call?.input)).toEqual([{ a: 1, b: 2 }]);
});

test("what the policy denies is asked about by no one, also where it asks about each call", async () => {
  const { asked, approve } = answering(true);
  const code = `import { get_tiny_image } from "@codemode/servers/everything"; export default await get_tiny_image({});`;
  expect((await engine.run({ code }, { approve })).diagnostics).toMatchObject([{ code: "POLICY_DENIED" }]);
  expect(asked).toEqual([]);
});

test("a dry run makes no call that would be asked about, and shows each", async () => {
  const skipped: object[] = [];
  const { asked, approve } = answering();
  await engine.run({ code: SUMS }, { approve, dryRun: { onSkipped: (call) => skipped.push(call) } });
  expect(asked).toEqual([]);
  expect(skipped).toMatchObject([
    { input: { a: 1, b: 2 }, asks: true },
    { input: { a: 1, b: 3 }, asks: true },
  ]);
  await engine.close();
});
