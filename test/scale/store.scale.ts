import { expect, onTestFinished, test } from "vitest";
import { makeSealer } from "../../engine/store-plan.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { openStore } from "../../extras/stores/postgres-store.ts";
import type { HttpServing } from "../e2e/serve-over-http.ts";
import { checkStore } from "../extras/stores/store-contract.ts";
import { startPostgres } from "./start-postgres.ts";
import { answerOf, call, callsIn, codesOf, running, startReplicas, until } from "./two-replicas.ts";

test("PostgreSQL is a store, for two processes at once", async () => {
  const url = await startPostgres();
  const plan = { url, place: "the store", sealer: makeSealer("k".repeat(32)) };
  const [{ store: one }, { store: other }] = [await openStore(plan), await openStore(plan)];
  onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
  await expect(checkStore(one, other)).resolves.toBeUndefined();
});

test("over a store a replica goes on with the runs of another that was killed, and asks whether a call was made", async () => {
  const { cwd, replicas } = await startReplicas(await startPostgres(), { operatorToken: "${OPERATOR}" });
  const [first, second] = replicas as [HttpServing, HttpServing];

  // The answer of a run that has ended; then its replica is killed.
  const ended = await answerOf(call(first, running(700)));
  expect(codesOf(ended)).toEqual(["RUN_CONTINUES"]);
  // Another replica cancels a run, and waits for it.
  const cancelled = await answerOf(call(first, running(60_000)));
  const byOther = await answerOf(call(second, { runId: cancelled["runId"] as string, cancel: true }));
  expect(codesOf(byOther)).toEqual(["RUN_CANCELLED"]);
  // A run in the middle of a call that only reads, and one with a key whose call may change something, and whose client hears nothing.
  const reading = await answerOf(call(first, running(3000, "reads")));
  const before = await callsIn(cwd);
  const job = { ...running(60_000), key: "job-1" };
  const keyed = call(first, job).catch(() => undefined);
  await until(async () => (await callsIn(cwd)) > before);
  first.child.kill("SIGKILL");
  await first.ended;
  await keyed;

  const resultOf = async (input: JsonObject): Promise<unknown> => (await answerOf(call(second, input)))["result"];
  expect(await resultOf({ runId: ended["runId"] as string })).toBe("done");
  await until(async () => (await resultOf({ runId: reading["runId"] as string })) === "done");
  const calls = await callsIn(cwd);
  const headers = { authorization: "Bearer operator-token" };
  const approvals = new URL("/approvals", second.url);
  const asked = async () =>
    ((await (await fetch(approvals, { headers })).json()) as { approvals: JsonObject[] }).approvals;
  await until(async () => (await asked()).length === 1);
  expect(codesOf(await answerOf(call(second, job)))).toContain("RUN_CONTINUES");
  const [{ id } = {}] = await asked();
  const body = JSON.stringify({ decision: "answer", text: {} });
  await fetch(`${approvals.href}/${String(id)}`, { method: "POST", headers, body });
  await until(async () => (await resultOf(job)) === "done");
  expect(await callsIn(cwd)).toBe(calls);
  // Nothing of it can be read without the key, and the log names no credential.
  expect(replicas.flatMap(({ lines }) => lines).join("\n")).not.toMatch(/s{32}|a{32}/);
});

test("over a store a key runs once, and a limit and an approval count once for all replicas", async () => {
  const url = await startPostgres();
  const { cwd, replicas } = await startReplicas(url, { rateLimit: { runsPerMinute: 6 }, detachAfterMs: 20_000 });
  const [first, second] = replicas as [HttpServing, HttpServing];
  const job = { ...running(10), key: "job/2" };
  const [one, two] = [await answerOf(call(first, job)), await answerOf(call(second, job))];
  expect(one).toMatchObject({ result: "done", key: "job/2" });
  expect(two).toEqual(one);
  expect(await answerOf(call(second, { code: "export default 3;", key: "job/2" }))).toMatchObject({
    diagnostics: [{ code: "KEY_REUSED" }],
  });
  expect(await callsIn(cwd)).toBe(1);
  // Three requests so far; three more are left, whichever replica they go to.
  const asked = [0, 1, 0, 1, 0, 1].map((at) => call(replicas[at] as HttpServing, { code: "export default 1;" }));
  const codes = await Promise.all(asked.map(async (calling) => codesOf(await answerOf(calling))[0]));
  expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(3);

  const asking = await startReplicas(url, { asks: true, detachAfterMs: 20_000 });
  const [asker, other] = asking.replicas as [HttpServing, HttpServing];
  const question = await call(asker, running(10));
  expect(question).toMatchObject({ resultType: "input_required" });
  const approval = {
    requestState: question["requestState"] as string,
    inputResponses: { approval: { action: "accept", content: { approve: "Allow" } } },
  };
  expect(await answerOf(call(asker, running(10), approval))).toMatchObject({ result: "done" });
  expect(await call(other, running(10), approval)).toMatchObject({ resultType: "input_required" });
  expect(await callsIn(asking.cwd)).toBe(1);
});
