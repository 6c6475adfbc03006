import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { browse, startAuthorizationServer } from "../servers/authorization-server.mjs";
import { makeProject, runCodemode, SERVERS } from "./run-codemode.ts";

const mcpServers = { everything: SERVERS.everything, remote: { url: "http://127.0.0.1:9/mcp" } };

test.each([
  ["a server that is a program", "everything", 2, /only remote servers have a login/],
  ["a server that is not configured", "remot", 2, /No server "remot"/],
  ["a server that cannot be reached", "remote", 1, /Server "remote": /],
])("login to %s says so", async (_, name, code, cause) => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers } });
  const finished = await runCodemode(["login", name], { cwd, env: { XDG_STATE_HOME: cwd } });
  expect(finished).toMatchObject({ code, stdout: "" });
  expect(finished.stderr).toMatch(cause);
  expect(finished.stderr).toMatch(/\nhint: /);
});

test("logout without a login is no mistake", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers } });
  const finished = await runCodemode(["logout", "remote"], { cwd, env: { XDG_STATE_HOME: cwd } });
  expect(finished).toMatchObject({ code: 0, stderr: "There was no login to remote.\n" });
});

test("a login in a browser elsewhere takes the address that it ends on, and asks again for another one", async () => {
  const authorization = await startAuthorizationServer();
  onTestFinished(authorization.close);
  const server = createServer((request, response) => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const metadata = { resource: `${origin}/mcp`, authorization_servers: [authorization.issuer] };
    if (request.url?.startsWith("/.well-known/oauth-protected-resource") === true)
      return void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
    const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${place}", scope="tools:read"` }).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { remote: { url } } } });

  const words = [resolve("dist/cli/main.js"), "login", "remote", "--no-browser"];
  const env = { ...process.env, XDG_STATE_HOME: cwd };
  const child = spawn(process.execPath, words, { cwd, env, stdio: ["pipe", "ignore", "pipe"] });
  const ended = new Promise((settle) => child.once("close", settle));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const saying = (wanted: RegExp) => vi.waitFor(() => expect(said).toMatch(wanted), { timeout: 15_000 });
  await saying(/Open this page to log in: /);
  const page = /log in: (\S+)/.exec(said)?.[1] ?? "";
  let address = "";
  await browse(page, {}, (reached) => (address = reached));
  await saying(/Paste the address/);
  child.stdin.write("http://127.0.0.1:1/callback?code=a&state=guessed\n");
  await saying(/That is the answer to another login/);
  child.stdin.write(`${address}\n`);
  await saying(/Logged in to remote by http:/);
  expect(await ended).toBe(0);
});
