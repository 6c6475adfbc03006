import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeAtomically } from "../../engine/files.ts";
import { countCases } from "../sets/count-cases.ts";
import { typeCommand } from "./open-commands.ts";
import { makeGeneratedProject, runCodemode } from "./run-codemode.ts";
import { serveScripts } from "./serve-clients.ts";

/** `ROUNDS=200` is how often it was measured. */
const ROUNDS = Number(process.env["ROUNDS"] ?? countCases(6, 3));

const inputSchema = { type: "object", properties: { city: { type: "string" } } };
const quote = { name: "quote", description: "Says a price.", inputSchema };
const toolOf = (name: string) => ({ name, description: `Does ${name}.`, inputSchema });
const CLI = resolve("dist/cli/main.js");

async function makeLockedProject() {
  const args = [resolve("test/servers/file-server.mjs"), "tools.json", "--notify"];
  const cwd = await makeGeneratedProject({
    "codemode.config.json": { mcpServers: { trips: { command: process.execPath, args } } },
    "tools.json": [quote],
  });
  // In one step: a server that reads half of a list is another test's.
  const setTools = (tools: object[]) =>
    writeAtomically(join(cwd, "tools.json"), JSON.stringify(tools), { project: cwd });
  return { cwd, setTools };
}

/** Another text each time: a script that ran before is bundled already. */
const call = (tool: string, mark: string) =>
  `import { ${tool} } from "@codemode/servers/trips"; export default [await ${tool}({ city: "Oslo" }), "${mark}"];`;

test("a host goes on where a terminal locks and generates, whichever of the two comes first", async () => {
  const { cwd, setTools } = await makeLockedProject();
  const run = await serveScripts(cwd);
  expect(await run(call("quote", "before"))).toMatchObject({ diagnostics: [] });
  await setTools([quote, toolOf("book")]);
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await run(call("book", "locked"))).toMatchObject({
    result: ['book {"city":"Oslo"}', "locked"],
    diagnostics: [],
  });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  expect(await run(call("quote", "generated"))).toMatchObject({ diagnostics: [] });
  expect(await run(call("book", "generated"))).toMatchObject({ diagnostics: [] });
});

test("a frozen host that finds another package refuses, and says that it has to be started again", async () => {
  const { cwd, setTools } = await makeLockedProject();
  const run = await serveScripts(cwd, "--frozen");
  expect(await run(call("quote", "before"))).toMatchObject({ diagnostics: [] });
  await setTools([quote, toolOf("book")]);
  expect(await typeCommand(["lock"], { cwd })).toMatchObject({ code: 0 });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  expect(await run(call("quote", "after"))).toMatchObject({
    result: null,
    diagnostics: [
      { code: "LOCK_DRIFT", hint: expect.stringContaining("Start codemode again") },
      { severity: "warning", code: "LOCK_DRIFT" },
    ],
  });
});

test(
  `two hosts, a terminal and \`generate --watch\` work on one project for ${ROUNDS} rounds`,
  { timeout: 30_000 * ROUNDS },
  async () => {
    const { cwd, setTools } = await makeLockedProject();
    const watch = spawn(process.execPath, [CLI, "generate", "--watch", "--trust"], { cwd, stdio: "ignore" });
    onTestFinished(() => void watch.kill());
    const hosts = await Promise.all([serveScripts(cwd), serveScripts(cwd)]);
    const refused: unknown[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      await setTools([quote, toolOf(`step_${round}`)]);
      const runs = hosts.flatMap((run, host) => [1, 2].map((turn) => run(call("quote", `${round} ${host} ${turn}`))));
      const terminal =
        round % 2 === 0 ? runCodemode(["lock"], { cwd }) : runCodemode(["generate", "--update"], { cwd });
      for (const { result, diagnostics } of await Promise.all(runs)) if (result === null) refused.push(diagnostics);
      expect(await terminal).toMatchObject({ code: 0 });
      for (const run of hosts) {
        const { result, diagnostics } = await run(call(`step_${round}`, "new"));
        if (result === null) refused.push(diagnostics);
      }
    }
    expect(refused).toEqual([]);
    await writeFile(join(cwd, "done"), "");
  },
);
