import { afterAll, beforeAll, expect, test } from "vitest";
import { answerOf, call, codesOf, running, startReplicas } from "../scale/two-replicas.ts";
import { startPglite } from "../extras/stores/start-pglite.ts";
import { startProxy } from "../extras/stores/start-proxy.ts";
import { makeGeneratedProject, runCodemode, STAND_INS } from "./run-codemode.ts";
import type { HttpServing } from "./serve-over-http.ts";

test.each([
  ["postgres://127.0.0.1:1/none", 1, "The store postgres://127.0.0.1:1/none cannot be used"],
  ["redis://:word@127.0.0.1:1", 2, '"serve.store" is an address of Redis, which is no store.'],
])("a replica that cannot use its store %s ends, with all that it has started", async (store, code, problem) => {
  const cwd = await makeGeneratedProject({ "codemode.config.json": { mcpServers: STAND_INS, serve: { store } } });
  // The output is open as long as a child has it.
  const ended = await runCodemode(["serve", "--http", "0"], { cwd });
  expect(ended).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(problem) });
  expect(ended.stderr).not.toContain("word@");
});

/** Making a database of PostgreSQL takes seconds of processor time. */
let postgres: string;
let endPostgres: () => Promise<void>;

beforeAll(async () => {
  postgres = await startPglite((end) => (endPostgres = end));
});
afterAll(() => endPostgres());

test("while the store takes bytes and never answers, runs go on, the replica is not ready, and it can be ended", async () => {
  const proxy = await startProxy(postgres);
  const limits = { rateLimit: { runsPerMinute: 600 }, drainMs: 0, detachAfterMs: 0 };
  const { replicas } = await startReplicas(proxy.of(postgres), limits);
  const [one, other] = replicas as [HttpServing, HttpServing];
  const statusOf = async (path: string): Promise<number> => (await fetch(new URL(path, one.url))).status;
  expect(await answerOf(call(one, { ...running(0), key: "before" }))).toMatchObject({ result: "done" });
  expect(await statusOf("/ready")).toBe(200);

  proxy.freeze();
  expect(await answerOf(call(one, running(0)))).toMatchObject({ result: "done" });
  await expect(call(one, { ...running(0), key: "during" })).rejects.toThrow(
    "(STORE_UNREACHABLE). Send the same call again. Its standard error says why",
  );
  await expect.poll(() => statusOf("/ready"), { timeout: 20_000 }).toBe(503);
  expect(await statusOf("/health")).toBe(200);
  expect(await answerOf(call(one, running(0)))).toMatchObject({ result: "done" });
  expect(one.lines.join("\n")).toContain("STORE_UNREACHABLE");

  other.child.kill("SIGINT");
  expect(await other.ended).toBe(0);

  proxy.thaw();
  await expect.poll(() => statusOf("/ready"), { timeout: 20_000 }).toBe(200);
  const again = await answerOf(call(one, { ...running(0), key: "after" }));
  expect([again["result"], codesOf(again)]).toEqual(["done", []]);
});
