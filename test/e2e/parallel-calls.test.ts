import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished, test } from "vitest";
import { runNode } from "../guest/plain-node.ts";
import { startTurncoatHttp } from "../servers/turncoat-server.mjs";
import { makeProject, runCodemode } from "./run-codemode.ts";

// Node 20 warns on stderr of more than ten listeners on one signal.

const SERVERS = ["jobs", "remote"];
const SCRIPT = `
  import { work } from "@codemode/servers/jobs";
  import { work as workThere } from "@codemode/servers/remote";
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  const answers = await Promise.all(numbers.flatMap((n) => [work({ n }), workThere({ n })]));`;

async function lockedProject(): Promise<string> {
  const remote = await startTurncoatHttp();
  onTestFinished(remote.close);
  const jobs = { command: process.execPath, args: [resolve("test/servers/turncoat-server.mjs"), "state"] };
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { jobs, remote: { url: remote.url } } },
    "job.mjs": `${SCRIPT} export default answers.length;`,
    "inputs.jsonl": Array.from({ length: 24 }, (_, n) => `${n}\n`).join(""),
  });
  expect(await runCodemode(["generate"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
}

test(`fifty calls at once of each of ${SERVERS.length} servers leave no warning of Node on stderr, in \`run\` and in plain Node`, async () => {
  const cwd = await lockedProject();
  expect(await runCodemode(["run", "job.mjs"], { cwd })).toEqual({ code: 0, stdout: "100\n", stderr: "" });
  const batch = await runCodemode(["run", "job.mjs", "--inputs", "inputs.jsonl", "--concurrency", "16"], { cwd });
  expect(batch.stderr).not.toContain("Warning");
  expect(await runNode(cwd, `${SCRIPT} console.log(answers.length);`)).toEqual({
    code: 0,
    stdout: "100\n",
    stderr: "",
  });
});

test("nor in `serve`", async () => {
  const cwd = await lockedProject();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve("dist/cli/main.js"), "serve"],
    cwd,
    stderr: "pipe",
  });
  const stderr = text(transport.stderr as unknown as NodeJS.ReadableStream);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const run = () =>
    client.callTool({ name: "codemode.run", arguments: { code: `${SCRIPT} export default answers.length;` } });
  const answers = await Promise.all(Array.from({ length: 12 }, run));
  expect(answers.map(({ structuredContent }) => (structuredContent as { result: unknown }).result)).toEqual(
    Array.from({ length: 12 }, () => 100),
  );
  await client.close();
  expect(await stderr).toBe("");
});
