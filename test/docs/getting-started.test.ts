import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { writePrograms } from "./offline-programs.ts";
import { runPage } from "./run-page.ts";

test("who follows the page sees what it shows, and has an agent that can do the same", async () => {
  const folder = await mkdtemp(join(tmpdir(), "codemode-started-"));
  onTestFinished(() => rm(folder, { recursive: true }));
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
});

interface McpFile {
  mcpServers: { codemode: { command: string; args: string[] } };
}

/** A client that starts what the entry of the page says, as an agent does. */
async function startAgent({ mcpServers }: McpFile, cwd: string, folder: string): Promise<Client> {
  const bin = join(folder, "bin");
  await mkdir(bin);
  await writePrograms(bin);
  const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: folder, CODEMODE_TRUST: "1" };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ ...mcpServers.codemode, cwd, env, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return client;
}
