import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeProject, runCodemode, SERVERS } from "./run-codemode.ts";

test("init imports the servers of the clients that it finds, project before user", async () => {
  const home = await makeProject({
    ".claude.json": { mcpServers: { shared: { command: "theirs" }, mine: { command: "home" } } },
  });
  const cwd = await makeProject({ ".mcp.json": { mcpServers: { shared: { command: "ours" } } } });
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, ".config"), APPDATA: home };
  expect(await runCodemode(["init"], { cwd, env })).toMatchObject({ code: 0, stdout: "" });
  const written = JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8")) as unknown;
  expect(written).toMatchObject({ mcpServers: { shared: { command: "ours" }, mine: { command: "home" } } });

  const again = await runCodemode(["init"], { cwd, env });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("codemode.config.json already exists") });
});

test("init --from takes one file only", async () => {
  const cwd = await makeProject({ "other.toml": '[mcp_servers.one]\ncommand = "x"\n' });
  expect(await runCodemode(["init", "--from", "other.toml"], { cwd })).toMatchObject({ code: 0 });
  expect(JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8"))).toMatchObject({
    mcpServers: { one: { command: "x", args: [] } },
  });
});

test("add shows the command, proves that the server works, and keeps the rest of the file", async () => {
  const text = '{\n  // keys stay in their order\n  "limits": { "timeoutMs": 5000 },\n  "mcpServers": {}\n}\n'.replace(
    / {2}\/\/.*\n/,
    "",
  );
  const cwd = await makeProject({ "codemode.config.json": text });
  const { command, args } = SERVERS.everything;
  const added = await runCodemode(["add", "Every Thing", "--env", "GREETING=a=b", "--", command, ...args], { cwd });
  expect(added).toMatchObject({ code: 0, stdout: "" });
  expect(added.stderr).toContain(`Connecting to: ${[command, ...args].join(" ")}`);
  expect(added.stderr).toMatch(/every-thing: \d+ tools, .*, added/);
  const written = await readFile(join(cwd, "codemode.config.json"), "utf8");
  expect(written.indexOf("limits")).toBeLessThan(written.indexOf("mcpServers"));
  expect(JSON.parse(written)).toMatchObject({
    mcpServers: { "Every Thing": { command, args, env: { GREETING: "a=b" } } },
  });
  expect(await readFile(join(cwd, "codemode.lock.json"), "utf8")).toContain('"every-thing"');
});

test("a server that does not work is not added", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const before = await readFile(join(cwd, "codemode.config.json"), "utf8");
  const refused = await runCodemode(["add", "broken", "--", process.execPath, "-e", "process.exit(3)"], { cwd });
  expect(refused.code).toBe(1);
  expect(await readFile(join(cwd, "codemode.config.json"), "utf8")).toBe(before);
  await mkdir(join(cwd, "empty"));
  await writeFile(join(cwd, "empty", "codemode.config.json"), '{"mcpServers":{}}');
  expect(await runCodemode(["add", "nothing"], { cwd: join(cwd, "empty") })).toMatchObject({ code: 2 });
});
