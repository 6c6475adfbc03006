import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { startTenantServer } from "../servers/tenant-server.mjs";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";
import { MODERN_VERSION } from "./serve-clients.ts";
import { serveOverHttp } from "./serve-over-http.ts";

const NAMES = ["alice", "bob", "mallory"] as const;
type Name = (typeof NAMES)[number];

const secretOf = (name: string) => `token-of-${name}-${Buffer.from(name.padEnd(12, "x")).toString("hex")}`;
const ENV = Object.fromEntries(["shared", ...NAMES].map((name) => [name.toUpperCase(), secretOf(name)]));
const SECRETS = Object.values(ENV);

const WHOAMI = `import { whoami as local } from "@codemode/servers/local";
import { whoami as remote } from "@codemode/servers/remote";
export default await Promise.all([local({}), remote({})]);`;

/** What scripts do to see the credentials of other clients: in results, logs, traces and errors. */
const ATTACKS: Record<string, string> = {
  "a text": `return await server.leak_text({});`,
  "a value": `return await server.leak_data({});`,
  "a log": `console.log(JSON.stringify(await server.leak_data({})));`,
  "a failed tool": `await server.leak_failure({});`,
  "a failed tool, caught": `try { await server.leak_failure({}); } catch (error) { return [error.message, error.hint, String(error.stack), JSON.stringify(error)]; }`,
  "an error of the protocol": `await server.leak_error({});`,
  "the letters one by one": `return [...JSON.stringify(await server.leak_text({}))].join("|");`,
};

type Call = (code: string) => Promise<{ answer: RunAnswer; text: string }>;

async function connectAs(url: URL, name: string): Promise<Call> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: MODERN_VERSION } } });
  const headers = { authorization: `Bearer serve-${name}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return async (code) => {
    const result = await client.callTool({ name: "codemode.run", arguments: { code } });
    return { answer: result.structuredContent as unknown as RunAnswer, text: JSON.stringify(result) };
  };
}

test("clients with values of their own see their own data under load, and nothing of each other's credentials", async () => {
  const remote = await startTenantServer();
  onTestFinished(remote.close);
  const own = (name: Name) => ({
    token: `serve-${name}`,
    servers: {
      local: { env: { TENANT_TOKEN: `\${${name.toUpperCase()}}` } },
      remote: { headers: { Authorization: `Bearer \${${name.toUpperCase()}}` } },
    },
  });
  const config = {
    mcpServers: {
      local: {
        ...{ command: process.execPath, args: [resolve("test/servers/tenant-server.mjs"), "seen"] },
        ...{ env: { TENANT_TOKEN: "${SHARED}" } },
      },
      remote: { url: remote.url, headers: { authorization: "Bearer ${SHARED}" } },
    },
    audit: { file: "audit.jsonl", payloads: "all" },
    log: { level: "debug" },
    sandbox: { reuse: 100 },
    serve: {
      clients: { ...Object.fromEntries(NAMES.map((name) => [name, own(name)])), carol: { token: "serve-carol" } },
    },
  };
  const cwd = await makeProject({ "codemode.config.json": config });
  const generated = await typeCommand(["generate"], { cwd, env: ENV });
  expect(generated.code, generated.stderr).toBe(0);
  const lockfile = readFileSync(join(cwd, "codemode.lock.json"), "utf8");

  const { url, lines } = await serveOverHttp(cwd, ENV);
  const callers = Object.fromEntries(
    await Promise.all([...NAMES, "carol"].map(async (name) => [name, await connectAs(url, name)] as const)),
  ) as Record<string, Call>;
  const call = (name: string, code: string) => (callers[name] as Call)(code);
  const everything: string[] = [];
  const runAs = async (name: string, code: string) => {
    const { answer, text } = await call(name, code);
    everything.push(text);
    return answer;
  };

  const load = ["alice", "bob", "mallory"].flatMap((name) => Array.from({ length: 20 }, () => name));
  const turns = load.map((_, index) => load[((index * 20) % 60) + Math.floor(index / 3)] as string);
  const work = async (): Promise<void> => {
    for (let name = turns.pop(); name !== undefined; name = turns.pop()) {
      const { result, diagnostics } = await runAs(name, WHOAMI);
      expect(result, JSON.stringify(diagnostics)).toEqual([{ owner: name }, { owner: name }]);
      const drifted = diagnostics.some(({ code }) => code === "LOCK_DRIFT");
      expect(drifted, `${name} lists another tool than the lockfile`).toBe(name === "mallory");
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  expect((await runAs("carol", WHOAMI)).result).toEqual([{ owner: "shared" }, { owner: "shared" }]);

  for (const [place, body] of Object.entries(ATTACKS)) {
    for (const server of ["local", "remote"]) {
      const code = `import * as server from "@codemode/servers/${server}";
const attack = async () => { ${body} };
export default (await attack()) ?? null;`;
      const { text } = await call("alice", code);
      for (const secret of SECRETS) {
        expect(text.replaceAll("|", ""), `${place} of ${server}`).not.toContain(secret.slice(0, 20));
      }
    }
  }
  expect(remote.seen.length).toBeGreaterThanOrEqual(4);

  everything.push(...lines, readFileSync(join(cwd, "audit.jsonl"), "utf8"));
  for (const secret of SECRETS) expect(everything.join("\n")).not.toContain(secret);
  expect(lines.join("\n")).toContain('"client":"alice"');
  expect(readFileSync(join(cwd, "codemode.lock.json"), "utf8")).toBe(lockfile);
});
