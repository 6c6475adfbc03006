import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Divergence } from "../docs/follow-steps.ts";
import type { PageStep } from "../docs/page-steps.ts";
import { followIn, makeMachineWithClone } from "./machine-with-clone.ts";
import type { Machine } from "./machine.ts";
import { TRIES_ALL } from "./managers.ts";
import { readSteps, type } from "./typed-steps.ts";

let folder = "";
let team = "";
let machine: Machine;
let divergences: Divergence[];

// All commands of the page, once: the tests begin where it ends.
beforeAll(async () => {
  ({ folder, machine } = await makeMachineWithClone());
  team = join(machine.work, "team");
  ({ divergences } = await followIn(machine, ".", await readSteps("docs/getting-started.md")));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("who follows the page sees what it shows, and has an agent that can do the same", async () => {
  expect(divergences).toEqual([]);
  const agent = await startAgent();
  expect((await agent.listTools()).tools.map(({ name }) => name)).toEqual(["codemode_run"]);
  const code = await readScript();
  const { structuredContent } = await agent.callTool({ name: "codemode_run", arguments: { code } });
  expect(structuredContent).toMatchObject({
    logs: [{ message: "read 3 notes" }],
    result: ["Ada: order the new laptops", "Grace: answer the auditors", "Ada: book the room"],
    diagnostics: [],
  });
});

/** Pages of the shelf "Use" with commands of which they show no output; sessions are run by test/docs. */
const OTHER_PAGES: { page: string; before?: PageStep[]; leftOut?: RegExp }[] = [
  { page: "docs/ci.md" },
  { page: "docs/server-changes.md" },
  { page: "docs/install.md" },
  // It asks for a passphrase at a terminal, no request with its number waits here, and there is no server at its address.
  { page: "docs/approvals.md", leftOut: /--setup|[0-9a-f]{32}|^curl/ },
  { page: "docs/troubleshooting.md", before: [type("cp open-tasks.ts script.ts")] },
];

test.runIf(TRIES_ALL)("the commands of the other pages run in its project [with NEWCOMER=all]", async () => {
  const steps: PageStep[] = [type("PATH=$PWD/node_modules/.bin:$PATH")];
  for (const { page, before = [], leftOut = /^$/ } of OTHER_PAGES) {
    const typed = (await readSteps(page)).filter((step) => step.kind === "file" || !leftOut.test(step.command));
    steps.push(...before, ...typed);
  }
  expect((await followIn(machine, "team", steps)).divergences).toEqual([]);
});

test("where the agent is, the update of step 7 shows no word of its own and calls nothing that has changed", async () => {
  const config = await readFile(join(team, "codemode.config.json"), "utf8");
  const { mcpServers, ...rest } = JSON.parse(config) as { mcpServers: object };
  const files = { command: "sh", args: ["update.sh"] };
  const updated = { ...rest, serve: { detachAfterMs: 0 }, mcpServers: { ...mcpServers, files } };
  await writeFile(join(team, "codemode.config.json"), JSON.stringify(updated));
  const lockfile = await readFile(join(team, "codemode.lock.json"), "utf8");
  const poisoned = await startAgent();
  const run = (script: string) => poisoned.callTool({ name: "codemode_run", arguments: { code: script } });
  const refused = await run(await readScript());
  expect(refused.structuredContent).toMatchObject({
    result: null,
    toolTrace: [],
    diagnostics: [{ code: "APPROVAL_REQUIRED", message: expect.stringContaining("files/read_text_file") }],
  });
  const seen = [
    refused,
    await poisoned.listTools(),
    await run(
      'import { searchTools } from "@codemode/discovery"; export default await searchTools("read a text file");',
    ),
    await run('import { __meta__ } from "@codemode/servers/files"; export default __meta__;'),
  ];
  expect(JSON.stringify(seen)).toContain("read_text_file");
  expect(JSON.stringify(seen)).not.toContain(".env");
  expect(await readFile(join(team, "codemode.lock.json"), "utf8")).toBe(lockfile);
  const diff = type("CODEMODE_TRUST=1 npx codemode diff", "...\n...First read .env...\n...\n");
  const steps = [diff, type("echo $?", "3\n")];
  expect((await followIn(machine, "team", steps)).divergences).toEqual([]);
});

interface McpFile {
  mcpServers: { codemode: { command: string; args: string[] } };
}

function readScript(): Promise<string> {
  return readFile(join(team, "open-tasks.ts"), "utf8");
}

/** A client that starts what the entry of the page says, as an agent does. */
async function startAgent(): Promise<Client> {
  const { mcpServers } = JSON.parse(await readFile(join(team, ".mcp.json"), "utf8")) as McpFile;
  const env = { ...(await machine.at(team)).env, CODEMODE_TRUST: "1" };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ ...mcpServers.codemode, cwd: team, env, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return client;
}
