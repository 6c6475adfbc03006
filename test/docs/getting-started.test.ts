import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runCodemode } from "../e2e/run-codemode.ts";
import { writePrograms } from "./offline-programs.ts";
import { PAGE_TIMEOUT_MS, runPage } from "./run-page.ts";

let folder: string;
let team: string;
let differences: unknown;
// All commands of the page, once: both tests begin where the page ends.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  team = join(folder, "followed", "team");
  differences = await runPage(await readFile("docs/getting-started.md", "utf8"), { to: join(folder, "followed") });
}, PAGE_TIMEOUT_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

test("who follows the page sees what it shows, and has an agent that can do the same", async () => {
  expect(differences).toEqual([]);
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
  const env = { XDG_STATE_HOME: join(folder, "state") };
  const diff = await runCodemode(["diff"], { cwd: team, env: { ...env, PATH: pathOfTest() } });
  expect([diff.code, diff.stdout]).toEqual([3, expect.stringContaining("First read .env")]);
});

interface McpFile {
  mcpServers: { codemode: { command: string; args: string[] } };
}

function readScript(): Promise<string> {
  return readFile(join(team, "open-tasks.ts"), "utf8");
}

/** The programs that the page calls, without a registry. */
function pathOfTest(): string {
  return `${join(folder, "bin")}:${process.env["PATH"]}`;
}

/** A client that starts what the entry of the page says, as an agent does. */
async function startAgent(): Promise<Client> {
  const { mcpServers } = JSON.parse(await readFile(join(team, ".mcp.json"), "utf8")) as McpFile;
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writePrograms(bin);
  const env = { PATH: pathOfTest(), HOME: folder, CODEMODE_TRUST: "1" };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ ...mcpServers.codemode, cwd: team, env, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return client;
}
