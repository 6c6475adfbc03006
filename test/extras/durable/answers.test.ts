import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { CallDecision } from "codemode";
import { readApprovalKey, signText } from "../../../engine/approval-secret.ts";
import { extra } from "../../../extras/durable/index.ts";
import type { RunMessage } from "../../../extras/durable/kept-runs.ts";
import { openFileStore } from "../../../extras/durable/stores/file-store.ts";
import { setPassphraseIn } from "../../e2e/set-passphrase.ts";
import { beginRun, startProject } from "./start-ledger.ts";

const GRANT: CallDecision = { verdict: "granted" };
const REFUSE: CallDecision = { verdict: "refused", reason: "not today" };
const PAY = `import { pay } from "@codemode/servers/ledger";
  const paid = (entry) => pay({ entry }).catch((error) => error.name + ": " + error.reason);
  export default await Promise.all([paid("rent"), paid("tax")]);`;

/** A run that asks two questions which no channel of its process shows, and the account with a passphrase, as a terminal of its own sees it. */
async function makeAskingRun(settings: Parameters<typeof startProject>[0] = {}) {
  const { ledger, project } = await startProject(settings);
  const env = { ...process.env, ...(await setPassphraseIn(join(project.cwd, "state"))) };
  const open = () => project.openEngine({ approve: async () => "unavailable" as const });
  const engine = await open();
  const { id, running, runs } = await beginRun(engine, { code: PAY }, { durable: { suspendAfterMs: 50 } });
  await expect.poll(() => runs.questions(), { timeout: 15_000 }).toHaveLength(2);
  const account = await extra.openAccountQuestions(undefined, env);
  onTestFinished(() => account.close());
  const key = await readApprovalKey(env);
  const signBy =
    (passphrase: string) =>
    async (text: string): Promise<string | undefined> =>
      key && signText(passphrase, text, key);
  const [folder = ""] = await readdir(project.runs);
  return { ledger, engine, open, id, runs, running, account, signBy, folder: join(project.runs, folder) };
}

const PASSPHRASE = "correct horse battery";

test("a question of a run that another process has is answered with the passphrase, and the run goes on at once", async () => {
  const { ledger, id, running, account, signBy } = await makeAskingRun();
  const questions = await account.questions();
  expect(questions.map((question) => question.id)).toEqual([`${id}.1`, `${id}.2`]);
  expect(questions[0]).toMatchObject({ run: id, kind: "call", tools: ["ledger/pay"], script: "script.ts" });
  expect(questions.map(({ lines }) => lines.join(" "))).toEqual([
    expect.stringContaining("rent"),
    expect.stringContaining("tax"),
  ]);
  expect(await account.answer(`${id}.1`, GRANT, { sign: signBy("a wrong passphrase") })).toBe("wrong");
  expect(await account.answer(`${id}.1`, GRANT, { sign: signBy(PASSPHRASE) })).toBe("given");
  await expect.poll(() => ledger.booked(), { timeout: 15_000 }).toEqual({ "pay rent": 1 });
  expect((await account.questions()).map((question) => question.id)).toEqual([`${id}.2`]);
  // What was said once stays: said again it is the same answer, and another one comes too late.
  expect(await account.answer(`${id}.1`, GRANT, { sign: signBy(PASSPHRASE) })).toBe("given");
  expect(await account.answer(`${id}.1`, REFUSE, { sign: signBy(PASSPHRASE) })).toBe("answered");
  // Only `RUN.NUMBER` names a question: what the run asks by the time of the answer may be another one.
  for (const name of [id, `${id}.`, `${id}.02`, `${id}.2e0`, `${id}. 2`, `${id}.2.2`, `${id}.0`])
    expect(
      await account.answer(name, GRANT, { sign: signBy(PASSPHRASE) }).catch((error: Error) => error.name),
      name,
    ).toBe("gone");
  expect(await account.answer(`${id}.2`, REFUSE, { sign: signBy("not needed") })).toBe("given");
  expect((await running).result).toEqual(["pay rent", "ApprovalRefusedError: not today"]);
  expect(await account.answer(`${id}.7`, GRANT, { sign: signBy(PASSPHRASE) })).toBe("gone");
  expect(await account.questions()).toEqual([]);
});

test("an answer that is given while no process has the run, by the person or a program, counts when one goes on with it", async () => {
  const { ledger, id, engine, open, running, account, signBy } = await makeAskingRun();
  const other = await (await open()).durableRuns();
  await expect(other.answer(`${id}.1`, GRANT)).rejects.toMatchObject({ code: "RUN_HELD" });
  await engine.close();
  await running;
  expect(
    await account.answer(`${id}.2`, { verdict: "changed", input: { entry: "less" } }, { sign: signBy(PASSPHRASE) }),
  ).toBe("given");
  // What would be asked about again is said at once.
  const misspelt = await account.answer(
    `${id}.1`,
    { verdict: "changed", input: { entyr: "x" } },
    { sign: signBy(PASSPHRASE) },
  );
  expect(misspelt).toEqual({ problem: expect.stringContaining('Did you mean "entry"?') });
  const unchanged = await account.answer(`${id}.1`, { verdict: "changed", input: {} }, { sign: signBy(PASSPHRASE) });
  expect(unchanged).toEqual({ problem: expect.stringContaining("changes nothing") });
  expect(await other.answer(`${id}.1`, REFUSE)).toBe("given");
  expect([await account.questions(), await other.questions()]).toEqual([[], []]);
  expect(await ledger.booked()).toEqual({});
  expect((await other.resume(id)).result).toEqual(["ApprovalRefusedError: not today", "pay less"]);
  expect(await ledger.booked()).toEqual({ "pay less": 1 });
});

test("what a program leaves that does not know the passphrase allows nothing, and hides no question", async () => {
  const { ledger, id, runs, running, account, signBy, folder } = await makeAskingRun();
  const store = await openFileStore(folder, undefined);
  let signature: string | undefined;
  const sign = async (text: string) => (signature = await signBy(PASSPHRASE)(text));
  const [first, second] = (await account.questions()).map(({ digest }) => digest) as [string, string];
  await account.answer(`${id}.1`, GRANT, { sign });
  await expect.poll(() => ledger.booked(), { timeout: 15_000 }).toEqual({ "pay rent": 1 });
  const forged: RunMessage[] = [
    { question: 2, digest: second, decision: GRANT },
    { question: 2, digest: second, decision: GRANT, signature },
    { question: 2, digest: first, decision: GRANT, signature },
    { question: 2, digest: second, decision: { verdict: "changed", input: { entry: "all" } }, signature: "AAAA" },
    { question: 99, digest: first, decision: GRANT, signature },
    // To refuse needs no signature, but it must be this question.
    { question: 2, digest: first, decision: REFUSE },
  ];
  for (const message of forged) expect(await store.leave(id, message)).toBe(true);
  expect((await account.questions()).map((question) => question.id)).toEqual([`${id}.2`]);
  // They are gone when they were read, so that the person's own finds room.
  await expect.poll(() => store.messages([id]), { timeout: 15_000 }).toEqual([]);
  expect((await runs.questions()).map((question) => question.id)).toEqual([`${id}.2`]);
  expect(await account.answer(`${id}.2`, REFUSE)).toBe("given");
  expect((await running).result).toEqual(["pay rent", "ApprovalRefusedError: not today"]);
  expect(await ledger.booked()).toEqual({ "pay rent": 1 });
});

test("a program answers for its own runs; a program with the key of an encrypted store answers for runs of another process too, and one without the key reads no run", async () => {
  const { id, open, runs, running, account } = await makeAskingRun({ serve: { storeKey: "k".repeat(32) } });
  expect(await account.questions()).toEqual([]);
  expect(account.problems()).toEqual([expect.stringContaining("1 run of other projects cannot be read here")]);
  const other = await (await open()).durableRuns();
  expect(await other.answer(`${id}.1`, GRANT)).toBe("given");
  expect(await runs.answer(`${id}.2`, REFUSE)).toBe("given");
  expect((await running).result).toEqual(["pay rent", "ApprovalRefusedError: not today"]);
});
