import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { answerOf, call, callsIn, codesOf, running, startReplicas, until } from "../scale/two-replicas.ts";
import { startPglite } from "../extras/stores/start-pglite.ts";
import { startProxy } from "../extras/stores/start-proxy.ts";
import { makeGeneratedProject, runCodemode, STAND_INS } from "./run-codemode.ts";
import type { HttpServing } from "./serve-over-http.ts";

test.each([
  ["postgres://127.0.0.1:1/none", 1, "The store postgres://127.0.0.1:1/none cannot be used"],
  ["redis://:word@127.0.0.1:1", 2, '"serve.store" is an address of Redis, which is no store.'],
])("a replica that cannot use its store %s ends, with all that it has started", async (store, code, problem) => {
  const cwd = await makeGeneratedProject({
    "codemode.config.json": { mcpServers: STAND_INS, serve: { store, storeKey: "k".repeat(32) } },
  });
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

test("while the store takes bytes and never answers, runs that only read go on, a call that may change something is not sent, the replica is not ready, and it can be ended", async () => {
  const proxy = await startProxy(postgres);
  const limits = { rateLimit: { runsPerMinute: 600 }, drainMs: 0, detachAfterMs: 0 };
  const { cwd, replicas } = await startReplicas(proxy.of(postgres), limits);
  const [one, other] = replicas as [HttpServing, HttpServing];
  const statusOf = async (path: string): Promise<number> => (await fetch(new URL(path, one.url))).status;
  expect(await answerOf(call(one, { ...running(0), key: "before" }))).toMatchObject({ result: "done" });
  expect(await statusOf("/ready")).toBe(200);

  proxy.freeze();
  expect(await answerOf(call(one, running(0, "reads")))).toMatchObject({ result: "done" });
  const unreachable = "(STORE_UNREACHABLE). Send the same call again. Its standard error says why";
  await expect(call(one, { ...running(0, "reads"), key: "during" })).rejects.toThrow(unreachable);
  const before = await callsIn(cwd);
  const changing = await answerOf(call(one, running(0)));
  expect(changing).toMatchObject({
    diagnostics: [
      {
        message: expect.stringContaining(
          'The call of "meta/meta" was not sent: the run could not be kept before it (STORE_UNREACHABLE).',
        ),
      },
    ],
  });
  expect(await callsIn(cwd)).toBe(before);
  await expect.poll(() => statusOf("/ready"), { timeout: 20_000 }).toBe(503);
  expect(await statusOf("/health")).toBe(200);
  expect(await answerOf(call(one, running(0, "reads")))).toMatchObject({ result: "done" });
  expect(one.lines.join("\n")).toContain("STORE_UNREACHABLE");

  other.child.kill("SIGINT");
  expect(await other.ended).toBe(0);

  proxy.thaw();
  await expect.poll(() => statusOf("/ready"), { timeout: 20_000 }).toBe(200);
  const again = await answerOf(call(one, { ...running(0), key: "after" }));
  expect([again["result"], codesOf(again)]).toEqual(["done", []]);
});

test("a run whose id a client has, and the question of another, outlive the replica that began them", async () => {
  const operator = { operatorToken: "${OPERATOR}", mayApprove: false };
  const { cwd, replicas } = await startReplicas(postgres, { ...operator, asks: true });
  const [one, other] = replicas as [HttpServing, HttpServing];
  const approvals = async (path = "", decision?: string): Promise<JsonObject> => {
    const response = await fetch(new URL(`/approvals${path}`, other.url), {
      headers: { authorization: "Bearer operator-token" },
      ...(decision !== undefined && { method: "POST", body: JSON.stringify({ decision }) }),
    });
    return (await response.json()) as JsonObject;
  };
  const listed = async (): Promise<JsonObject[]> => (await approvals())["approvals"] as JsonObject[];
  const allow = async (script: string): Promise<void> => {
    await expect.poll(listed).toHaveLength(1);
    const [{ id } = {}] = await listed();
    expect((await approvals(`/${String(id)}`))["lines"]).toContainEqual(expect.stringContaining(script));
    expect(await approvals(`/${String(id)}`, "allow")).toEqual({ outcome: "given" });
  };
  const resultOf = async ({ runId }: JsonObject): Promise<unknown> =>
    (await answerOf(call(other, { runId: String(runId) })))["result"];

  const reading = await answerOf(call(one, running(2000, "reads")));
  await allow("waitMs: 2000");
  // Its only call is under way on the first replica.
  await until(async () => (await callsIn(cwd)) === 1);
  const asking = await answerOf(call(one, running(0, "reads")));
  await expect.poll(listed).toHaveLength(1);
  one.child.kill("SIGKILL");
  await one.ended;
  await expect.poll(() => resultOf(reading), { timeout: 30_000 }).toBe("done");
  await allow("waitMs: 0");
  await expect.poll(() => resultOf(asking), { timeout: 30_000 }).toBe("done");
}, 60_000); // A lease of 10 s ends in it.
