import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { RunAnswer } from "../../schemas/run/answer.ts";
import { typeCommand } from "./open-commands.ts";
import { makeProject } from "./run-codemode.ts";

const inputSchema = { type: "object", properties: { city: { type: "string" } } };
const days = { type: "object", properties: { days: { type: "integer" } }, required: ["days"] };
const wrong = { content: [], structuredContent: { days: "many" } };
const tools = [
  { name: "plain", inputSchema },
  { name: "structured", inputSchema, outputSchema: days, "x-answer": wrong },
  { name: "silent", inputSchema, outputSchema: days },
  { name: "failing", inputSchema, outputSchema: days, "x-answer": { ...wrong, isError: true } },
];

function project(outputs: Record<string, unknown> = {}): Promise<string> {
  const trips = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };
  return makeProject({ "codemode.config.json": { mcpServers: { trips }, outputs }, "tools.json": tools });
}

async function run(cwd: string, code: string): Promise<RunAnswer> {
  const { stdout } = await typeCommand(["run", "--json", "--frozen", "--eval", code], { cwd });
  return JSON.parse(stdout) as RunAnswer;
}

test("a result that is not what its schema says is kept, and named once for each tool", async () => {
  const cwd = await project();
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  const answer = await run(
    cwd,
    `import { failing, plain, silent, structured } from "@codemode/servers/trips";
    await failing().catch(() => {});
    export default [await structured(), await structured(), await silent(), await plain()];`,
  );
  expect(answer.result).toEqual([{ days: "many" }, { days: "many" }, "silent {}", "plain {}"]);
  expect(answer.diagnostics).toEqual([
    {
      severity: "warning",
      code: "OUTPUT_MISMATCH",
      message:
        'The result of trips/structured does not match its output schema: "/days" should be integer, received "many".',
      hint: expect.stringContaining('"outputs"'),
    },
    expect.objectContaining({
      code: "OUTPUT_MISMATCH",
      message: expect.stringContaining("trips/silent does not match its output schema: it has no structuredContent"),
    }),
  ]);
});

test("a schema in the configuration becomes part of the lock, of the types and of the check", async () => {
  const cwd = await project({
    "trips/plain": { type: "string", description: "What was booked.", pattern: "^booked" },
    "trips/structured": { type: "object", properties: { days: { type: "string" } }, required: ["days"] },
  });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  const lockfile = JSON.parse(await readFile(join(cwd, "codemode.lock.json"), "utf8"));
  expect(lockfile.servers.trips.tools).toMatchObject([
    { name: "failing", outputSchema: days },
    { name: "plain", outputSchema: { type: "string" }, outputSchemaFrom: "configuration" },
    { name: "silent" },
    { name: "structured", outputSchemaFrom: "configuration" },
  ]);
  expect(lockfile.servers.trips.tools[0]).not.toHaveProperty("outputSchemaFrom");

  // The live server still says nothing of it: that is no drift.
  expect(await typeCommand(["lock", "--check"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["generate", "--check"], { cwd })).toMatchObject({ code: 0 });
  const shown = await typeCommand(["types", "trips/plain"], { cwd });
  expect(shown.stdout).toContain("What was booked.");
  expect(shown.stdout).toContain("export type PlainOutput = string;");

  const answer = await run(
    cwd,
    `import { plain, structured } from "@codemode/servers/trips";
    export default [await plain(), await structured()];`,
  );
  expect(answer.result).toEqual(["plain {}", { days: "many" }]);
  expect(answer.diagnostics.map(({ message }) => message)).toEqual([
    expect.stringContaining('trips/plain does not match its output schema: it should be matching pattern "^booked"'),
  ]);
});

test("changing the configuration's schema is drift until it is locked", async () => {
  const cwd = await project({ "trips/plain": { type: "string" } });
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  const file = join(cwd, "codemode.config.json");
  const config = JSON.parse(await readFile(file, "utf8"));
  const { writeFile } = await import("node:fs/promises");
  await writeFile(file, JSON.stringify({ ...config, outputs: {} }));
  const diff = await typeCommand(["diff"], { cwd });
  expect(diff.code).toBe(3);
  expect(diff.stdout).toContain("/tools/plain/outputSchema");
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["lock", "--check"], { cwd })).toMatchObject({ code: 0 });
});

test.each([
  ["trips/plian", 'Did you mean "trips/plain"?'],
  ["tripz/plain", 'Did you mean "trips/plain"?'],
  ["elsewhere/entirely-different", "serverId/toolName"],
])("a schema for %s, which no server has, is refused when locking", async (name, hint) => {
  const cwd = await project({ [name]: {} });
  const { code, stderr } = await typeCommand(["lock"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain(`"${name}"`);
  expect(stderr).toContain(hint);
});

test("what is no schema, or no name of a tool, is refused as configuration", async () => {
  for (const outputs of [{ "trips/plain": 5 }, { plain: {} }]) {
    const cwd = await project(outputs);
    expect(await typeCommand(["lock"], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("/outputs"),
    });
  }
});
