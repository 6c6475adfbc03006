import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { startRoundRobin } from "../serve/http/round-robin.ts";
import { bearer, connectLegacy, connectModern, failureOf } from "../serve/http/start-http.ts";
import { typeCommand } from "./open-commands.ts";
import { makeGeneratedProject, makeProject, runCodemode, SERVERS, STAND_INS } from "./run-codemode.ts";
import { serveOverHttp } from "./serve-over-http.ts";
import { shareInFile } from "./share-in-file.ts";
import { testOnLinux } from "../platforms/needs.ts";

type AnyClient = Awaited<ReturnType<typeof connectLegacy>> | Awaited<ReturnType<typeof connectModern>>;

const ADD = `import { get_sum } from "@codemode/servers/everything";
  export default await get_sum({ a: 40, b: 2 });`;

const HANGING = { command: process.execPath, args: [resolve("test/servers/hanging-server.mjs"), "notifications.txt"] };
const WAIT = 'import { wait } from "@codemode/servers/hanging"; await wait();';

async function run(client: AnyClient, code: string): Promise<RunAnswer> {
  const result = await client.callTool({ name: "codemode.run", arguments: { code } });
  return result.structuredContent as unknown as RunAnswer;
}

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { message?: string | undefined }) => void;
  timeout?: number;
  resetTimeoutOnProgress?: boolean;
}

/** The two packages take options in different places. */
function callRun(client: AnyClient, code: string, options: CallOptions = {}) {
  const params = { name: "codemode.run", arguments: { code } };
  return client instanceof LegacyClient
    ? client.callTool(params, undefined, options)
    : client.callTool(params, options);
}

/** Resolves when a script has called a tool. */
function watchBegin(news = "calling ") {
  let begin = (): void => undefined;
  const begun = new Promise<void>((settle) => (begin = settle));
  const onprogress: NonNullable<CallOptions["onprogress"]> = ({ message }) => {
    if (message?.startsWith(news)) begin();
  };
  return { begun, onprogress };
}

function wasReceivedIn(cwd: string, notification: string): Promise<boolean> {
  return readFile(join(cwd, "notifications.txt"), "utf8").then(
    (text) => text.includes(notification),
    () => false,
  );
}

/** Looks until it is so; the time limit of the test ends it. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((settle) => setTimeout(settle, 20));
}

const replicas = shareInFile(async () => {
  const { everything } = STAND_INS;
  const cwd = await makeGeneratedProject({ "codemode.config.json": { mcpServers: { everything } } });
  return [await serveOverHttp(cwd), await serveOverHttp(cwd)] as const;
});

test("clients of both eras run scripts over HTTP", async () => {
  const [{ url }] = replicas();
  for (const client of [await connectLegacy(url), await connectModern(url)]) {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["codemode.run"]);
    expect(await run(client, ADD)).toMatchObject({ result: "The sum of 40 and 2 is 42.", diagnostics: [] });
  }
});

test("a run can go from replica to replica", async () => {
  const url = await startRoundRobin(replicas().map((replica) => replica.url.origin));
  for (const client of [await connectLegacy(url), await connectModern(url)]) {
    for (let round = 0; round < 4; round += 1) {
      expect(await run(client, ADD)).toMatchObject({ result: "The sum of 40 and 2 is 42." });
    }
  }
});

const waiting = shareInFile(async () => {
  const cwd = await makeGeneratedProject({ "codemode.config.json": { mcpServers: { hanging: HANGING } } });
  return { cwd, ...(await serveOverHttp(cwd)) };
});

test.each([
  ["legacy", connectLegacy],
  ["modern", connectModern],
])("a cancelled run of a %s client is cancelled in the server it calls", async (_, connect) => {
  const { cwd, url } = waiting();
  await rm(join(cwd, "notifications.txt"), { force: true });
  const client: AnyClient = await connect(url);
  const cancelling = new AbortController();
  const { begun, onprogress } = watchBegin();
  const call = callRun(client, WAIT, { signal: cancelling.signal, onprogress });
  const failure = failureOf(call);
  await begun;
  cancelling.abort();
  expect(await failure).toMatch(/abort/i);
  await until(() => wasReceivedIn(cwd, "notifications/cancelled\n"));
});

test("a run in flight ends before the process does, and no process is left", async () => {
  const config = { mcpServers: { everything: SERVERS.everything }, serve: { drainMs: 500 } };
  const cwd = await makeGeneratedProject({ "codemode.config.json": config });
  const { url, child, ended } = await serveOverHttp(cwd);
  const client = await connectLegacy(url);
  const code = `import { get_sum, trigger_long_running_operation } from "@codemode/servers/everything";
    await trigger_long_running_operation({ duration: 1, steps: 1 });
    export default await get_sum({ a: 1, b: 1 });`;
  const { begun, onprogress } = watchBegin();
  const running = callRun(client, code, { onprogress });
  await begun;
  const children = await childrenOf(child.pid as number);
  expect(children.length).toBeGreaterThan(0);
  child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(new URL("/ready", url))).status).toBe(503);
  expect((await callRun(client, "export default 2;")).structuredContent).toMatchObject({ result: 2 });
  expect((await running).structuredContent).toMatchObject({ result: "The sum of 1 and 1 is 2." });
  expect(await ended).toBe(0);
  await until(async () => children.every((pid) => !isAlive(pid)));
});

testOnLinux("/proc")(
  "a run that says nothing is heard of all the time, and a second signal ends it with all processes",
  async () => {
    const cwd = await makeGeneratedProject({
      "codemode.config.json": { mcpServers: { everything: SERVERS.everything } },
    });
    const { url, child, ended } = await serveOverHttp(cwd);
    const client = await connectLegacy(url);
    const { begun, onprogress } = watchBegin("at work for ");
    const code = `import { trigger_long_running_operation } from "@codemode/servers/everything";
    await trigger_long_running_operation({ duration: 60, steps: 1 });`;
    callRun(client, code, { onprogress, timeout: 5000, resetTimeoutOnProgress: true }).catch(() => undefined);
    await begun;
    const children = await childrenOf(child.pid as number);
    child.kill("SIGTERM");
    // sleeps: a signal that comes soon after another one is the same, by the clock of the command
    await new Promise((resolve) => setTimeout(resolve, 600));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    await until(async () => children.every((pid) => !isAlive(pid)));
  },
);

test("an address beyond this machine is refused without a token, and a taken one is said", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const open = await typeCommand(["serve", "--http", "0.0.0.0:0"], { cwd });
  expect(open).toMatchObject({ code: 2, stdout: "" });
  expect(open.stderr).toMatch(
    /^error: --http: 0\.0\.0\.0 can be reached over the network, and no token is configured\.\nhint: .*\n$/,
  );
  const { url } = await serveOverHttp(cwd);
  const taken = await runCodemode(["serve", "--http", url.port], { cwd });
  expect(taken.code).toBe(1);
  expect(taken.stderr).toContain(`error: 127.0.0.1:${url.port} is in use by another process.\n`);
});

test("a rate limit is a clear answer, for each client of its own, and for saved scripts as for code", async () => {
  const cwd = await makeProject({
    "one.js": "export default 1;",
    "codemode.config.json": {
      mcpServers: {},
      scripts: { one: { file: "one.js", tool: true } },
      serve: { rateLimit: { runsPerMinute: 1 }, clients: { ada: { token: "a" }, grace: { token: "b" } } },
    },
  });
  const { url } = await serveOverHttp(cwd);
  for (const token of ["a", "b"]) {
    expect(await run(await connectModern(url, token), "export default 1;")).toMatchObject({ result: 1 });
    // Another connection of the same client is the same client.
    const again = await connectLegacy(url, token);
    const refused = {
      result: null,
      diagnostics: [{ code: "RATE_LIMITED", hint: expect.stringMatching(/Try again in \d+ s\./) }],
    };
    expect(await run(again, "export default 1;")).toMatchObject(refused);
    for (const call of [
      { name: "codemode.run", arguments: { script: "one" } },
      { name: "script_one", arguments: {} },
    ])
      expect((await again.callTool(call)).structuredContent).toMatchObject(refused);
  }
  const health = await fetch(new URL("/health", url), { headers: bearer("unknown") });
  expect(health.status).toBe(200);
});

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
