import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { makeProject, runCodemode } from "../e2e/run-codemode.ts";

const GATEWAY = resolve("deploy/gateway.js");

async function startGateway(cwd: string, instances: string, given: Record<string, string>) {
  const words = [GATEWAY, "0", instances, process.execPath, resolve("test/servers/meta-server.mjs"), "calls.jsonl"];
  const gateway = spawn(process.execPath, words, {
    cwd,
    env: { ...process.env, ...given },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(async () => {
    gateway.kill();
    if (gateway.exitCode === null) await once(gateway, "exit");
  });
  const [line] = (await once(createInterface({ input: gateway.stderr }), "line")) as [string];
  return { gateway, port: /:(\d+)\/mcp$/.exec(line)?.[1] ?? line };
}

/** The status of a request that a program may send and a browser would not. */
async function statusOf(port: string, method: string, headers: Record<string, string>): Promise<number> {
  const request = httpRequest({ host: "127.0.0.1", port, path: "/mcp", method, headers }).end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

test("a gateway runs a stdio server several times, and replicas reach it over HTTP with their token", async () => {
  const entry = { url: "http://127.0.0.1:${PORT}/mcp", headers: { Authorization: "Bearer ${TOKEN}" } };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { meta: entry } } });
  const { gateway, port: PORT } = await startGateway(cwd, "2", { GATEWAY_TOKEN: "token of a test" });
  const env = { PORT, TOKEN: "token of a test" };

  expect(await runCodemode(["lock"], { cwd, env })).toMatchObject({ code: 0 });
  const code = `import { meta } from "@codemode/servers/meta";
    await Promise.all([meta({ waitMs: 300 }), meta({ waitMs: 300 })]);
    export default globalThis.__codemode_run__.key;`;
  const finished = await runCodemode(["run", "--eval", code], { cwd, env });
  expect(finished).toMatchObject({ code: 0 });
  const running = execFileSync("ps", ["--ppid", String(gateway.pid), "-o", "args="], { encoding: "utf8" });
  expect(running.match(/meta-server/g)).toHaveLength(2);
  const calls = (await readFile(join(cwd, "calls.jsonl"), "utf8")).trim().split("\n");
  // The key of the run reaches the server.
  const keys = calls.map((call) => (JSON.parse(call) as Record<string, string>)["dev.codemode/run-key"]);
  expect(keys).toEqual([finished.stdout.trim(), finished.stdout.trim()].map((text) => text.replaceAll('"', "")));

  expect((await fetch(`http://127.0.0.1:${PORT}/mcp`, { method: "POST", body: "{}" })).status).toBe(401);
  const headers = { authorization: "Bearer token of a test" };
  expect(await statusOf(PORT, "TRACE", headers)).toBe(405);
  expect(await statusOf(PORT, "GET", { ...headers, host: "gateway.example" })).not.toBe(403);
  const open = spawn(process.execPath, [GATEWAY, "0.0.0.0:0", "1", "cat"], {
    env: { ...process.env, GATEWAY_TOKEN: "" },
    stdio: "ignore",
  });
  expect(await once(open, "exit")).toEqual([1, null]);
});

test("a gateway without a token answers no page of a browser, and goes on after a request that it cannot read", async () => {
  const { port } = await startGateway(await makeProject({ "codemode.config.json": { mcpServers: {} } }), "1", {});
  expect(await statusOf(port, "POST", { host: "evil.example" })).toBe(403);
  expect(await statusOf(port, "POST", { origin: "http://evil.example" })).toBe(403);
  expect(await statusOf(port, "TRACE", {})).toBe(405);
  expect(await statusOf(port, "GET", {})).not.toBe(403);
});
