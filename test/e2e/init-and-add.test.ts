import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DoctorReport } from "../../extras/doctor/doctor-report.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, SERVERS, STAND_INS } from "./run-codemode.ts";

test("init imports the servers of the clients that it finds, project before user", async () => {
  const home = await makeProject({
    ".claude.json": { mcpServers: { shared: { command: "theirs" }, mine: { command: "home" } } },
  });
  const cwd = await makeProject({ ".mcp.json": { mcpServers: { shared: { command: "ours" } } } });
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, ".config"), APPDATA: home };
  expect(await typeCommand(["init"], { cwd, env })).toMatchObject({ code: 0, stdout: "" });
  const written = JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8")) as unknown;
  expect(written).toMatchObject({ mcpServers: { shared: { command: "ours" }, mine: { command: "home" } } });

  const again = await typeCommand(["init"], { cwd, env });
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("codemode.config.json already exists") });
});

test("init takes the servers that are named, or none, and says which are of the account", async () => {
  const mine = { mine: { command: "home", env: { MINE: "${MINE_KEY}" } }, shared: { command: "theirs" } };
  const home = await makeProject({ ".claude.json": { mcpServers: mine } });
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, ".config"), APPDATA: home };
  const init = async (...options: string[]) => {
    const cwd = await makeProject({ ".mcp.json": { mcpServers: { shared: { command: "ours" } } } });
    const { code, stderr } = await typeCommand(["init", ...options], { cwd, env });
    const text = await readFile(join(cwd, "codemode.config.json"), "utf8").catch(() => '{ "mcpServers": {} }');
    return { code, stderr, names: Object.keys((JSON.parse(text) as { mcpServers: object }).mcpServers) };
  };
  const all = await init();
  expect(all).toMatchObject({ code: 0, names: ["shared", "mine", "shared--2"] });
  expect(all.stderr).toContain("Of your account: mine, shared--2. If the project is shared");
  const some = await init("--servers", "shared--2, shared");
  expect(some).toMatchObject({ code: 0, names: ["shared", "shared--2"] });
  expect(some.stderr).not.toMatch(/mine|MINE_KEY|Of your account/);
  const none = await init("--no-import");
  expect(none).toMatchObject({ code: 0, names: [] });
  expect(none.stderr).not.toMatch(/mine|shared/);
  const unknown = await init("--servers", "shared,theirs");
  expect(unknown).toMatchObject({ code: 2, names: [] });
  expect(unknown.stderr).toContain('there is no server "theirs" (found: shared, mine, shared--2)');
  expect(await init("--servers", " , ")).toMatchObject({ code: 2, names: [] });
  expect(await init("--no-import", "--servers", "shared")).toMatchObject({ code: 2, names: [] });
});

test("a new configuration asks before tools that may destroy, and says so, also where add writes it", async () => {
  const policy = { ask: ["@destructive"] };
  const home = await makeProject({});
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home, APPDATA: home };
  const [ours, theirs] = [await makeProject({}), await makeProject({})];
  const made = await typeCommand(["init"], { cwd: ours, env });
  const { command, args } = STAND_INS.memory;
  const refused = await typeCommand(["add", "broken", "--", process.execPath, "-e", ""], { cwd: theirs, env });
  expect(refused.code).toBe(1);
  expect(await readdir(theirs)).toEqual([]);
  const added = await typeCommand(["add", "memory", "--", command, ...args], { cwd: theirs, env });
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("Wrote codemode.config.json.") as string });
  for (const [cwd, { stderr }] of [
    [ours, made],
    [theirs, added],
  ] as const) {
    expect(stderr).toContain("Scripts ask a person before they call a tool that may destroy something");
    expect(JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8"))).toMatchObject({ policy });
  }
  expect((await readFile(join(ours, "codemode.config.json"), "utf8")).trimEnd().split("\n")).toHaveLength(5);
  const script =
    'import { delete_entities } from "@codemode/servers/memory"; await delete_entities({ entityNames: ["x"] });';
  const run = await typeCommand(["run", "--eval", script], { cwd: theirs, env });
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining("APPROVAL_REQUIRED") as string });
});

/** Words of a command that reach the project's own configuration or packages. FOLDER is the project's. */
const EXPOSED = [".", "--root=.", "..", "FOLDER:/data", "node_modules", "${workspaceFolder}"];
const HARMLESS = ["./notes", "nothing", "${UNSET:-notes}"];

async function makeEmptyProject(): Promise<string> {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  await mkdir(join(cwd, "notes"));
  await mkdir(join(cwd, "node_modules"));
  return cwd;
}

test.each([...EXPOSED, ...HARMLESS])("add warns of a server that reaches the project's own files: %s", async (word) => {
  const cwd = await makeEmptyProject();
  const { command, args } = STAND_INS.memory;
  const argument = word.replace("FOLDER", cwd);
  const { code, stderr } = await typeCommand(["add", "s", "--", command, ...args, argument], { cwd });
  expect(code, stderr).toBe(0);
  const warning = `warning: ${argument} gives "s" the project's own configuration or packages`;
  if (EXPOSED.includes(word)) expect(stderr).toContain(warning);
  else expect(stderr).not.toContain("warning");
});

test("doctor warns of all servers that reach the project's own files", async () => {
  const cwd = await makeEmptyProject();
  const { command, args } = STAND_INS.memory;
  const exposed = EXPOSED.map((word) => word.replace("FOLDER", cwd));
  const servers = [...exposed, ...HARMLESS].map((word, at) => [`s${at}`, { command, args: [...args, word] }]);
  await writeFile(
    join(cwd, "codemode.config.json"),
    JSON.stringify({ mcpServers: Object.fromEntries(servers) as unknown }),
  );
  const { stdout } = await typeCommand(["doctor", "s0", "--json"], { cwd });
  const { sections } = JSON.parse(stdout) as DoctorReport;
  const finding = sections.flatMap(({ findings }) => findings).find(({ id }) => id === "configuration.exposed");
  expect(finding).toMatchObject({ status: "warning", facts: { exposed: exposed.map((word, at) => `s${at} ${word}`) } });
});

test("init names an OpenAPI document of the folder as what to add next", async () => {
  const home = await makeProject({});
  const cwd = await makeProject({ "openapi.yaml": "openapi: 3.0.3" });
  const env = { HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: join(home, ".config"), APPDATA: home };
  const { stderr } = await typeCommand(["init"], { cwd, env });
  expect(stderr).toContain("codemode add NAME --openapi ./openapi.yaml\n");
});

test("init --from takes one file only", async () => {
  const cwd = await makeProject({ "other.toml": '[mcp_servers.one]\ncommand = "x"\n' });
  expect(await typeCommand(["init", "--from", "other.toml"], { cwd })).toMatchObject({ code: 0 });
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
  const added = await typeCommand(["add", "Every Thing", "--env", "GREETING=a=b", "--", command, ...args], { cwd });
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
  const refused = await typeCommand(["add", "broken", "--", process.execPath, "-e", "process.exit(3)"], { cwd });
  expect(refused.code).toBe(1);
  expect(await readFile(join(cwd, "codemode.config.json"), "utf8")).toBe(before);
  await mkdir(join(cwd, "empty"));
  await writeFile(join(cwd, "empty", "codemode.config.json"), '{"mcpServers":{}}');
  expect(await typeCommand(["add", "nothing"], { cwd: join(cwd, "empty") })).toMatchObject({ code: 2 });
});

test("init names each file with its scope, and the variables that are not set, questions of an editor among them", async () => {
  const cwd = await makeProject({});
  await mkdir(join(cwd, ".vscode"));
  const remote = { url: "https://a.example/mcp", headers: { Authorization: "Bearer ${input:tok}" } };
  const local = { command: "x", env: { API_KEY: "sk-ant-abcdefghijklmnopqrstuv12345", HERE: "${PATH}" } };
  await writeFile(join(cwd, ".vscode", "mcp.json"), JSON.stringify({ servers: { remote, local } }));
  const env = { HOME: cwd, USERPROFILE: cwd, XDG_CONFIG_HOME: join(cwd, ".config"), APPDATA: cwd };
  const { code, stderr } = await typeCommand(["init"], { cwd, env });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("VS Code, this project (");
  expect(stderr).toContain("The servers need these variables too, which are not set: TOK\n");
});

test("add says that a package without a version may be another one at each start", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: {} } });
  const { command, args } = STAND_INS.memory;
  await writeFile(join(cwd, "npx"), `#!/bin/sh\nexec "${command}" ${args.map((word) => `"${word}"`).join(" ")}\n`);
  await chmod(join(cwd, "npx"), 0o755);
  for (const [index, [word, isFloating]] of (
    [
      ["time-mcp", true],
      ["@acme/time@latest", true],
      ["time-mcp@1.2.3", false],
      ["./server.tgz", false],
    ] as const
  ).entries()) {
    const added = await typeCommand(["add", `s${index}`, "--", join(cwd, "npx"), "-y", word], { cwd });
    expect(added.code, added.stderr).toBe(0);
    expect(added.stderr.includes("has no version: each start may take another one.")).toBe(isFloating);
  }
});

test("doctor says in a line that a project is not trusted, and that there is none", async () => {
  const empty = await makeProject({});
  const none = await typeCommand(["doctor"], { cwd: empty });
  expect(none.stdout).toContain("There is no project here: `codemode init` makes one.");
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: STAND_INS } });
  const env = { CODEMODE_TRUST: "", XDG_STATE_HOME: join(cwd, "state") };
  const { stdout } = await typeCommand(["doctor"], { cwd, env });
  expect(stdout.split("not started: this account does not trust the project")).toHaveLength(3);
  expect(stdout).not.toContain("gets ");
});
