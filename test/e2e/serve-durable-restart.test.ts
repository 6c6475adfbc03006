import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import { answerOf, call, running } from "../scale/two-replicas.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";
import { serveOverHttp } from "./serve-over-http.ts";

// Durable runs of `codemode serve` whose process is killed, while requests of the newest revision ask for them.

const meta = { command: process.execPath, args: [resolve("test/servers/meta-server.mjs"), "calls.jsonl"] };

async function makeDurableProject(serve: JsonObject, policy: JsonObject = {}) {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { meta }, serve: { durable: true, detachAfterMs: 300, ...serve }, policy },
  });
  for (const command of ["lock", "generate"]) expect(await typeCommand([command], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

test.each([{}, { key: "k1" }])(
  "a run with %j has one id, for its client, in its log, and at the next process",
  async (more) => {
    const cwd = await makeDurableProject({});
    const serving = await serveOverHttp(cwd, {}, ["--frozen"]);
    const begun = await answerOf(call(serving, { ...running(3000), ...more }));
    expect(begun["runId"]).toEqual(expect.stringMatching(/^[\w-]{22}$/));
    // The answer may come before the script is read, and with it the beginning of the log.
    const listIds = async () =>
      (JSON.parse((await typeCommand(["runs", "--json"], { cwd })).stdout) as JsonObject[]).map(({ id }) => id);
    await expect.poll(listIds).toEqual([begun["runId"]]);
    serving.child.kill("SIGKILL");
    const next = await serveOverHttp(cwd, {}, ["--frozen"]);
    const answer = await answerOf(call(next, { runId: String(begun["runId"]) }));
    expect(answer["diagnostics"]).not.toMatchObject([{ code: "RUN_LOST" }]);
    expect(answer["runId"]).toBe(begun["runId"]);
  },
);

test("what the operator allows while no process has the run counts for the next one", async () => {
  const policy = { allow: ["*"], ask: ["meta/*"] };
  const cwd = await makeDurableProject({ mayApprove: false, operatorToken: "${OPERATOR}" }, policy);
  const env = { OPERATOR: "operator-token" };
  const first = await serveOverHttp(cwd, env, ["--frozen"]);
  const begun = await answerOf(call(first, running(0)));
  const headers = { authorization: "Bearer operator-token" };
  const listAt = async (url: string | URL): Promise<{ id: string; digest: string }[]> =>
    (
      (await (await fetch(new URL("/approvals", url), { headers })).json()) as {
        approvals: { id: string; digest: string }[];
      }
    ).approvals;
  await expect
    .poll(() => listAt(first.url), { timeout: 10_000 })
    .toMatchObject([{ id: `${String(begun["runId"])}.1` }]);
  first.child.kill("SIGKILL");
  const next = await serveOverHttp(cwd, env, ["--frozen"]);
  const [asked] = await listAt(next.url);
  const body = JSON.stringify({ decision: "allow", digest: asked?.digest });
  const given = await fetch(new URL(`/approvals/${asked?.id}`, next.url), { method: "POST", headers, body });
  expect(given.status).toBe(200);
  const ask = async () => (await answerOf(call(next, { runId: String(begun["runId"]) })))["result"];
  await expect.poll(ask, { timeout: 25_000 }).toBe("done");
}, 60_000);
