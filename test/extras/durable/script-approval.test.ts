import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { ApprovalRequest, Engine } from "codemode";
import { readApprovalKey, signText } from "../../../engine/approval-secret.ts";
import { extra } from "../../../extras/durable/index.ts";
import { makeDurableRuns } from "../../../extras/durable/durable-runs.ts";
import { makeMemory, openMemoryStore } from "../../../extras/durable/stores/memory-store.ts";
import { ownAccess } from "../../../schemas/access/access.ts";
import type { Step } from "../../../schemas/run/durable-run.ts";
import { makeProject } from "../../e2e/run-codemode.ts";
import { openTestHost } from "../../engine/run/open-test-host.ts";
import { shareInFile } from "../../e2e/share-in-file.ts";
import { setPassphraseIn } from "../../e2e/set-passphrase.ts";
import { create } from "./a-run.ts";
import { beginRun, openSharedEngine, startLedger, startProject } from "./start-ledger.ts";

const PAY = `import { pay } from "@codemode/servers/ledger";
  const paid = await pay({ entry: "rent" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  export default [paid, globalThis.__codemode_input__];`;
const PASSPHRASE = "correct horse battery";
const unavailable = async () => "unavailable" as const;

const ASKING = { policy: { ask: ["ledger/pay"] } };
const shared = shareInFile(() => openSharedEngine(ASKING));

/** Begins a run, and resolves when its question waits. */
async function beginAsking(engine: Engine, options: { key?: string } = {}) {
  const begun = await beginRun(engine, { code: PAY }, { input: 7, durable: { suspendAfterMs: 50 }, ...options });
  // The process of a run lists its question when that is kept for good.
  const isAsked = async () => (await begun.runs.questions()).some(({ run }) => run === begun.id);
  await expect.poll(isAsked, { timeout: 15_000 }).toBe(true);
  expect((await begun.runs.find(begun.id)).state).toBe("waiting");
  return begun;
}

/** A project in which a person approves each script that pays, and the account with a passphrase. */
async function makeAskingProject() {
  const { ledger, project } = await startProject(ASKING);
  const env = { ...process.env, ...(await setPassphraseIn(join(project.cwd, "state"))) };
  const account = await extra.openAccountQuestions(undefined, env);
  onTestFinished(() => account.close());
  const key = await readApprovalKey(env);
  const sign = async (text: string) => key && signText(PASSPHRASE, text, key);
  const begin = async () => {
    const engine = await project.openEngine({ approve: unavailable });
    return { engine, ...(await beginAsking(engine)) };
  };
  return { ...project, ledger, account, sign, begin };
}

test("a script that no person can be asked about waits in the log of its run, with its code, and goes on when it is allowed", async () => {
  const { ledger, engine } = await shared().forTest();
  const { id, runs, running } = await beginAsking(engine);
  const [question, ...others] = await runs.questions();
  expect(others).toEqual([]);
  expect(question).toMatchObject({ id: `${id}.1`, kind: "script", tools: ["ledger/pay"], script: "script.ts" });
  expect(question?.lines.join()).toContain("ledger/pay");
  expect(question?.whole?.join("\n")).toMatch(
    /its program: sha256-\S{44}\n {2}its input: 7\n[^]*const paid = await pay/,
  );
  expect(await runs.find(id)).toMatchObject({ calls: 0 });
  expect(await ledger.booked()).toEqual({});
  expect(await runs.answer(`${id}.1`, { verdict: "changed", input: { entry: "more" } })).toMatchObject({
    problem: expect.stringContaining("allow or refuse"),
  });
  expect(await runs.answer(`${id}.1`, { verdict: "granted" })).toBe("given");
  expect(await running).toMatchObject({ result: ["pay rent", 7], diagnostics: [], runId: id });
  expect(await runs.answer(`${id}.1`, { verdict: "granted" })).toBe("given");
  expect((await runs.steps(id)).map(({ kind }) => kind)).toEqual([
    "asked",
    "decided",
    "call",
    "sent",
    "reply",
    "fire",
    "ended",
  ]);
});

test("the question survives the process that has begun the run: a person answers it with the passphrase, and another process goes on", async () => {
  const { ledger, account, sign, begin, openEngine } = await makeAskingProject();
  const { id, engine, running } = await begin();
  await engine.close();
  expect((await running).diagnostics).toMatchObject([{ code: "RUN_CONTINUES" }]);
  expect(await account.questions()).toMatchObject([{ id: `${id}.1`, kind: "script" }]);
  // A process that has no way to ask leaves it as it is.
  const watching = await (await openEngine({ approve: unavailable })).durableRuns();
  const end = watching.watch();
  onTestFinished(end);
  await account.answer(`${id}.1`, { verdict: "granted" }, { sign: (text) => sign(`${text} `) });
  // sleeps: an answer that counts is taken in this time, by a built program with a clock of its own
  await delay(1000);
  expect(await ledger.booked()).toEqual({});
  expect(await account.answer(`${id}.1`, { verdict: "granted" }, { sign })).toBe("given");
  await expect.poll(() => watching.find(id), { timeout: 15_000 }).toMatchObject({ state: "ended", calls: 1 });
  expect((await watching.find(id)).answer?.result).toEqual(["pay rent", 7]);
  expect(await ledger.booked()).toEqual({ "pay rent": 1 });
});

test("a refused script does not run, though the policy does not ask any more", async () => {
  const { ledger, begin, openEngine } = await makeAskingProject();
  const { id, engine, running } = await begin();
  await engine.close();
  await running;
  const between = await (await openEngine()).durableRuns();
  expect(await between.answer(`${id}.1`, { verdict: "refused" })).toBe("given");
  const later = await (await openEngine({}, { policy: { allow: ["*"] } })).durableRuns();
  expect((await later.resume(id)).diagnostics).toMatchObject([
    { code: "APPROVAL_REQUIRED", message: expect.stringContaining("ledger/pay") },
  ]);
  expect(await later.find(id)).toMatchObject({ state: "ended", calls: 0 });
  expect(await ledger.booked()).toEqual({});
});

test("a refused script has called nothing, and its key is free", async () => {
  const { ledger, engine } = await shared().forTest();
  const { id, runs, running } = await beginAsking(engine, { key: "rent-of-may" });
  expect(await runs.answer(`${id}.1`, { verdict: "refused" })).toBe("given");
  expect((await running).diagnostics).toMatchObject([
    { code: "APPROVAL_REQUIRED", message: expect.stringContaining("refused") },
  ]);
  expect(await runs.find(id)).toMatchObject({ state: "ended", calls: 0 });
  // Asked for again it is asked about again, and so it is where the run is tried again.
  const again = await beginAsking(engine, { key: "rent-of-may" });
  expect(again.id).toBe(id);
  expect(await again.runs.answer(`${id}.1`, { verdict: "refused" })).toBe("given");
  await again.running;
  const retried = again.runs.retry(id);
  await expect.poll(() => again.runs.questions(), { timeout: 15_000 }).toMatchObject([{ id: `${id}.2` }]);
  expect(await again.runs.answer(`${id}.2`, { verdict: "granted" })).toBe("given");
  expect(await retried).toMatchObject({ result: ["pay rent", 7] });
  expect(await ledger.booked()).toEqual({ "pay rent": 1 });
});

test("a script that a person allows at once asks nothing in its log, and one that is cancelled while it waits runs never", async () => {
  const asked: ApprovalRequest[] = [];
  const { ledger, engine } = await shared().forTest(async (request) => asked.push(request) > 0);
  const { runId = "", result } = await engine.run({ code: PAY }, { durable: true, input: 1 });
  expect(result).toEqual(["pay rent", 1]);
  expect(asked).toMatchObject([{ script: { input: 1 } }]);
  const steps = await (await engine.durableRuns()).steps(runId);
  expect(steps.map(({ kind }) => kind)).toEqual(["call", "sent", "reply", "fire", "ended"]);

  await shared().forTest();
  const waiting = await beginAsking(engine);
  await waiting.runs.cancel(waiting.id);
  expect((await waiting.running).diagnostics).toMatchObject([{ code: "RUN_CANCELLED" }]);
  expect(await waiting.runs.answer(`${waiting.id}.1`, { verdict: "granted" })).toBe("gone");
  expect(await ledger.booked()).toEqual({ "pay rent": 1 });
});

test("a way to ask that opens a moment later answers the question, and the script then runs as a new one", async () => {
  const answers = ["unavailable", "granted"] as const;
  let asked = 0;
  const { ledger, engine } = await shared().forTest(async () => answers[asked++] ?? "refused");
  const logged: string[] = [];
  const code = `console.log("begins");\n${PAY}`;
  const onLog = ({ message }: { message: string }) => void logged.push(message);
  const answer = await engine.run({ code }, { durable: { suspendAfterMs: 50 }, input: 2, onLog });
  expect(answer).toMatchObject({ result: ["pay rent", 2], diagnostics: [] });
  expect([asked, logged]).toEqual([2, ["begins"]]);
  expect(await ledger.booked()).toEqual({ "pay rent": 1 });
});

test("a client leaves at most 100 scripts waiting, and scripts of processes that have ended count", async () => {
  const cwd = await makeProject({
    "codemode.config.json": {
      mcpServers: { ledger: { url: (await startLedger()).url } },
      policy: { ask: ["ledger/pay"] },
    },
  });
  const { config, host } = await openTestHost(cwd);
  const store = openMemoryStore(makeMemory());
  const asked: Step = {
    kind: "asked",
    about: "script",
    digest: "d",
    nonce: "n",
    lines: ["- ledger/pay"],
    tools: ["ledger/pay"],
    at: 1,
  };
  const left = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const owned = await create(store);
      await owned.append([asked, { kind: "suspended", usedMs: 0, at: 2 }]);
      await owned.release();
      return owned.run.id;
    }),
  );
  const runs = makeDurableRuns({ store, run: host.run });
  const begin = () =>
    runs.begin({
      ...{ script: { code: PAY, name: "script.ts" }, access: ownAccess(config.policy), approve: unavailable },
      ...{ waitMs: 0 },
    });
  const refused = await begin();
  expect(refused.diagnostics).toMatchObject([{ code: "APPROVAL_REQUIRED" }]);
  expect(await store.list()).toHaveLength(100);
  await store.remove(left[0] ?? "");
  const waiting = await begin();
  expect(await runs.find(waiting.runId ?? "")).toMatchObject({ state: "waiting", calls: 0 });
});
