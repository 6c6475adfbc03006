import { expect, test } from "vitest";
import type { ApprovalRequest, CallDecision } from "codemode";
import { exitCodeOf, type RunAnswer } from "../../../schemas/run/answer.ts";
import { parseRecording } from "../../../schemas/run/parse-recording.ts";
import { formatRecording } from "../../../extras/record/recording-file.ts";
import { replay } from "../../../extras/record/replay-recording.ts";
import { mayRetry } from "../../../extras/durable/retry-run.ts";
import { describeSteps } from "../../../schemas/run/describe-durable-run.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { foldRun } from "../../../schemas/run/fold-run.ts";
import { shareInFile } from "../../e2e/share-in-file.ts";
import { makeLedgerProject, openSharedEngine, startLedger } from "./start-ledger.ts";

const MONTH = `import { book, pay } from "@codemode/servers/ledger";
  const first = await book({ entry: "before" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const paid = await pay({ entry: "rent" });
  console.log("paid", new Date().toISOString(), Math.random());
  export default [first, paid];`;

const shared = shareInFile(() => openSharedEngine());

async function open(...decisions: CallDecision[]) {
  const asked: ApprovalRequest[] = [];
  const test = await shared().forTest(async (request) => {
    asked.push(request);
    return decisions.shift() ?? ("unavailable" as const);
  });
  return { ...test, asked };
}

const GRANT: CallDecision = { verdict: "granted" };
const REFUSE: CallDecision = { verdict: "refused" };
const codesOf = ({ diagnostics }: { diagnostics: readonly { code: string }[] }) => diagnostics.map(({ code }) => code);

test("a durable run is a recording, which is replayed without servers", async () => {
  const { engine, runs } = await open(GRANT);
  const answer = await engine.run({ code: MONTH }, { durable: true, input: { month: 5 } });
  const recording = parseRecording(formatRecording(await runs.recording(answer.runId ?? "")), "run.json");
  expect(recording).toMatchObject({
    ...{ ending: "result", redact: [], input: { month: 5 }, servers: { ledger: expect.stringMatching(/^sha256-/) } },
    calls: [{ toolName: "book", input: { entry: "before" } }, { toolName: "pay" }],
    events: [{ call: 1 }, { timer: 1 }, { call: 2 }],
  });
  for (const { startMs, endMs = 0 } of recording.calls) expect(endMs).toBeGreaterThanOrEqual(startMs);
  const again = await replay(recording, {});
  expect(again.divergence).toBeUndefined();
  expect(again.answer).toMatchObject({ result: ["book before", "pay rent"], logs: answer.logs });
});

test("a run that has not ended is a recording as far as it has come", async () => {
  const { engine, runs } = await open();
  const { runId = "" } = await engine.run({ code: MONTH }, { durable: { waitMs: 0 } });
  const recording = parseRecording(formatRecording(await runs.recording(runId)), "run.json");
  expect(recording).toMatchObject({ ending: "cancelled", calls: [{ toolName: "book" }, { toolName: "pay" }] });
  const again = await replay(recording, {});
  expect([again.divergence, codesOf(again.answer)]).toEqual([undefined, ["RUN_CANCELLED"]]);
});

test("a run whose question no person answers in time is left as it is, and says so", async () => {
  const { engine, runs, project, ledger } = await open();
  const answer = await engine.run({ code: MONTH }, { durable: { waitMs: 60 } });
  const { runId = "" } = answer;
  expect([codesOf(answer), exitCodeOf(answer)]).toEqual([["APPROVAL_REQUIRED"], 4]);
  expect(await runs.find(runId)).toMatchObject({ state: "waiting", questions: [expect.any(Array)] });
  expect(codesOf(await runs.resume(runId, { waitMs: 0 }))).toEqual(["APPROVAL_REQUIRED"]);
  const later = await project.openEngine({ approve: async () => "granted" as const });
  const { result } = await (await later.durableRuns()).resume(runId, { waitMs: 5000 });
  expect(result).toEqual(["book before", "pay rent"]);
  expect(await ledger.booked()).toEqual({ "book before": 1, "pay rent": 1 });
});

test("a timer is waited for, however little a person is", async () => {
  const { engine } = await open();
  const code = "await new Promise((resolve) => setTimeout(resolve, 50)); export default 1;";
  expect(await engine.run({ code }, { durable: { waitMs: 0 } })).toMatchObject({ result: 1, diagnostics: [] });
});

test("a run that has failed goes on from before its end: what failed last is made again, and nothing else", async () => {
  const { engine, runs, ledger, asked } = await open(REFUSE, REFUSE, GRANT);
  const failed = await engine.run({ code: MONTH }, { durable: true, key: "may" });
  const { runId = "" } = failed;
  expect(codesOf(failed)).toEqual(["UNCAUGHT_EXCEPTION"]);
  // Its key gives its answer, and resuming it gives that too.
  expect(codesOf(await engine.run({ code: MONTH }, { durable: true, key: "may" }))).toEqual(["UNCAUGHT_EXCEPTION"]);
  expect(codesOf(await runs.resume(runId))).toEqual(["UNCAUGHT_EXCEPTION"]);
  expect(codesOf(await runs.retry(runId))).toEqual(["UNCAUGHT_EXCEPTION"]);
  expect(await runs.retry(runId)).toMatchObject({ result: ["book before", "pay rent"], diagnostics: [] });
  expect(asked.map(({ call }) => call?.number)).toEqual([2, 2, 2]);
  expect(await ledger.booked()).toEqual({ "book before": 1, "pay rent": 1 });
  // One that has not failed is not made again, and the key is of the new answer.
  expect(await runs.retry(runId)).toMatchObject({ result: ["book before", "pay rent"] });
  expect(await engine.run({ code: MONTH }, { durable: true, key: "may" })).toMatchObject({ diagnostics: [] });
  expect(asked).toHaveLength(3);
});

test("a run that was cancelled is not made again", async () => {
  const { engine, runs } = await open();
  const { runId = "" } = await engine.run({ code: MONTH }, { durable: { waitMs: 0 } });
  await runs.cancel(runId);
  expect(codesOf(await runs.retry(runId))).toEqual(["RUN_CANCELLED"]);
});

const other = (code: string, ...changes: [string, string][]): { code: string } => ({
  code: changes.reduce((text, [from, to]) => text.replace(from, to), code),
});
const BROKEN = other(MONTH, ["export default", `if (paid !== "") throw new Error("broken");\n  export default`]);

test("a corrected script goes on with a run: what is the same is not called again", async () => {
  const { engine, runs, ledger, asked } = await open(GRANT);
  const { runId: from = "", ...failed } = await engine.run(BROKEN, { durable: true, input: "of the run before" });
  expect(codesOf(failed)).toEqual(["UNCAUGHT_EXCEPTION"]);
  // Another pause, and what failed is gone.
  const corrected = other(MONTH, ["20", "40"], ["export default [", "export default [globalThis.__codemode_input__, "]);
  const answer = await engine.run(corrected, { durable: { from } });
  expect(answer).toMatchObject({ result: ["of the run before", "book before", "pay rent"], diagnostics: [] });
  expect(answer.runId).not.toBe(from);
  expect([asked.length, await ledger.booked()]).toEqual([1, { "book before": 1, "pay rent": 1 }]);
  const steps = await runs.steps(answer.runId ?? "");
  expect(steps.map(({ kind }) => kind)).toEqual(["call", "sent", "reply", "fire", "call", "sent", "reply", "ended"]);
});

test("from the first other call on a script calls for itself, and a person says whether the calls of the earlier run stay", async () => {
  const { engine, ledger, asked } = await open(GRANT, GRANT);
  const { runId: from = "" } = await engine.run(BROKEN, { durable: true });
  const changed = other(MONTH, ["rent", "the other rent"]);
  const refused = await engine.run(changed, { durable: { from } });
  expect([codesOf(refused), refused.runId]).toEqual([["APPROVAL_REQUIRED"], undefined]);
  expect(refused.diagnostics[0]?.message).toContain("ledger/pay");
  const left: (readonly string[])[] = [];
  const mayLeave = (calls: readonly string[]) => left.push(calls) > 0;
  expect(await engine.run(changed, { durable: { from, mayLeave } })).toMatchObject({
    result: ["book before", "pay the other rent"],
  });
  expect(left).toEqual([["ledger/pay"]]);
  // What was decided for the earlier script is not decided for this one.
  expect(asked.map(({ call }) => call?.input)).toEqual([{ entry: "rent" }, { entry: "the other rent" }]);
  expect(await ledger.booked()).toEqual({ "book before": 1, "pay rent": 1, "pay the other rent": 1 });
});

test("a new pause after the last call that is the same is waited for, and a run that has not ended is not gone on from", async () => {
  const { engine, runs } = await open();
  const { runId: from = "" } = await engine.run({ code: MONTH }, { durable: { waitMs: 0 } });
  await expect(engine.run({ code: MONTH }, { durable: { from } })).rejects.toMatchObject({ code: "RUN_OPEN" });
  await runs.cancel(from);
  const code = `import { book, look } from "@codemode/servers/ledger";
    await book({ entry: "before" });
    await new Promise((resolve) => setTimeout(resolve, 3_600_000));
    export default await look({ entry: "x" });`;
  const cancellation = new AbortController();
  let running: ReturnType<typeof engine.run> | undefined;
  const id = await new Promise<string>((onBegun) => {
    const durable = { from, suspendAfterMs: 0, onBegun };
    running = engine.run({ code }, { durable, signal: cancellation.signal });
  });
  await expect.poll(async () => (await runs.find(id)).state, { timeout: 15_000 }).toBe("waiting");
  expect((await runs.steps(id)).map(({ kind }) => kind)).toEqual(["call", "sent", "reply", "suspended"]);
  cancellation.abort();
  expect(codesOf((await running) ?? { diagnostics: [] })).toEqual(["RUN_CANCELLED"]);
});

test("a script takes back what a run has done, the last call first, and once", async () => {
  const { engine, runs, ledger } = await open(GRANT);
  const { runId: done = "" } = await engine.run(BROKEN, { durable: true });
  const code = `import { book } from "@codemode/servers/ledger";
    const calls = globalThis.__codemode_input__ as { call: number; tool: string; input: { entry: string }; result: string }[];
    if (calls.length > 1 && calls[0]?.call === 1) throw new Error("not the last first");
    for (const { tool, input, result } of calls) await book({ entry: tool + " " + input.entry + " -> " + result });
    export default calls.length;`;
  const failing = `throw new Error("not today"); export default 0;`;
  expect(codesOf(await engine.run({ code: failing }, { durable: { undo: done }, key: "first-try" }))).toEqual([
    "UNCAUGHT_EXCEPTION",
  ]);
  expect(await engine.run({ code }, { durable: { undo: done } })).toMatchObject({ result: 2, diagnostics: [] });
  expect(Object.keys(await ledger.booked())).toEqual([
    ...["book before", "pay rent"],
    ...["book ledger/pay rent -> pay rent", "book ledger/book before -> book before"],
  ]);
  expect((await runs.steps(done)).filter(({ kind }) => kind === "undone")).toMatchObject([{ call: 2 }, { call: 1 }]);
  // The second time its answer is given again, and to another script the run is named that has done it.
  expect(await engine.run({ code }, { durable: { undo: done } })).toMatchObject({ result: 2, diagnostics: [] });
  const another = await engine.run({ code: `${code}\n` }, { durable: { undo: done } });
  expect(another.diagnostics).toMatchObject([{ code: "KEY_REUSED", message: expect.stringContaining(done) as string }]);
  expect(await engine.run({ code }, { durable: { undo: done }, key: "another" })).toMatchObject({ result: 0 });
  expect(Object.keys(await ledger.booked())).toHaveLength(4);
  // What was taken back is not taken over, and not made again.
  expect(codesOf(await runs.retry(done))).toEqual(["UNCAUGHT_EXCEPTION"]);
  expect(await runs.find(done)).toMatchObject({ state: "ended" });
});

test("a corrected script goes on with one that has failed to take a run back, and makes no call of it again", async () => {
  const { engine, runs, ledger } = await open(GRANT);
  const { runId: done = "" } = await engine.run(BROKEN, { durable: true });
  const code = `import { book } from "@codemode/servers/ledger";
    const calls = globalThis.__codemode_input__ as { input: { entry: string } }[];
    for (const { input } of calls) {
      await book({ entry: "not " + input.entry });
      /* here */
    }
    export default calls.length;`;
  const failing = other(code, ["/* here */", 'throw new Error("no");']);
  const { runId: first = "", ...failed } = await engine.run(failing, { durable: { undo: done } });
  expect(codesOf(failed)).toEqual(["UNCAUGHT_EXCEPTION"]);
  const [refusal] = (await engine.run({ code }, { durable: { undo: done } })).diagnostics;
  expect(refusal).toMatchObject({
    code: "KEY_REUSED",
    hint: expect.stringContaining(`--undo ${done} --from ${first}`),
  });
  for (const _time of [1, 2])
    expect(await engine.run({ code }, { durable: { undo: done, from: first } })).toMatchObject({ result: 2 });
  expect(await ledger.booked()).toMatchObject({ "book not rent": 1, "book not before": 1 });
  expect((await runs.steps(done)).filter(({ kind }) => kind === "undone")).toHaveLength(2);
});

test("an undo warns of calls whose answer is not known, except where their tool only reads", async () => {
  const ledger = await startLedger(60_000);
  const project = await makeLedgerProject(ledger.url);
  const engine = await project.openEngine();
  const runs = await engine.durableRuns();
  const code = `import { book, look } from "@codemode/servers/ledger";
    export default await Promise.all([look({ entry: "x" }), book({ entry: "rent" })]);`;
  const running = engine.run({ code }, { durable: true, key: "k" });
  const kindsOf = async () => (await runs.list())[0] && (await runs.steps((await runs.list())[0]?.id ?? ""));
  await expect.poll(async () => (await kindsOf())?.filter(({ kind }) => kind === "sent").length).toBe(2);
  const [{ id: done } = { id: "" }] = await runs.list();
  await runs.cancel(done);
  await running;
  const count = "export default (globalThis.__codemode_input__ as unknown[]).length;";
  expect(await engine.run({ code: count }, { durable: { undo: done } })).toMatchObject({
    result: 0,
    diagnostics: [{ code: "UNDO_INCOMPLETE", message: expect.stringContaining("call 2 (ledger/book)") as string }],
  });
  await expect(runs.undo(done)).rejects.toMatchObject({
    ...{ code: "INVALID_OPTION", message: expect.stringContaining("ledger/book") as string },
  });
  expect(await runs.undo(done, { partial: true })).toEqual([]);
});

test("the operator takes over and takes back the run of a client, and no client another's", async () => {
  const ledger = await startLedger();
  const clients = { ada: { token: "a", mayApprove: true }, grace: { token: "g", mayApprove: true } };
  const project = await makeLedgerProject(ledger.url, { serve: { clients } });
  const openFor = (client?: string) =>
    project.openEngine({ approve: async () => "granted" as const, ...(client && { client }) });
  const { runId = "" } = await (await openFor("ada")).run({ code: MONTH }, { durable: true });
  const [grace, operator] = [await openFor("grace"), await openFor()];
  for (const durable of [{ from: runId }, { undo: runId }])
    await expect(grace.run({ code: MONTH }, { durable })).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  const again = await operator.run({ code: MONTH }, { durable: { from: runId } });
  expect([again.result, again.runId === runId]).toEqual([["book before", "pay rent"], false]);
  expect(await ledger.booked()).toEqual({ "book before": 1, "pay rent": 1 });
  const code = "export default (globalThis.__codemode_input__ as unknown[]).length;";
  const undone = await operator.run({ code }, { durable: { undo: runId } });
  expect(undone.result).toBe(2);
  // The log of the run says which run it was.
  const steps = await (await operator.durableRuns()).steps(runId);
  expect(describeSteps(steps.filter(({ kind }) => kind === "undone"))).toEqual([
    `call 2 taken back by run ${undone.runId}`,
    `call 1 taken back by run ${undone.runId}`,
  ]);
});

test.each<[Step[], boolean]>([
  [[{ kind: "undoing", call: 1 }], false],
  [[{ kind: "undone", call: 1 }], false],
  [
    [
      { kind: "undoing", call: 1 },
      { kind: "undoing", call: 1, hasFailed: true },
    ],
    true,
  ],
])("whether a run that has failed goes on after %j: %s", (steps, mayGoOn) => {
  const diagnostics = [{ severity: "error" as const, code: "UNCAUGHT_EXCEPTION", message: "no" }];
  const end = {
    kind: "ended" as const,
    at: 1,
    answer: { diagnostics } as unknown as RunAnswer,
    ending: "failure" as const,
  };
  const call = { kind: "call" as const, call: 1, serverId: "ledger", toolName: "book", inputJson: "{}", timeMs: 0 };
  expect(mayRetry(foldRun([call, ...steps, end]))).toBe(mayGoOn);
});
