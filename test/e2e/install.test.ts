import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { type Finished, makeProject, STAND_INS } from "./run-codemode.ts";
import { testOnPosix } from "../platforms/needs.ts";

const CONFIG = {
  mcpServers: {
    everything: { ...STAND_INS.everything, env: { TOKEN: "${INSTALL_TEST_TOKEN:-none}" } },
  },
};

/** A project and a home of its own. */
async function makePlace(files: Record<string, unknown> = { "codemode.config.json": CONFIG }) {
  const [cwd, home] = [await makeProject(files), await makeProject({})];
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, ".config"), APPDATA: home };
  const install = (...args: string[]): Promise<Finished> => typeCommand(["install", ...args], { cwd, env });
  return { cwd, home, install };
}

test("the entry for Claude Code starts a server that an MCP client can talk to", async () => {
  const { cwd, install } = await makePlace();
  const installed = await install("claude-code");
  expect(installed).toMatchObject({ code: 0, stdout: "" });
  const { mcpServers } = JSON.parse(await readFile(join(cwd, ".mcp.json"), "utf8")) as {
    mcpServers: { codemode: { command: string; args: string[] } };
  };
  const { command, args } = mcpServers.codemode;
  expect(installed.stderr).toContain([command, ...args].join(" "));
  expect(installed.stderr).toContain("INSTALL_TEST_TOKEN");

  const client = new Client({ name: "test", version: "1" });
  const env = { CODEMODE_TRUST: "1" };
  await client.connect(new StdioClientTransport({ command, args, cwd, env, stderr: "ignore" }));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["codemode_run"]);
});

test("a second time changes nothing", async () => {
  const { cwd, install } = await makePlace();
  await install("codex");
  const path = join(cwd, ".codex", "config.toml");
  const before = await stat(path);
  expect(await install("codex")).toMatchObject({ code: 0, stderr: expect.stringContaining("is up to date in") });
  expect((await stat(path)).ino).toBe(before.ino);
});

test("--print writes nothing", async () => {
  const { cwd, home, install } = await makePlace();
  const printed = await install("vscode", "--print", "--name", "code");
  expect(printed.code).toBe(0);
  expect(JSON.parse(printed.stdout)).toMatchObject({ servers: { code: { type: "stdio" } } });
  expect(await readdir(cwd)).toEqual(["codemode.config.json"]);
  // The program keeps what has been compiled of it, which is no entry of a client.
  expect(await readdir(home)).toEqual([]);
});

test("no value of a variable is written or shown, only its name", async () => {
  const servers = { one: { command: "x", env: { KEY: "${INSTALL_TEST_SECRET}", WRITTEN: "plain-secret" } } };
  const { cwd, home } = await makePlace({ "codemode.config.json": { mcpServers: servers } });
  const env = { HOME: home, INSTALL_TEST_SECRET: "very-secret" };
  const installed = await typeCommand(["install", "cursor"], { cwd, env });
  const text = (await readFile(join(cwd, ".cursor", "mcp.json"), "utf8")) + installed.stderr;
  expect(text).toContain("INSTALL_TEST_SECRET");
  expect(text).not.toMatch(/very-secret|plain-secret/);
});

testOnPosix("modes of files")("a link is followed and stays, and a private file stays private", async () => {
  const { home, install } = await makePlace();
  const dotfiles = await makeProject({ "claude.json": '{"tokens": {"a": 1}}' });
  await chmod(join(dotfiles, "claude.json"), 0o600);
  await symlink(join(dotfiles, "claude.json"), join(home, ".claude.json"));
  const installed = await install("claude-code", "--user");
  expect(installed).toMatchObject({ code: 0 });
  expect(installed.stderr).not.toMatch(/trust the folder|Without a person/);
  expect((await lstat(join(home, ".claude.json"))).isSymbolicLink()).toBe(true);
  expect((await stat(join(dotfiles, "claude.json"))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(join(dotfiles, "claude.json"), "utf8"))).toMatchObject({
    tokens: { a: 1 },
    mcpServers: { codemode: {} },
  });
});

test("a file that is broken, or has another server of that name, is refused in one line and stays", async () => {
  const { cwd, install } = await makePlace();
  for (const [text, problem] of [
    ['{"mcpServers": {', "is not valid JSON"],
    ['{"mcpServers": {"codemode": {"command": "theirs"}}}', "already"],
  ] as const) {
    await writeFile(join(cwd, ".mcp.json"), text);
    const refused = await install("claude-code");
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(problem) });
    expect(refused.stderr.trim().split("\n")).toHaveLength(2);
    expect(await readFile(join(cwd, ".mcp.json"), "utf8")).toBe(text);
  }
  expect(await install("claude-code", "--force")).toMatchObject({ code: 0 });
});

test.each([
  [["claude"], 'Did you mean "claude-code"?'],
  [["codex", "--name", "__proto__"], "--name"],
  [["codex", "--project", "--user"], "--project"],
  [["cursor", "--http", "https://me:secret@a.example/mcp"], "leave user and password out"],
  [["cursor", "--http", "file:///etc"], "http or https"],
])("install %j is refused", async (args, problem) => {
  const { install } = await makePlace();
  expect(await install(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
});

test("without a configuration there is nothing to serve, but an address can be written", async () => {
  const { cwd, install } = await makePlace({});
  expect(await install("cursor")).toMatchObject({ code: 2, stderr: expect.stringContaining("No configuration found") });
  const url = "http://127.0.0.1:8080/mcp";
  expect(await install("cursor", "--http", url)).toMatchObject({ code: 0 });
  const read = async (): Promise<unknown> => JSON.parse(await readFile(join(cwd, ".cursor", "mcp.json"), "utf8"));
  expect(await read()).toEqual({ mcpServers: { codemode: { url } } });
  expect(await install("cursor", "--http", url, "--token-env", "CM_TOKEN")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("set it where Cursor starts: CM_TOKEN"),
  });
  const headers = { Authorization: "Bearer ${env:CM_TOKEN}" };
  expect(await read()).toEqual({ mcpServers: { codemode: { url, headers } } });
});

test("the header names the variable of the configuration's token, and a token that is written out stays there", async () => {
  const serve = {
    token: "${ALL_TOKEN}",
    clients: { codex: { token: "${CODEX_TOKEN}" }, gemini: { token: "literal-token" } },
  };
  const { install } = await makePlace({ "codemode.config.json": { mcpServers: {}, serve } });
  const address = ["--http", "https://a.example/mcp", "--print"];
  expect((await install("claude-code", ...address)).stdout).toContain('"Authorization": "Bearer ${ALL_TOKEN}"');
  expect((await install("codex", ...address)).stdout).toContain('bearer_token_env_var = "CODEX_TOKEN"');
  const written = await install("gemini", ...address);
  expect(written.stdout + written.stderr).not.toContain("literal-token");
  expect(written.stderr).toContain("--token-env");
  expect((await install("zed", ...address)).stderr).toContain("add the header by hand");
});

test("a project that is configured by the client's own file does not serve itself", async () => {
  const { cwd, install } = await makePlace({ ".mcp.json": { mcpServers: { everything: STAND_INS.everything } } });
  expect(await install("claude-code")).toMatchObject({ code: 0 });
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  const lock = JSON.parse(await readFile(join(cwd, "codemode.lock.json"), "utf8")) as { servers: object };
  expect(Object.keys(lock.servers)).toEqual(["everything"]);

  await mkdir(join(cwd, "new"));
  expect(await typeCommand(["init", "--from", "../.mcp.json"], { cwd: join(cwd, "new") })).toMatchObject({ code: 0 });
  expect(await readFile(join(cwd, "new", "codemode.config.json"), "utf8")).not.toContain('"codemode"');
});
