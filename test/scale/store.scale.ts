import { expect, onTestFinished, test } from "vitest";
import { makeSealer } from "../../engine/store-plan.ts";
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

test("over a store a replica answers for a run of another that was killed", async () => {
  const url = await startPostgres();
  const { cwd, replicas } = await startReplicas(url);
  const [first, second] = replicas as [HttpServing, HttpServing];

  // The answer of a run that has ended; then its replica is killed.
  const ended = await answerOf(call(first, running(700)));
  expect(codesOf(ended)).toEqual(["RUN_CONTINUES"]);
  // Another replica cancels a run, and waits for it.
  const cancelled = await answerOf(call(first, running(60_000)));
  const byOther = await answerOf(call(second, { runId: cancelled["runId"] as string, cancel: true }));
  expect(codesOf(byOther)).toEqual(["RUN_CANCELLED"]);
  // A run in the middle of a call, and one with a key, whose client hears nothing.
  const lost = await answerOf(call(first, running(60_000)));
  const before = await callsIn(cwd);
  const keyed = call(first, { ...running(60_001), key: "job-1" }).catch(() => undefined);
  await until(async () => (await callsIn(cwd)) > before);
  // sleeps: until the call is known to the other programs
  await new Promise((settle) => setTimeout(settle, 500));
  first.child.kill("SIGKILL");
  await first.ended;
  await keyed;

  expect(await answerOf(call(second, { runId: ended["runId"] as string }))).toMatchObject({ result: "done" });
  const killedAt = performance.now();
  const known = "it had called: meta/meta (at least 1 call).";
  let answer = await answerOf(call(second, { runId: lost["runId"] as string }));
  while (codesOf(answer)[0] === "RUN_CONTINUES")
    answer = await answerOf(call(second, { runId: lost["runId"] as string }));
  expect(answer).toMatchObject({ diagnostics: [{ code: "RUN_LOST", message: expect.stringContaining(known) }] });
  expect(performance.now() - killedAt).toBeLessThan(5000);
  const calls = await callsIn(cwd);
  const again = await answerOf(call(second, { ...running(60_001), key: "job-1" }));
  expect(again).toMatchObject({ diagnostics: [{ code: "RUN_LOST", message: expect.stringContaining(known) }] });
  expect(await callsIn(cwd)).toBe(calls);
  // Nothing of it can be read without the key, and the log names no credential.
  expect(replicas.flatMap(({ lines }) => lines).join("\n")).not.toMatch(/s{32}|a{32}/);
});

test("over a store a key runs once, and a limit and a consent count once for all replicas", async () => {
  const url = await startPostgres();
  const { cwd, replicas } = await startReplicas(url, { rateLimit: { runsPerMinute: 4 }, detachAfterMs: 20_000 });
  const [first, second] = replicas as [HttpServing, HttpServing];
  const job = { ...running(10), key: "job/2" };
  const [one, two] = [await answerOf(call(first, job)), await answerOf(call(second, job))];
  expect(one).toMatchObject({ result: "done", key: "job/2" });
  expect(two).toEqual(one);
  expect(await answerOf(call(second, { code: "export default 3;", key: "job/2" }))).toMatchObject({
    diagnostics: [{ code: "KEY_REUSED" }],
  });
  expect(await callsIn(cwd)).toBe(1);
  // One run so far; three more are left, whichever replica they go to.
  const asked = [0, 1, 0, 1, 0, 1].map((at) => call(replicas[at] as HttpServing, { code: "export default 1;" }));
  const codes = await Promise.all(asked.map(async (calling) => codesOf(await answerOf(calling))[0]));
  expect(codes.filter((code) => code === "RATE_LIMITED")).toHaveLength(3);

  const asking = await startReplicas(url, { asks: true, detachAfterMs: 20_000 });
  const [asker, other] = asking.replicas as [HttpServing, HttpServing];
  const question = await call(asker, running(10));
  expect(question).toMatchObject({ resultType: "input_required" });
  const consent = {
    requestState: question["requestState"] as string,
    inputResponses: { approval: { action: "accept", content: { approve: "Allow" } } },
  };
  expect(await answerOf(call(asker, running(10), consent))).toMatchObject({ result: "done" });
  expect(await call(other, running(10), consent)).toMatchObject({ resultType: "input_required" });
  expect(await callsIn(asking.cwd)).toBe(1);
});
