import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ApprovalRequest, CallDecision } from "codemode";
import { beginRun, startProject } from "./start-ledger.ts";

const SOON = { suspendAfterMs: 50 };
const LATER = { suspendAfterMs: 60_000 };
const GRANT: CallDecision = { verdict: "granted" };
const FOR_RUN: CallDecision = { verdict: "granted", forRun: true };

/** An approver that leaves all questions open, and what it was asked. */
function leaving() {
  const asked: ApprovalRequest[] = [];
  const approve = async (request: ApprovalRequest) => {
    asked.push(request);
    return "unavailable" as const;
  };
  const digestOf = (entry: string): string =>
    asked.findLast(({ call }) => call?.input["entry"] === entry)?.digest ?? "";
  return { asked, approve, digestOf };
}

const makeCalls = (tool: string, ...entries: string[]): string => `import { ${tool} } from "@codemode/servers/ledger";
  const make = (entry) => ${tool}({ entry }).catch((error) => error.name + ": " + error.reason);
  export default await Promise.all(${JSON.stringify(entries)}.map(make));`;

/** Begins a run of a project with a ledger, and waits until so many questions are open and have reached the approver. */
async function beginAndAsk(
  code: string,
  durable: object,
  questions: number,
  ...settings: Parameters<typeof startProject>
) {
  const { ledger, project } = await startProject(...settings);
  const { asked, approve, digestOf } = leaving();
  const engine = await project.openEngine({ approve });
  const { id, runs, running } = await beginRun(engine, { code }, { durable });
  const open = async (): Promise<number> => Math.min((await runs.find(id)).questions.length, asked.length);
  await expect.poll(open, { timeout: 15_000 }).toBe(questions);
  return { ledger, project, engine, digestOf, id, runs, running };
}

test("a call that a person refuses is not made, though others are allowed meanwhile", async () => {
  const { ledger, digestOf, id, runs, running } = await beginAndAsk(makeCalls("pay", "drop", "harmless"), SOON, 2);
  expect(await runs.decide(id, digestOf("harmless"), FOR_RUN)).toBe(true);
  await expect.poll(async () => (await ledger.booked())["pay harmless"], { timeout: 15_000 }).toBe(1);
  await expect.poll(async () => (await runs.find(id)).state, { timeout: 15_000 }).toBe("waiting");
  expect((await runs.find(id)).questions).toHaveLength(1);
  expect(await runs.decide(id, digestOf("drop"), { verdict: "refused", reason: "never" })).toBe(true);
  expect((await running).result).toEqual(["ApprovalRefusedError: never", "pay harmless"]);
  expect(await ledger.booked()).toEqual({ "pay harmless": 1 });
});

test("a call without an answer is asked about again after a restart, and those made after the permission are not", async () => {
  const code = `import { pay } from "@codemode/servers/ledger";
    const open = pay({ entry: "open" }).catch((error) => error.name);
    const later = pay({ entry: "allowed" }).then(() => pay({ entry: "later" })).then(() => pay({ entry: "last" }));
    export default [await open, await later];`;
  const { ledger, project, engine, digestOf, id, runs, running } = await beginAndAsk(code, LATER, 2);
  await runs.decide(id, digestOf("allowed"), FOR_RUN);
  // Without its answer the last call would be in doubt, which is a question of its own.
  const answered = async (): Promise<number> => (await runs.steps(id)).filter(({ kind }) => kind === "reply").length;
  await expect.poll(answered, { timeout: 15_000 }).toBe(3);
  await engine.close();
  await running;
  const second = leaving();
  const later = await project.openEngine({ approve: second.approve });
  const resumed = await later.durableRuns();
  const answer = resumed.resume(id, LATER);
  await expect.poll(() => second.asked.length, { timeout: 15_000 }).toBe(1);
  expect((await ledger.booked())["pay open"]).toBeUndefined();
  await expect
    .poll(() => resumed.decide(id, second.digestOf("open"), { verdict: "refused" }), { timeout: 15_000 })
    .toBe(true);
  expect((await answer).result).toEqual(["ApprovalRefusedError", "pay last"]);
  expect(second.asked.map(({ call }) => call?.input["entry"])).toEqual(["open"]);
  expect(await ledger.booked()).toEqual({ "pay allowed": 1, "pay later": 1, "pay last": 1 });
});

test("what a person has changed of a call that is made again stays changed, though others are allowed", async () => {
  const { ledger, project, engine, digestOf, id, runs, running } = await beginAndAsk(
    makeCalls("order", "much", "harmless"),
    LATER,
    2,
    { policy: { askEach: ["ledger/order"] } },
    1500,
  );
  await runs.decide(id, digestOf("harmless"), FOR_RUN);
  await runs.decide(id, digestOf("much"), { verdict: "changed", input: { entry: "little" } });
  const sent = async (): Promise<number> => (await runs.steps(id)).filter(({ kind }) => kind === "sent").length;
  await expect.poll(sent, { timeout: 15_000 }).toBe(2);
  await engine.close();
  await running;
  const later = await project.openEngine({ approve: leaving().approve });
  const { result } = await (await later.durableRuns()).resume(id);
  expect(result).toEqual(["order little", "order harmless"]);
  expect(Object.keys(await ledger.booked()).toSorted()).toEqual(["order harmless", "order little"]);
}, 30_000);

test("a decision is kept when it is given: the end of the process does not lose it", async () => {
  const { project, engine, digestOf, id, runs, running } = await beginAndAsk(makeCalls("pay", "rent"), SOON, 1);
  await expect.poll(async () => (await runs.find(id)).state, { timeout: 15_000 }).toBe("waiting");
  // The script would come to its question in the next attempt.
  const decided = runs.decide(id, digestOf("rent"), { verdict: "refused", reason: "too late to forget" });
  await Promise.all([decided, engine.close()]);
  expect(await decided).toBe(true);
  await running;
  const { asked: askedAgain, approve: again } = leaving();
  const later = await (await project.openEngine({ approve: again })).durableRuns();
  expect(await later.find(id)).toMatchObject({ questions: [] });
  expect((await later.resume(id)).result).toEqual(["ApprovalRefusedError: too late to forget"]);
  expect(askedAgain).toEqual([]);
});

test("a question that is put again, because its answer could not be used, is shown again", async () => {
  const { digestOf, id, runs, running } = await beginAndAsk(makeCalls("pay", "rent"), LATER, 1);
  await runs.decide(id, digestOf("rent"), { verdict: "changed", input: { entry: 7 } });
  const questions = async (): Promise<number> => (await runs.steps(id)).filter(({ kind }) => kind === "asked").length;
  await expect.poll(questions, { timeout: 15_000 }).toBe(2);
  const { questions: shown } = await runs.find(id);
  expect(shown.map((lines) => lines.join(" "))).toEqual([expect.stringContaining("rent")]);
  await expect.poll(() => runs.decide(id, digestOf("rent"), GRANT), { timeout: 15_000 }).toBe(true);
  expect((await running).result).toEqual(["pay rent"]);
});

test("a run that was cancelled while its process was being ended makes no further call, though another process goes on with it", async () => {
  const { ledger, project, engine, id, running } = await beginAndAsk(makeCalls("pay", "rent"), SOON, 1);
  await engine.close();
  await running;
  const [folder = ""] = await readdir(project.runs);
  // Its process has ended before it has looked.
  await writeFile(join(project.runs, folder, id, "cancelled"), "");
  const later = await project.openEngine({ approve: async () => "granted" as const });
  const runs = await later.durableRuns();
  const { diagnostics } = await runs.resume(id);
  expect(diagnostics.map(({ code }) => code)).toEqual(["RUN_CANCELLED"]);
  expect(await runs.find(id)).toMatchObject({ state: "ended" });
  expect(await ledger.booked()).toEqual({});
});

test("a run that is cancelled by another process makes no call after that, before its process looks for cancellations", async () => {
  const { ledger, project } = await startProject({}, 100);
  const engine = await project.openEngine();
  const code = `import { book } from "@codemode/servers/ledger";
    for (let at = 0; at < 50; at += 1) await book({ entry: String(at) }).catch(() => undefined);
    export default "end";`;
  const { id, running } = await beginRun(engine, { code }, { durable: {} });
  await expect.poll(async () => Object.keys(await ledger.booked()).length, { timeout: 15_000 }).toBeGreaterThan(0);
  const other = await (await project.openEngine()).durableRuns();
  await other.cancel(id);
  const before = Object.keys(await ledger.booked()).length;
  const { diagnostics } = await running;
  expect(diagnostics.map(({ code: name }) => name)).toEqual(["RUN_CANCELLED"]);
  // One may have been on its way.
  expect(Object.keys(await ledger.booked()).length - before).toBeLessThanOrEqual(1);
});

test("what a person has decided about a call holds, though the policy does not ask any more", async () => {
  const decisions: [CallDecision, string][] = [
    [{ verdict: "refused", reason: "never" }, "ApprovalRefusedError: never"],
    [{ verdict: "changed", input: { entry: "less" } }, "pay less"],
    [{ verdict: "answered", result: "by hand" }, "by hand"],
  ];
  const { ledger, project } = await startProject();
  const engine = await project.openEngine({ approve: leaving().approve });
  const runs = decisions.map(async (_, at) => {
    const code = `import { pay } from "@codemode/servers/ledger";
      const first = await pay({ entry: "rent ${at}" }).catch((error) => error.name + ": " + error.reason);
      export default [first, await pay({ entry: "next ${at}" })];`;
    return beginRun(engine, { code }, { durable: SOON });
  });
  const begun = await Promise.all(runs);
  for (const { id, runs: list } of begun)
    await expect.poll(async () => (await list.find(id)).questions.length, { timeout: 15_000 }).toBe(1);
  await engine.close();
  await Promise.all(begun.map(({ running }) => running));
  const [between, later] = [await project.openEngine(), await project.openEngine({}, { policy: { allow: ["*"] } })];
  for (const [at, [decision, first]] of decisions.entries()) {
    const id = begun[at]?.id ?? "";
    expect(await (await between.durableRuns()).answer(`${id}.1`, decision)).toBe("given");
    expect(await (await later.durableRuns()).resume(id)).toMatchObject({ result: [first, `pay next ${at}`] });
  }
  expect(await ledger.booked()).toEqual({ "pay less": 1, "pay next 0": 1, "pay next 1": 1, "pay next 2": 1 });
});
