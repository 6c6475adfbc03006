import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { browse, startAuthorizationServer } from "../servers/authorization-server.mjs";
import { keepLoginsApart, startProtected } from "../mcp/connections/protected-servers.ts";
import { testOnLinux } from "../platforms/needs.ts";
import { runInTerminal } from "./own-terminal.ts";
import { makeProject, runCodemode, STAND_INS } from "./run-codemode.ts";

keepLoginsApart();

const mcpServers = { everything: STAND_INS.everything, remote: { url: "http://127.0.0.1:9/mcp" } };

test.each([
  ["a server that is a program", "everything", 2, /only remote servers have a login/],
  ["a server that is not configured", "remot", 2, /No server "remot"/],
  ["a server that cannot be reached", "remote", 1, /Server "remote" /],
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

test("add of a server that wants a login writes its entry, and the commands that it names work word for word", async () => {
  const { url } = (await startProtected()).server;
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const env = { XDG_STATE_HOME: cwd };
  const wrong = await runCodemode(["add", "mine", "--url", url, "--header", "Authorization: Bearer x"], { cwd, env });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("HTTP 401") as string });
  const before = await runCodemode(["login", "tickets"], { cwd, env });
  expect(before.stderr).toContain("hint: No server is configured: add one with `codemode add`.");

  const added = await runCodemode(["add", "tickets", "--url", url], { cwd, env });
  expect(added.code, added.stderr).toBe(0);
  expect(added.stderr).toContain("tickets: added; it wants a login, so it is not locked yet.");
  expect(added.stderr).toContain("Next: codemode login tickets, then codemode lock tickets");
  expect(JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8"))).toEqual({
    mcpServers: { tickets: { type: "http", url } },
  });
  expect(await readdir(cwd)).not.toContain("codemode.lock.json");

  const words = [resolve("dist/cli/main.js"), "login", "tickets"];
  const child = spawn(process.execPath, words, { cwd, env: { ...process.env, ...env } });
  const ended = new Promise((settle) => child.once("close", settle));
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await vi.waitFor(() => expect(said).toMatch(/Open this page to log in: \S+\n/), { timeout: 15_000 });
  await browse(/log in: (\S+)/.exec(said)?.[1] ?? "");
  expect(await ended, said).toBe(0);
  const locked = await runCodemode(["lock", "tickets"], { cwd, env });
  expect(locked.code, locked.stderr).toBe(0);
  expect(locked.stderr).toMatch(/tickets: \d+ tools?, added/);
});

const testAtTerminal = testOnLinux("`script` of util-linux is a person's terminal");

const LOGIN_OFFER = "Log in now? [y/N]";

testAtTerminal("add of a server that wants a login logs in and locks at once, where the person says so", async () => {
  const { url } = (await startProtected()).server;
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const env = { XDG_STATE_HOME: cwd, PATH: `${await makeBrowser(cwd)}:${process.env["PATH"]}` };
  const add = ["add", "tickets", "--url", url];
  const { code, shown } = await runInTerminal(add, { cwd, env, typed: [[LOGIN_OFFER, "y"]] });
  expect(code, shown).toBe(0);
  expect(shown).toMatch(/Next: codemode login tickets[^]*Open this page to log in:[^]*Logged in to tickets by http:/);
  expect(shown).toMatch(/tickets: \d+ tools?, added/);
  expect(Object.keys(await readServers(cwd))).toEqual(["tickets"]);
});

testAtTerminal("add of a server that wants a login goes no further where the person does not say so", async () => {
  const { server, authorization } = await startProtected();
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const env = { XDG_STATE_HOME: cwd, PATH: `${await makeBrowser(cwd)}:${process.env["PATH"]}` };
  const add = ["add", "tickets", "--url", server.url];
  const { code, shown } = await runInTerminal(add, { cwd, env, typed: [[LOGIN_OFFER, ""]] });
  expect(code, shown).toBe(0);
  expect(shown).toContain("Next: codemode login tickets, then codemode lock tickets");
  expect(shown).not.toContain("Open this page");
  expect(authorization.requests).toEqual([]);
  expect(await readdir(cwd)).not.toContain("codemode.lock.json");
});

/** A folder of programs with a browser of a person who logs in to every page that opens. */
async function makeBrowser(cwd: string): Promise<string> {
  const servers = new URL("../servers/authorization-server.mjs", import.meta.url).href;
  const code = `import("${servers}").then(({ browse }) => browse(process.argv[2]));`;
  await writeFile(join(cwd, "xdg-open"), `#!${process.execPath}\n${code}\n`, { mode: 0o755 });
  return cwd;
}

async function readServers(cwd: string): Promise<object> {
  return (JSON.parse(await readFile(join(cwd, "codemode.lock.json"), "utf8")) as { servers: object }).servers;
}

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
