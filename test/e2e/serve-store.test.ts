import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
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

test("the operator answers through any replica what a run of another one asks, and its replica is killed with its question", async () => {
  const operator = { operatorToken: "${OPERATOR}", mayApprove: false, asks: true };
  const { cwd, replicas } = await startReplicas(postgres, operator);
  const [one, other] = replicas as [HttpServing, HttpServing];
  const request = async (serving: HttpServing, path = "", body?: JsonObject) => {
    const response = await fetch(new URL(`/approvals${path}`, serving.url), {
      headers: { authorization: "Bearer operator-token" },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as { approvals?: JsonObject[]; lines?: string[] }) };
  };
  const idsAt = async (serving: HttpServing) => (await request(serving)).approvals?.map(({ id }) => String(id)) ?? [];
  const waiting = async (serving: HttpServing, key: string) => {
    const before = await idsAt(other);
    const begun = await answerOf(call(serving, { ...running(0), key }));
    await expect.poll(() => idsAt(other), { timeout: 10_000 }).toHaveLength(before.length + 1);
    const id = (await idsAt(other)).find((each) => !before.includes(each)) ?? "";
    return { id, runId: String(begun["runId"]) };
  };
  const script = await waiting(one, "first");
  const { lines = [] } = await request(other, `/${script.id}`);
  expect(lines.join("\n")).toMatch(/its program: sha256-[^]*await meta\(\{ waitMs: 0 \}\)/);
  expect(await request(one, `/${script.id}`)).toMatchObject({ status: 200, lines });
  const begunAt = performance.now();
  expect(await request(other, `/${script.id}`, { decision: "allow" })).toEqual({ status: 200, outcome: "given" });
  expect(performance.now() - begunAt).toBeLessThan(2000);
  await expect.poll(async () => (await answerOf(call(other, { runId: script.runId })))["result"]).toBe("done");
  expect(await request(one, `/${script.id}`, { decision: "allow" })).toMatchObject({ status: 200 });
  expect(await request(other, `/${script.id}`, { decision: "refuse" })).toMatchObject({ status: 409 });
  expect(await idsAt(one)).toEqual([]);
  // Who has answered is in the audit log of the run's replica.
  const reviewed = /.*"run.reviewed".*"granted".*/.exec(await readFile(`${cwd}/audit.jsonl`, "utf8"))?.[0] ?? "{}";
  expect(JSON.parse(reviewed)).toMatchObject({ consentBy: "operator", consentName: "operatorToken" });

  const lost = await waiting(one, "second");
  one.child.kill("SIGKILL");
  await expect.poll(() => idsAt(other), { timeout: 20_000 }).toEqual([]);
  expect(await request(other, `/${lost.id}`, { decision: "allow" })).toMatchObject({ status: 404 });
});
