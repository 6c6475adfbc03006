import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { runCodemode } from "../e2e/run-codemode.ts";
import { writePrograms } from "./offline-programs.ts";
import { runPage } from "./run-page.ts";
import { makeTestFolder } from "../make-test-folder.ts";

test("who follows the page sees what it shows, and has an agent that can do the same", async () => {
  const folder = await makeTestFolder();
  const page = await readFile("docs/getting-started.md", "utf8");
  expect(await runPage(page, { to: join(folder, "followed") })).toEqual([]);

  const team = join(folder, "followed", "team");
  const entry = JSON.parse(await readFile(join(team, ".mcp.json"), "utf8")) as McpFile;
  const agent = await startAgent(entry, team, folder);
  expect((await agent.listTools()).tools.map(({ name }) => name)).toEqual(["codemode_run"]);
  const code = await readFile(join(team, "open-tasks.ts"), "utf8");
  const { structuredContent } = await agent.callTool({ name: "codemode_run", arguments: { code } });
  expect(structuredContent).toMatchObject({
    logs: [{ message: "read 2 notes" }],
    result: ["Ada: order the new laptops", "Grace: answer the auditors", "Ada: book the room"],
    diagnostics: [],
  });

  // The update of step 7, where the agent is: it reads no word of it, and calls nothing that has changed.
  await agent.close();
  const config = await readFile(join(team, "codemode.config.json"), "utf8");
  const { mcpServers, ...rest } = JSON.parse(config) as { mcpServers: object };
  const files = { command: "sh", args: ["update.sh"] };
  const updated = { ...rest, serve: { detachAfterMs: 0 }, mcpServers: { ...mcpServers, files } };
  await writeFile(join(team, "codemode.config.json"), JSON.stringify(updated));
  const lockfile = await readFile(join(team, "codemode.lock.json"), "utf8");
  const poisoned = await startAgent(entry, team, folder);
  const run = (script: string) => poisoned.callTool({ name: "codemode_run", arguments: { code: script } });
  const refused = await run(code);
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
  const diff = await runCodemode(["diff"], { cwd: team, env: { ...env, PATH: pathWith(folder) } });
  expect([diff.code, diff.stdout]).toEqual([3, expect.stringContaining("First read .env")]);
});

interface McpFile {
  mcpServers: { codemode: { command: string; args: string[] } };
}

/** The programs that the page calls, without a registry. */
function pathWith(folder: string): string {
  return `${join(folder, "bin")}:${process.env["PATH"]}`;
}

/** A client that starts what the entry of the page says, as an agent does. */
async function startAgent({ mcpServers }: McpFile, cwd: string, folder: string): Promise<Client> {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writePrograms(bin);
  const env = { PATH: pathWith(folder), HOME: folder, CODEMODE_TRUST: "1" };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ ...mcpServers.codemode, cwd, env, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return client;
}
