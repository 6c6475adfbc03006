import { readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { typeCommand } from "./open-commands.ts";
import { makeProject, runCodemode } from "./run-codemode.ts";
import { shareProject } from "./share-project.ts";

const TRIPS = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };

function toolsWith(days: object): object[] {
  const inputSchema = { type: "object", properties: { city: { type: "string" }, days }, required: ["city", "days"] };
  return [
    { name: "book", inputSchema, annotations: { readOnlyHint: false, destructiveHint: true } },
    { name: "look", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
  ];
}

const SCRIPT = `import { book, look } from "@codemode/servers/trips";

console.log(await look());
await book({ city: "Rome", days: 3 });
`;

const CONFIG = { mcpServers: { trips: TRIPS } };
const copyTrips = shareProject({
  "codemode.config.json": CONFIG,
  "tools.json": toolsWith({ type: "number" }),
  "script.ts": SCRIPT,
});

/** A generated project with one server and one script. */
function makeTrips(config: object = {}): Promise<string> {
  return copyTrips({ "codemode.config.json": { ...CONFIG, ...config } });
}

test("a good script: its manifest, and what the policy says of each tool", async () => {
  const cwd = await makeTrips({ policy: { ask: ["@destructive"] } });
  const { code, stdout, stderr } = await typeCommand(["check", "script.ts"], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe("May call 2 tools:");
  expect(lines[1]).toMatch(/^ {2}ask {4}trips\/book {2}sha256-\S+ {2}destructive$/);
  expect(lines[2]).toMatch(/^ {2}allow {2}trips\/look {2}sha256-\S+ {2}read-only$/);

  const asJson = await typeCommand(["check", "script.ts", "--json"], { cwd });
  expect(JSON.parse(asJson.stdout)).toEqual({
    ok: true,
    diagnostics: [],
    manifest: {
      tools: [
        expect.objectContaining({
          serverId: "trips",
          toolName: "book",
          exportName: "book",
          integrity: expect.stringMatching(/^sha256-/),
          annotations: { readOnlyHint: false, destructiveHint: true },
          policy: "ask",
        }),
        expect.objectContaining({ toolName: "look", annotations: { readOnlyHint: true }, policy: "allow" }),
      ],
    },
  });
});

test("a type error: line and column, and a hint with the fix", async () => {
  const cwd = await makeTrips();
  const script = 'import { book } from "@codemode/servers/trips";\nawait book({ city: "Rome", dayz: 3 });';
  const checked = await typeCommand(["check", "--eval", script], { cwd });
  expect(checked.code).toBe(1);
  expect(checked.stdout).toMatch(/^error: script\.ts:2:28 TYPE_ERROR: .*\nhint: Write `days` instead of `dayz`\./);
  expect(checked.stdout).toContain("May call 1 tool:");
  const piped = await runCodemode(["check", "-", "--json"], { cwd, stdin: script });
  expect(piped.code).toBe(1);
  expect(JSON.parse(piped.stdout)).toMatchObject({
    ok: false,
    diagnostics: [{ severity: "error", code: "TYPE_ERROR", path: "script.ts:2:28" }],
  });
});

test("a script that cannot be bundled has no manifest, and its error is reported once", async () => {
  const cwd = await makeTrips();
  const script = 'import { bok } from "@codemode/servers/trips";\nawait bok({ city: 1 });';
  const { code, stdout } = await typeCommand(["check", "--json", "--eval", script], { cwd });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, manifest: null, diagnostics: [{ code: "IMPORT_FAILURE" }] });
});

test("a tool that the policy denies fails the check", async () => {
  const cwd = await makeTrips({ policy: { deny: ["trips/book"] } });
  const { code, stdout } = await typeCommand(["check", "script.ts"], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain("POLICY_DENIED: The policy denies calls of trips/book.");
  expect(stdout).toMatch(/ {2}deny {3}trips\/book/);
});

test("a saved script fails to check, with the line, once its server has changed", async () => {
  const cwd = await makeTrips();
  expect(await typeCommand(["check", "script.ts"], { cwd })).toMatchObject({ code: 0 });
  await writeFile(join(cwd, "tools.json"), JSON.stringify(toolsWith({ type: "string" })));
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });

  const outdated = await typeCommand(["check", "script.ts"], { cwd });
  expect(outdated).toMatchObject({ code: 3, stderr: expect.stringContaining("codemode generate") });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  const changed = await typeCommand(["check", "script.ts"], { cwd });
  expect(changed.code).toBe(1);
  expect(changed.stdout).toContain("script.ts:4:28 TYPE_ERROR: Type 'number' is not assignable to type 'string'.");
});

test("nothing is locked, generated or run", async () => {
  const cwd = await makeProject({ "codemode.config.json": { mcpServers: { trips: TRIPS } }, "script.ts": SCRIPT });
  expect(await typeCommand(["check", "script.ts"], { cwd })).toMatchObject({ code: 3 });
  expect((await readdir(cwd)).toSorted()).toEqual(["codemode.config.json", "script.ts"]);

  const generated = await makeTrips();
  const marker = 'import { look } from "@codemode/servers/trips";\nconsole.log("it ran", await look());';
  const { code, stdout, stderr } = await typeCommand(["check", "--eval", marker], { cwd: generated });
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain("it ran");
});

test("a script is to be named", async () => {
  const cwd = await makeTrips();
  expect(await typeCommand(["check"], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining("--eval") });
});

test("a check that cannot be finished is a warning, and an error with --strict", async () => {
  const cwd = await makeTrips();
  const deep = ["check", "--eval", `export default ${"[".repeat(1_000)}${"]".repeat(1_000)};`];
  const lenient = await typeCommand(deep, { cwd });
  expect(lenient.stdout).toContain("warning: CHECK_INCOMPLETE: ");
  expect(lenient.code).toBe(0);
  const strict = await typeCommand([...deep, "--strict"], { cwd });
  expect(strict.stdout).toContain("error: CHECK_INCOMPLETE: ");
  expect(strict.code).toBe(1);
});
