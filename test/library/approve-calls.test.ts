import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApprovalRequest, type CallDecision, type EngineOptions, openProject } from "codemode";

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), "codemode-test-"));
  await (await openIn({})).generate();
});
afterAll(() => rm(cwd, { recursive: true, force: true, maxRetries: 5 }));

/** A project with a server that adds numbers. */
function openIn(settings: object) {
  const program = resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  const everything = { command: process.execPath, args: [program, "stdio"] };
  return openProject({ cwd, config: { mcpServers: { everything }, ...settings } });
}

/** Unless given, the policy asks about each sum. */
async function openEngine(options: EngineOptions = {}, policy: object = { askEach: ["everything/get-sum"] }) {
  const file = `audit-${randomUUID()}.jsonl`;
  const project = await openIn({ policy, audit: { file } });
  const engine = await project.openEngine(options);
  const readAudit = async () =>
    (await readFile(join(cwd, file), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { event: string });
  return { engine, readAudit };
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

const SUMS = `import { echo, get_sum } from "@codemode/servers/everything";
  await echo({ message: "first" });
  const sums = [];
  for (const b of [2, 3]) sums.push(await get_sum({ a: 1, b }).catch((error) => [error.name, error.message, error.reason]));
  export default sums;`;

test("each call is asked about with its arguments, and what the run has called so far", async () => {
  const { asked, approve } = answering(true, true);
  const { engine, readAudit } = await openEngine({ approve });
  const answer = await engine.run({ code: SUMS });
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
  await engine.close();
  const reviews = (await readAudit()).filter(({ event }) => event === "call.reviewed");
  expect(reviews).toMatchObject([
    { serverId: "everything", toolName: "get-sum", call: 2, shown: asked[0]?.digest, verdict: "granted" },
    { call: 3, shown: asked[1]?.digest, verdict: "granted" },
  ]);
});

test("one answer may allow all later calls of the tool in the run, and in no other run", async () => {
  const { asked, approve } = answering({ verdict: "granted", forRun: true });
  const { engine } = await openEngine({ approve });
  const { result } = await engine.run({ code: SUMS });
  expect([result, asked.length]).toEqual([["The sum of 1 and 2 is 3.", "The sum of 1 and 3 is 4."], 1]);
  await engine.run({ code: SUMS });
  expect(asked).toHaveLength(3);
  await engine.close();
});

test("a script gets the reason of a refusal as an error, and goes on", async () => {
  const { approve } = answering({ verdict: "refused", reason: "not that one" }, true);
  const { engine } = await openEngine({ approve });
  const answer = await engine.run({ code: SUMS });
  const message = "A person has refused this call of everything/get-sum: not that one";
  expect(answer.result).toEqual([["ApprovalRefusedError", message, "not that one"], "The sum of 1 and 3 is 4."]);
  expect(answer.toolTrace).toMatchObject([
    { ok: true },
    { ok: false, error: expect.stringContaining("ApprovalRefusedError") },
    { ok: true },
  ]);
  await engine.close();
});

test("a call is made with a person's arguments or has a person's result, and the script can see that", async () => {
  const { approve } = answering(
    { verdict: "changed", input: { a: 40, b: 2 } },
    { verdict: "answered", result: "seven" },
  );
  const { engine, readAudit } = await openEngine({ approve });
  const code = `import { changedCalls } from "@codemode/results"; ${SUMS.replace("export default sums", "export default { sums, changes: changedCalls() }")}`;
  const answer = await engine.run({ code });
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
  await engine.close();
  const reviews = (await readAudit()).filter(({ event }) => event === "call.reviewed");
  expect(reviews).toMatchObject([{ verdict: "changed" }, { verdict: "answered" }]);
});

test("arguments that do not fit the schema are asked about again, with the reason", async () => {
  const { asked, approve } = answering({ verdict: "changed", input: { a: "one", b: 2 } }, true, true);
  const { engine } = await openEngine({ approve });
  expect((await engine.run({ code: SUMS })).result).toEqual(["The sum of 1 and 2 is 3.", "The sum of 1 and 3 is 4."]);
  expect(asked.map(({ call }) => call?.problem)).toEqual([undefined, expect.stringContaining('"/a"'), undefined]);
  await engine.close();
});

test("calls that wait side by side are answered in any order, and hold no other call", async () => {
  const waiting = new Map<unknown, (isGranted: boolean) => void>();
  const { engine } = await openEngine({
    approve: ({ call }) => new Promise((resolve) => waiting.set(call?.input["b"], resolve)),
  });
  const code = `import { echo, get_sum } from "@codemode/servers/everything";
    const order = [];
    const note = (name) => order.push(name);
    await Promise.all([
      ...[1, 2, 3].map((b) => get_sum({ a: 0, b }).then(() => note(b), () => note(-b))),
      echo({ message: "by the way" }).then(() => note("echo")),
    ]);
    export default order;`;
  const running = engine.run({ code });
  await expect.poll(() => waiting.size, { timeout: 10_000 }).toBe(3);
  for (const [b, isGranted] of [
    [3, true],
    [1, false],
    [2, true],
  ] as const) {
    // sleeps: a call that is made too early is made in this time
    await new Promise((resolve) => setTimeout(resolve, 100));
    waiting.get(b)?.(isGranted);
  }
  expect((await running).result).toEqual(["echo", 3, -1, 2]);
  await engine.close();
});

test("the time of a run stands still only while nothing else of it goes on", async () => {
  const slowly = async (): Promise<boolean> => {
    // sleeps: the time of a run is what is measured
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return true;
  };
  const { engine } = await openEngine({ approve: slowly, limits: { timeoutMs: 1_000 } });
  const sum = `import { get_sum, trigger_long_running_operation } from "@codemode/servers/everything";`;
  const still = await engine.run({ code: `${sum} export default await get_sum({ a: 1, b: 1 });` });
  expect(still).toMatchObject({ result: "The sum of 1 and 1 is 2.", diagnostics: [] });
  const busy = await engine.run({
    code: `${sum} export default await Promise.all([get_sum({ a: 1, b: 1 }), trigger_long_running_operation({ duration: 30, steps: 2 })]);`,
  });
  expect(busy.diagnostics.map(({ code }) => code)).toEqual(["SANDBOX_LIMIT"]);
  await engine.close();
});

test("where no person can be asked, the call is refused and the answer says so", async () => {
  const { engine } = await openEngine();
  const answer = await engine.run({ code: SUMS });
  expect(answer.result).toMatchObject([1, 2].map(() => ["ApprovalRefusedError", expect.any(String), ""]));
  expect(answer.diagnostics).toMatchObject([
    { severity: "warning", code: "APPROVAL_REQUIRED", message: expect.stringContaining("no person could be asked") },
    { severity: "warning" },
  ]);
  expect(await engine.tryTool("everything/get-sum", { a: 1, b: 2 })).toMatchObject({ reply: { ok: false } });
  await engine.close();
});

test("a single call without a script is asked about with its arguments, too", async () => {
  const { asked, approve } = answering(true);
  const { engine } = await openEngine({ approve });
  expect(await engine.callTool("everything/get-sum", { a: 1, b: 2 })).toBe("The sum of 1 and 2 is 3.");
  expect(asked.map(({ call }) => call?.input)).toEqual([{ a: 1, b: 2 }]);
  await engine.close();
});

test.each([
  ["deny wins over askEach", { askEach: ["everything/*"], deny: ["everything/get-sum"] }, "POLICY_DENIED", 0],
  ["askEach wins over ask", { ask: ["*/get-sum"], askEach: ["*/get-sum"] }, undefined, 2],
])("%s", async (_, policy, code, questions) => {
  const { asked, approve } = answering(true, true, true);
  const { engine } = await openEngine({ approve }, policy);
  const { diagnostics } = await engine.run({ code: SUMS });
  expect(diagnostics.map((found) => found.code)).toEqual(code === undefined ? [] : [code]);
  expect(asked.map(({ call }) => call !== undefined)).toEqual(Array(questions).fill(true));
  await engine.close();
});

test("a dry run makes no call that would be asked about, and shows each", async () => {
  const skipped: object[] = [];
  const { asked, approve } = answering();
  const { engine } = await openEngine({ approve });
  await engine.run({ code: SUMS }, { dryRun: { onSkipped: (call) => skipped.push(call) } });
  expect(asked).toEqual([]);
  expect(skipped).toMatchObject([
    { input: { a: 1, b: 2 }, asks: true },
    { input: { a: 1, b: 3 }, asks: true },
  ]);
  await engine.close();
});
