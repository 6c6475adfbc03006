import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { runNode } from "../bindings/plain-node.ts";
import { startTurncoatHttp } from "../servers/turncoat-server.mjs";
import { typeCommand } from "./open-commands.ts";
import { makeProject, runCodemode } from "./run-codemode.ts";
import { shareInFile, whenDone } from "./share-in-file.ts";

// Node 20 warns on stderr of more than ten listeners on one signal.

const SCRIPT = `
  import { work } from "@codemode/servers/jobs";
  import { work as workThere } from "@codemode/servers/remote";
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  const answers = await Promise.all(numbers.flatMap((n) => [work({ n }), workThere({ n })]));`;

const locked = shareInFile(async () => {
  const remote = await startTurncoatHttp();
  whenDone(remote.close);
  const jobs = { command: process.execPath, args: [resolve("test/servers/turncoat-server.mjs"), "state"] };
  const cwd = await makeProject({
    "codemode.config.json": { mcpServers: { jobs, remote: { url: remote.url } } },
    "job.mjs": `${SCRIPT} export default answers.length;`,
    "input.mjs":
      'import { work } from "@codemode/servers/jobs"; export default await work({ n: globalThis.__codemode_input__ });',
    "inputs.jsonl": Array.from({ length: 12 }, (_, n) => `${n}\n`).join(""),
  });
  expect(await typeCommand(["generate"], { cwd })).toMatchObject({ code: 0 });
  return cwd;
});

test("fifty calls at once of each server leave no warning of Node on stderr, in `run` and in plain Node", async () => {
  const cwd = locked();
  expect(await runCodemode(["run", "job.mjs"], { cwd })).toEqual({ code: 0, stdout: "100\n", stderr: "" });
  const plain = await runNode(cwd, `${SCRIPT} console.log(answers.length);`);
  expect(plain).toEqual({ code: 0, stdout: "100\n", stderr: "" });
});

test("nor do twelve runs of a batch at once", async () => {
  const cwd = locked();
  const args = ["run", "input.mjs", "--inputs", "inputs.jsonl", "--concurrency", "12"];
  const { code, stderr } = await runCodemode(args, { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining("Warning") });
});

test("nor in `serve`", async () => {
  const cwd = locked();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve("dist/cli/main.js"), "serve", "--trust"],
    cwd,
    stderr: "pipe",
  });
  const stderr = text(transport.stderr as unknown as NodeJS.ReadableStream);
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const run = () =>
    client.callTool({ name: "codemode.run", arguments: { code: `${SCRIPT} export default answers.length;` } });
  const answers = await Promise.all([run(), run()]);
  const results = answers.map(({ structuredContent }) => (structuredContent as { result: unknown }).result);
  expect(results).toEqual([100, 100]);
  await client.close();
  expect(await stderr).toBe("");
});
