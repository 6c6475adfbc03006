import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { printDoctorReport } from "../../extras/doctor/command.ts";
import type { DoctorReport, Finding } from "../../extras/doctor/doctor-report.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";
import { testOnPosix } from "../platforms/needs.ts";

/** A server that starts at once. */
const QUICK = {
  command: process.execPath,
  args: [resolve("test/servers/hanging-server.mjs"), "${workspaceFolder}/heard.txt"],
};

const SECRET = "hunter2-of-the-test";

const fitsSchema = new Ajv({ strict: false }).compile(
  JSON.parse(await readFile("schemas/doctor.schema.json", "utf8")) as object,
);

/** A machine without clients, independent of the one that runs the tests; compiled code stays where it is. */
const homeIn = (cwd: string) => ({
  HOME: cwd,
  XDG_CONFIG_HOME: join(cwd, "config"),
  XDG_STATE_HOME: join(cwd, "state"),
});

async function examine(cwd: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const finished = await typeCommand(["doctor", "--json", ...args], { cwd, env: { ...homeIn(cwd), ...env } });
  expect(finished.stdout + finished.stderr).not.toContain(SECRET);
  const report = JSON.parse(finished.stdout) as DoctorReport;
  fitsSchema(report);
  expect(fitsSchema.errors ?? []).toEqual([]);
  const findings = new Map(report.sections.flatMap((section) => section.findings.map((one) => [one.id, one] as const)));
  return { code: finished.code, report, get: (id: string): Finding | undefined => findings.get(id) };
}

testOnPosix("modes of files")(
  "a project in which everything works has no problem, and each part says how it is",
  async () => {
    const cwd = await makeProject({
      "codemode.config.json": {
        mcpServers: { quick: QUICK },
        policy: { ask: ["quick/wait"], deny: ["quick/misspelt", "@destructive"] },
      },
    });
    await typeCommand(["generate"], { cwd });
    await typeCommand(["install", "cursor"], { cwd });
    const { code, report, get } = await examine(cwd);
    expect([code, report.problems]).toEqual([0, 0]);
    expect(report.sections.map(({ id }) => id)).toEqual([
      "machine",
      "sandbox",
      "run",
      "configuration",
      "lockfile",
      "servers",
      "policy",
      "clients",
      "caches",
    ]);
    expect(get("machine.node")).toMatchObject({
      status: "ok",
      facts: { nodeVersion: process.version, isSupported: true },
    });
    expect(get("sandbox.permissions")).toMatchObject({ status: "ok", facts: { isActive: true } });
    expect(get("run.script")?.facts).toEqual({
      bundleMs: expect.any(Number),
      readyMs: expect.any(Number),
      runMs: expect.any(Number),
    });
    expect(get("server.quick")).toMatchObject({
      status: "ok",
      facts: { starts: true, tools: 1, drift: "none", protocolVersion: "2025-11-25", isLocked: true },
    });
    expect(get("lockfile.file")).toMatchObject({ status: "ok", facts: { version: 1, servers: 1, tools: 1 } });
    expect([get("lockfile.generated")?.status, get("lockfile.link")?.status]).toEqual(["ok", "ok"]);
    expect(get("policy.patterns")).toMatchObject({
      status: "warning",
      facts: { unmatched: ["policy.deny: quick/misspelt"] },
    });
    expect(get("client.cursor.project")?.status).toBe("ok");

    // The page shows what is looked at under the names that are printed.
    const printed = printDoctorReport(report);
    const subjectsOf = (lines: readonly string[]): string[] =>
      lines.flatMap((line) => /^ {2}(?:ok|warning|PROBLEM|-) {2,}(.+?) {2,}/.exec(line)?.[1] ?? []);
    const page = (await readFile("docs/doctor.md", "utf8")).split("\n");
    const shown = subjectsOf(page.slice(0, page.indexOf("Servers")));
    expect(shown).toEqual(subjectsOf(printed.slice(0, printed.indexOf("Servers"))));

    // Later changes are found, and nothing is repaired silently.
    const lockfile = join(cwd, "codemode.lock.json");
    const index = join(cwd, "generated", "quick", "tools", "wait.js");
    await writeFile(index, `${await readFile(index, "utf8")}// edited\n`);
    await writeFile(
      join(cwd, ".cursor", "mcp.json"),
      JSON.stringify({
        mcpServers: { codemode: { command: "/nowhere/node", args: ["codemode", "serve", "--cwd", "/nowhere"] } },
      }),
    );
    await mkdir(join(cwd, "state", "codemode", "credentials"), { recursive: true });
    await chmod(join(cwd, "state", "codemode", "credentials"), 0o755);
    const config = JSON.parse(await readFile(join(cwd, "codemode.config.json"), "utf8")) as { mcpServers: object };
    const mcpServers = {
      ...config.mcpServers,
      lost: { command: "no-such-command" },
      leaky: {
        command: process.execPath,
        args: ["-e", "console.error(process.env.TOKEN); process.exit(3)"],
        env: { TOKEN: "${DOCTOR_TOKEN}" },
      },
      unset: { url: "https://example.test/mcp", headers: { Authorization: "Bearer ${DOCTOR_UNSET}" } },
    };
    await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ ...config, mcpServers }));
    const before = await readFile(lockfile, "utf8");
    const second = await examine(cwd, [], { DOCTOR_TOKEN: SECRET });
    expect(second.code).toBe(1);
    expect(second.get("server.quick")?.status).toBe("ok");
    expect(second.get("server.lost")).toMatchObject({
      status: "problem",
      found: expect.stringContaining("no-such-command"),
    });
    expect(second.get("server.leaky")).toMatchObject({
      status: "problem",
      found: expect.stringContaining("[redacted: DOCTOR_TOKEN]"),
    });
    expect(second.get("server.unset")).toMatchObject({
      status: "problem",
      found: expect.stringContaining("DOCTOR_UNSET"),
    });
    expect(second.get("configuration.variables")).toMatchObject({
      status: "problem",
      facts: { unset: ["DOCTOR_UNSET"] },
    });
    expect(second.get("lockfile.servers")).toMatchObject({
      facts: { missing: ["lost", "leaky", "unset"], surplus: [] },
    });
    expect(second.get("lockfile.generated")).toMatchObject({
      status: "warning",
      facts: { edited: ["quick/tools/wait.js"] },
    });
    expect(second.get("client.cursor.project")).toMatchObject({
      status: "problem",
      hint: expect.stringContaining("install cursor"),
    });
    expect(second.get("cache.credentials")).toMatchObject({ status: "problem", facts: { openTo: ["readers"] } });
    expect(await readFile(lockfile, "utf8")).toBe(before);
  },
);

test("a broken configuration and a broken lockfile are named with their lines, and the rest is looked at all the same", async () => {
  const config = `{\n  "mcpServers": {\n    "a": { "command": "a", "env": { "TOKEN": "${SECRET}" } }\n    "b": {}\n  }\n}`;
  const cwd = await makeProject({ "codemode.config.json": config, "codemode.lock.json": "<<<<<<< HEAD" });
  const finished = await typeCommand(["doctor"], { cwd, env: homeIn(cwd) });
  expect(finished).toMatchObject({ code: 1, stderr: "" });
  expect(finished.stdout).not.toContain(SECRET);
  expect(finished.stdout).toContain("PROBLEM  file  codemode.config.json:4:5: it is not valid JSON: comma expected\n");
  expect(finished.stdout).toMatch(/Lockfile\n {2}PROBLEM {2}file {2}codemode\.lock\.json: .*\n +hint: /);
  expect(finished.stdout).toMatch(/ok {7}a script +bundled in /);
  expect(finished.stdout).toContain("2 problems.\n");
});

test("a folder without a project is no problem, and a server that is not configured is one of the words", async () => {
  const cwd = await makeProject({});
  const { code, get } = await examine(cwd);
  expect([code, get("configuration.file")?.status]).toEqual([0, "info"]);
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers: { quick: QUICK } }));
  const finished = await typeCommand(["doctor", "nothing"], { cwd });
  expect(finished).toMatchObject({ code: 2, stdout: "" });
  expect(finished.stderr).toContain('No server "nothing" is configured.');
});
