import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { connectLegacy } from "../serve/http/start-http.ts";
import { runCodemode, STAND_INS } from "./run-codemode.ts";
import { serveOverHttp } from "./serve-over-http.ts";
import { shareProject } from "./share-project.ts";

const THREE = `import { get_sum } from "@codemode/servers/everything";
  export default await Promise.all([1, 2, 3].map((b) => get_sum({ a: 0, b }).catch((error) => error.message)));`;
const ECHO = `import { echo } from "@codemode/servers/everything"; export default await echo({ message: "hi" });`;
const TOKENS = { OPERATOR: "operator-token", AGENT: "agent-token" };

const projectWith = (serve: JsonObject) =>
  shareProject({
    "codemode.config.json": {
      mcpServers: { everything: STAND_INS.everything },
      audit: { file: "audit.jsonl" },
      policy: { askEach: ["everything/get-sum"], ask: ["everything/echo"] },
      serve: { detachAfterMs: 300, operatorToken: "${OPERATOR}", clients: { agent: { token: "${AGENT}" } }, ...serve },
    },
    "one.ts": ECHO,
  });
const makeDashboardProject = projectWith({});
const makeDurableProject = projectWith({ durable: true });

interface Listed {
  id: string;
  digest: string;
  client?: string;
  kind: string;
  tools: string[];
  lines: string[];
  until?: string;
}

/** `codemode serve --http` with a client that cannot approve, and the requests of a dashboard. */
async function serveDashboard(make = makeDashboardProject) {
  const cwd = await make();
  const { url } = await serveOverHttp(cwd, { ...TOKENS, XDG_STATE_HOME: `${cwd}/state` });
  const client = await connectLegacy(url, TOKENS.AGENT);
  const call = async (args: JsonObject) =>
    (await client.callTool({ name: "codemode.run", arguments: args })).structuredContent as unknown as RunAnswer & {
      runId?: string;
    };
  const request = (path: string, init: RequestInit = {}, token = TOKENS.OPERATOR) =>
    fetch(new URL(`/approvals${path}`, url), {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string> | undefined) },
    });
  const list = async () => ((await (await request("")).json()) as { approvals: Listed[] }).approvals;
  return {
    ...{ cwd, url, request, list },
    begin: (code: string) => call({ code }),
    async waitFor({ runId }: { runId?: string }) {
      let answered: Awaited<ReturnType<typeof call>> = await call({ runId: runId ?? "" });
      while (answered.runId !== undefined && answered.result === null) answered = await call({ runId: answered.runId });
      return answered;
    },
    async listed(count: number) {
      await expect.poll(async () => (await list()).length, { timeout: 10_000 }).toBe(count);
      return list();
    },
    async answer(id: string, body: unknown) {
      const answered = await request(`/${id}`, { method: "POST", body: JSON.stringify(body) });
      return { status: answered.status, body: (await answered.json()) as JsonObject };
    },
  };
}

test("a dashboard of the operator lists calls that wait, shows one whole, and answers each by itself", async () => {
  const { begin, waitFor, listed, request, answer } = await serveDashboard();
  const begun = await begin(THREE);
  const waiting = await listed(3);
  const [first] = waiting;
  expect(first).toMatchObject({ client: "agent", kind: "call", tools: ["everything/get-sum"] });
  expect(Date.parse(first?.until ?? "")).toBeGreaterThan(Date.now());
  expect(first?.lines.join("\n")).toContain('"a": 0');
  const shown = (await (await request(`/${first?.id}`)).json()) as Listed;
  expect(shown.lines.join("\n")).toContain('"a": 0');
  const idOf = new Map(waiting.map(({ id, lines }) => [/"b": (\d)/.exec(lines.join("\n"))?.[1], id]));
  const [one = "", two = "", three = ""] = ["1", "2", "3"].map((b) => idOf.get(b));
  expect(await answer(two, { decision: "refuse", text: "no twos" })).toEqual({
    status: 200,
    body: { outcome: "given" },
  });
  expect(await answer(three, { decision: "change", text: { b: 30 } })).toMatchObject({ status: 200 });
  expect(await answer(one, { decision: "change", text: "no object" })).toMatchObject({ status: 400 });
  // No answer: no argument of this name, and the arguments as they are.
  expect(await answer(one, { decision: "change", text: { B: 5 } })).toEqual({
    status: 400,
    body: { error: 'The call has no argument "B", and neither has its tool. Did you mean "b"?' },
  });
  expect(await answer(one, { decision: "change", text: { b: 1 } })).toEqual({
    status: 400,
    body: { error: "The answer changes nothing. Allow the call if it may be made as it is." },
  });
  const given = { decision: "answer", text: "one, more or less" };
  expect(await answer(one, given)).toMatchObject({ status: 200 });
  // One answer counts, and may come again.
  expect(await answer(one, given)).toEqual({ status: 200, body: { outcome: "given" } });
  expect(await answer(one, { decision: "allow" })).toEqual({
    status: 409,
    body: { error: "This approval has another answer already" },
  });
  expect((await waitFor(begun)).result).toEqual([
    "one, more or less",
    "A person has refused this call of everything/get-sum: no twos",
    "The sum of 0 and 30 is 30.",
  ]);
});

test("calls of a durable run are in the list with the numbers of its questions, and each is answered by itself", async () => {
  const { begin, waitFor, listed, request, answer } = await serveDashboard(makeDurableProject);
  const begun = await begin(THREE);
  const waiting = await listed(3);
  expect(waiting.map(({ id, kind, client, until }) => ({ id, kind, client, until }))).toEqual(
    [1, 2, 3].map((number) => ({ id: `${begun.runId}.${number}`, kind: "call", client: "agent" })),
  );
  const [one = "", two = "", three = ""] = waiting.map(({ id }) => id);
  // Only the number names a question, and with the digest of what was shown no other one that has the number.
  const allow = { decision: "allow" };
  for (const id of [begun.runId, `${begun.runId}.01`, `${begun.runId}.1e0`, `${begun.runId}.+1`])
    expect(await answer(id ?? "", allow), id).toMatchObject({ status: 404 });
  const [shown, other] = waiting.map(({ digest }) => digest);
  expect(await answer(one, { ...allow, digest: other })).toMatchObject({ status: 409 });
  expect(await answer(one, { ...allow, digest: 1 })).toMatchObject({ status: 400 });
  expect(await answer(one, { decision: "change", text: { b: "one" } })).toEqual({
    status: 400,
    body: { error: '"/b" should be number, received "one". Pass a number.' },
  });
  expect(((await (await request(`/${one}`)).json()) as Listed).lines.join("\n")).toContain('"b": 1');
  expect(await answer(three, { decision: "change", text: { b: 30 } })).toMatchObject({ status: 200 });
  expect(await answer(two, { decision: "refuse", text: "no twos" })).toMatchObject({ status: 200 });
  expect(await answer(two, { decision: "refuse", text: "no twos" })).toMatchObject({ status: 200 });
  expect(await answer(two, { decision: "allow" })).toMatchObject({ status: 409 });
  expect((await listed(1))[0]?.id).toBe(one);
  expect(await answer(one, { decision: "answer", text: "one, more or less", digest: shown })).toMatchObject({
    status: 200,
  });
  expect((await waitFor(begun)).result).toEqual([
    "one, more or less",
    "A person has refused this call of everything/get-sum: no twos",
    "The sum of 0 and 30 is 30.",
  ]);
  expect(await answer(`${begun.runId}.9`, { decision: "allow" })).toMatchObject({ status: 404 });
  expect(await answer("x".repeat(22), { decision: "allow" })).toMatchObject({ status: 404 });
});

test("a script that waits as a whole is shown with its code, and is allowed or refused, and nothing else", async () => {
  const { cwd, begin, waitFor, listed, request, answer } = await serveDashboard();
  const begun = await begin(ECHO);
  const [only] = await listed(1);
  expect(only).toMatchObject({ kind: "script", tools: ["everything/echo"] });
  expect(only?.lines).toHaveLength(1);
  const { lines } = (await (await request(`/${only?.id}`)).json()) as Listed;
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^ {2}its program: sha256-/),
    "  its input: null",
    expect.stringContaining('"script.ts"'),
    `  | ${ECHO}`,
  ]);
  expect(await answer(only?.id ?? "", { decision: "allow-for-run" })).toMatchObject({
    status: 400,
    body: { error: "This approval is for a whole script: allow or refuse it" },
  });
  expect(await answer(only?.id ?? "", { decision: "allow" })).toMatchObject({ status: 200 });
  expect((await waitFor(begun)).result).toBe("Echo: hi");
  // The digest is the one of the audit log.
  const { bundle } = JSON.parse(/.*"run.reviewed".*/.exec(await readFile(`${cwd}/audit.jsonl`, "utf8"))?.[0] ?? "") as {
    bundle: string;
  };
  expect(lines[1]).toBe(`  its program: ${bundle}`);
});

test("only the token of the operator opens the routes, and no page of another origin reads them", async () => {
  const { cwd, url, begin, listed, request } = await serveDashboard();
  await begin(ECHO);
  const [only] = await listed(1);
  const allow = { method: "POST", body: '{"decision":"allow"}' };
  for (const token of [TOKENS.AGENT, "wrong"]) {
    const refused = await request(`/${only?.id}`, allow, token);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  }
  expect((await fetch(new URL("/approvals", url))).status).toBe(401);
  const foreign = await request("", { headers: { origin: "https://dashboard.example" } });
  expect([foreign.status, foreign.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  const own = await request("");
  expect([own.status, own.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect((await request("", { method: "DELETE" })).status).toBe(405);
  // The token of the operator is no client's.
  expect((await fetch(url, { method: "POST", headers: { authorization: `Bearer ${TOKENS.OPERATOR}` } })).status).toBe(
    401,
  );
  expect(await listed(1)).toHaveLength(1);
  const twins = { ...TOKENS, AGENT: TOKENS.OPERATOR };
  expect(await runCodemode(["serve", "--http", "0"], { cwd, env: twins })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("is also the token of a client"),
  });
});

test("the audit log says that the operator has answered, with its name, and which requests had no token", async () => {
  const { cwd, url, begin, waitFor, listed, request, answer } = await serveDashboard();
  const script = await begin(ECHO);
  expect(await answer((await listed(1))[0]?.id ?? "", { decision: "allow" })).toMatchObject({ status: 200 });
  await waitFor(script);
  const calls = await begin(THREE);
  const choices = [{ decision: "allow" }, { decision: "refuse" }, { decision: "change", text: { a: 7 } }];
  for (const [index, { id }] of (await listed(3)).entries()) await answer(id, choices[index]);
  await waitFor(calls);
  await request("", {}, "not-the-token-of-the-operator");
  await fetch(new URL("/approvals", url));
  await fetch(url, { method: "POST", headers: { authorization: `Bearer ${TOKENS.AGENT}x` } });
  const text = await readFile(`${cwd}/audit.jsonl`, "utf8");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);
  const ofEvent = (event: string) => lines.filter((line) => line["event"] === event);
  const by = { approvalBy: "operator", approvalName: "operatorToken" };
  expect(ofEvent("run.reviewed").filter(({ verdict }) => verdict === "granted")).toMatchObject([by]);
  expect(new Set(ofEvent("call.reviewed").map(({ verdict }) => verdict))).toEqual(
    new Set(["changed", "granted", "refused"]),
  );
  for (const review of ofEvent("call.reviewed")) expect(review).toMatchObject({ ...by, runId: calls.runId });
  // The id that the agent has is the one in the log.
  expect(new Set(ofEvent("run.started").map(({ runId }) => runId))).toEqual(new Set([script.runId, calls.runId]));
  expect(ofEvent("access.refused")).toMatchObject([
    { place: "approvals", token: "unknown", from: "127.0.0.1", count: 1 },
    { place: "approvals", token: "missing" },
    { place: "mcp", token: "unknown" },
  ]);
  expect(text).not.toMatch(/not-the-token|agent-token/);
});
