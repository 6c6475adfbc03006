import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject, STAND_INS } from "./run-codemode.ts";
import { initialize, openWire } from "./serve-clients.ts";

const node = (...args: string[]) => ({ command: process.execPath, args });

/** Servers that cannot be locked, each for another reason. */
const DEAD = {
  absent: { command: "codemode-test-no-such-program" },
  crashing: node("-e", "console.error('no licence found'); process.exit(3)"),
  hanging: { ...node("-e", "setInterval(() => {}, 1000)"), timeoutMs: 1500 },
  unset: { ...STAND_INS.memory, env: { TOKEN: "${CODEMODE_TEST_UNSET}" } },
};
const REASONS = [
  /error: Server "absent" .*codemode-test-no-such-program/,
  /error: Server "crashing" .*no licence found/,
  /error: Server "hanging" .*1[.,]?5/,
  /error: Server "unset" needs the environment variable CODEMODE_TEST_UNSET/,
];
/** Dead ones first, so that an early end would take the others with it. */
const MIXED = { ...DEAD, memory: STAND_INS.memory, everything: STAND_INS.everything };

const ECHO = 'import { echo } from "@codemode/servers/everything"; export default await echo({ message: "hi" });';

async function lockedIds(cwd: string): Promise<string[]> {
  const text = await readFile(join(cwd, "codemode.lock.json"), "utf8");
  return Object.keys((JSON.parse(text) as { servers: object }).servers);
}

test("lock writes the servers that answer, names each other one with its reason, and ends with 1", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: MIXED } });
  const locked = await typeCommand(["lock"], { cwd });
  expect(locked).toMatchObject({ code: 1, stdout: "" });
  expect(locked.stderr).toMatch(/^everything: \d+ tools, added$/m);
  for (const reason of REASONS) expect(locked.stderr).toMatch(reason);
  expect(await lockedIds(cwd)).toEqual(["everything", "memory"]);

  const asJson = await typeCommand(["lock", "--json"], { cwd });
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    changes: [],
    failures: [
      { serverId: "absent", code: "SERVER_UNAVAILABLE" },
      { serverId: "crashing", code: "SERVER_UNAVAILABLE", message: expect.stringContaining("no licence") },
      { serverId: "hanging", code: "SERVER_UNAVAILABLE" },
      { serverId: "unset", code: "VARIABLE_UNSET" },
    ],
  });
});

test("a server that has died keeps its entry, and diff shows what the others changed", async () => {
  const trips = node(resolve("test/servers/file-server.mjs"), "tools.json");
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { memory: STAND_INS.memory, trips } },
    "tools.json": [{ name: "book", inputSchema: { type: "object" } }],
  });
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  const before = await readFile(join(cwd, "codemode.lock.json"), "utf8");
  await writeFile(join(cwd, "tools.json"), '[{ "name": "quote", "inputSchema": { "type": "object" } }]');
  await writeFile(
    join(cwd, "codemode.config.json"),
    JSON.stringify({ mcpServers: { memory: DEAD.crashing, trips, unset: DEAD.unset } }),
  );

  const shown = await typeCommand(["diff"], { cwd });
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(/^trips: changed \(breaking\)\n/);
  expect(shown.stdout).not.toContain("memory");
  expect(shown.stderr).toContain('Server "memory"');
  expect(shown.stderr).toContain('Server "unset"');
  const asMarkdown = await typeCommand(["diff", "--markdown"], { cwd });
  expect(asMarkdown.stdout).toMatch(/### Not compared\n\n- `memory`: `.*no licence[^]*### `trips`: changed, breaking/);
  expect(await typeCommand(["lock", "--check"], { cwd })).toMatchObject({ code: 1 });
  expect(await readFile(join(cwd, "codemode.lock.json"), "utf8")).toBe(before);

  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 1 });
  expect(await lockedIds(cwd)).toEqual(["memory", "trips"]);
  expect(await readFile(join(cwd, "codemode.lock.json"), "utf8")).toContain('"quote"');
});

test("a server with a schema that is nested without end is a failure of that server alone, with its name", async () => {
  const deep = (where: string, levels: number) => node(resolve("test/servers/deep-server.mjs"), where, `${levels}`);
  const mcpServers = { schemas: deep("schema", 4000), itself: deep("itself", 300), everything: STAND_INS.everything };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers } });
  const inSchema = /Server "schemas" .*"dig".* is nested more than 256 levels deep/;
  const inItself = /Server "itself" .*of itself is nested more than 256 levels deep/;
  const locked = await typeCommand(["lock"], { cwd });
  expect(locked).toMatchObject({ code: 1, stderr: expect.stringMatching(inSchema) });
  expect(locked.stderr).toMatch(inItself);
  expect(await lockedIds(cwd)).toEqual(["everything"]);
  const shown = await typeCommand(["diff"], { cwd });
  expect(shown).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(inSchema) });
  expect(shown.stderr).toMatch(inItself);
  const ran = await typeCommand(["run", "--eval", ECHO], { cwd });
  expect(ran).toMatchObject({ code: 0, stdout: '"Echo: hi"\n' });
});

test("lock and diff of one server leave all others alone, also one that is no longer configured", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: STAND_INS } });
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  const mcpServers = { everything: STAND_INS.everything, crashing: DEAD.crashing };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers }));
  expect(await typeCommand(["diff", "everything"], { cwd })).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await typeCommand(["lock", "everything"], { cwd })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^everything: \d+ tools, unchanged$/m),
  });
  expect(await lockedIds(cwd)).toEqual(["everything", "memory"]);
  expect(await typeCommand(["lock", "crashing"], { cwd })).toMatchObject({ code: 1 });
  expect(await lockedIds(cwd)).toEqual(["everything", "memory"]);
  // Without a name the lockfile follows the configuration.
  const all = await typeCommand(["lock"], { cwd });
  expect(all.stderr).toContain("memory: removed");
  expect(await lockedIds(cwd)).toEqual(["everything"]);
});

test("a first run goes on with the servers that answer, and says of the others that they are not locked", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: MIXED } });
  const ran = await typeCommand(["run", "--eval", ECHO], { cwd });
  expect(ran).toMatchObject({ code: 0, stdout: '"Echo: hi"\n' });
  for (const name of Object.keys(DEAD)) expect(ran.stderr).toMatch(new RegExp(`^Not locked: Server "${name}"`, "m"));

  const script = 'import * as memory from "@codemode/servers/unset"; export default memory;';
  const missing = await typeCommand(["run", "--eval", script, "--json"], { cwd });
  expect(missing.code).toBe(1);
  expect((JSON.parse(missing.stdout) as RunAnswer).diagnostics).toMatchObject([
    { code: "IMPORT_FAILURE" },
    { code: "LOCK_DRIFT", message: expect.stringContaining('"unset" is in the configuration but not in the lockfile') },
  ]);
});

test("where nothing answers no lockfile is written, and the next command tries again", async () => {
  const { crashing, unset } = DEAD;
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { crashing, unset } } });
  for (const command of ["lock", "generate"]) {
    const failed = await typeCommand([command], { cwd });
    expect(failed, command).toMatchObject({ code: 1, stderr: expect.stringContaining('Server "crashing"') });
    expect(failed.stderr).toContain("CODEMODE_TEST_UNSET");
  }
  expect(existsSync(join(cwd, "codemode.lock.json"))).toBe(false);
  expect(await typeCommand(["run", "--eval", "export default 1"], { cwd })).toMatchObject({ code: 0, stdout: "1\n" });
  expect(existsSync(join(cwd, "codemode.lock.json"))).toBe(false);
});

test("a first generate makes the packages of servers that answer, and ends with 1", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { absent: DEAD.absent, memory: STAND_INS.memory } },
  });
  const generated = await typeCommand(["generate"], { cwd });
  expect(generated).toMatchObject({ code: 1, stderr: expect.stringContaining('Server "absent"') });
  expect(generated.stderr).toContain("1 server package, 9 tools");
  expect(existsSync(join(cwd, "generated/memory/index.js"))).toBe(true);
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 0 });
});

test("add starts the new server alone, and says nothing of the others", async () => {
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { everything: STAND_INS.everything, crashing: DEAD.crashing } },
  });
  await typeCommand(["lock"], { cwd });
  const { command, args } = STAND_INS.memory;
  const added = await typeCommand(["add", "notes", "--", command, ...args], { cwd });
  expect(added.code).toBe(0);
  expect(added.stderr.split("\n").slice(1)).toEqual(["notes: 9 tools, added", ""]);
});

test("serve takes a server in as soon as it answers, and announces its tools", async () => {
  const late = {
    command: "sh",
    args: ["-c", `test -e ready && exec "${process.execPath}" "${STAND_INS.everything.args[0]}" everything`],
  };
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { late, memory: STAND_INS.memory } } });
  const wire = openWire(cwd);
  await initialize(wire);
  const before = await wire.ask("tools/list", {});
  expect(JSON.stringify(before.result)).toContain("memory: add_observations, ");
  expect(JSON.stringify(before.result)).not.toContain("late: ");
  await writeFile(join(cwd, "ready"), "");
  await wire.find(({ method }) => method === "notifications/tools/list_changed");
  expect(JSON.stringify((await wire.ask("tools/list", {})).result)).toContain("late: ");
  await vi.waitFor(async () => expect(await lockedIds(cwd)).toEqual(["late", "memory"]));

  const code = ECHO.replace("servers/everything", "servers/late");
  const ran = await wire.ask("tools/call", { name: "codemode.run", arguments: { code } });
  expect(ran.result?.["structuredContent"]).toMatchObject({
    result: "Echo: hi",
    diagnostics: [
      { severity: "warning", code: "LOCK_DRIFT", message: expect.stringContaining("not in the lockfile yet") },
    ],
  });
});

test("serve locks a server that was configured since, and never with --frozen", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { memory: STAND_INS.memory } } });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: STAND_INS }));
  const call = { name: "codemode.run", arguments: { code: ECHO } };

  const frozen = openWire(cwd, ["--frozen"]);
  await initialize(frozen);
  expect((await frozen.ask("tools/call", call)).result?.["structuredContent"]).toMatchObject({
    result: null,
    diagnostics: [{ code: "IMPORT_FAILURE" }, { code: "LOCK_DRIFT", severity: "warning" }],
  });
  expect(await lockedIds(cwd)).toEqual(["memory"]);

  const wire = openWire(cwd);
  await initialize(wire);
  expect((await wire.ask("tools/call", call)).result?.["structuredContent"]).toMatchObject({
    result: "Echo: hi",
  });
  expect(await lockedIds(cwd)).toEqual(["everything", "memory"]);
});
