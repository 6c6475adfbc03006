import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeGeneratedProject, makeProject, STAND_INS, writeFiles } from "./run-codemode.ts";

const PROGRAM = pathToFileURL(resolve("dist/program/run-cli.js")).href;

/** Adds the name of each chunk of the linked program, which ends with its hash, and of each CommonJS file of a compiler, that a process reads to a file. */
const WATCH = `
  const fs = require("node:fs");
  const read = fs.readFileSync;
  fs.readFileSync = (file, ...rest) => {
    const [chunk] = /[^/\\\\]+-[\\w-]{8}\\.cjs$|(?:ts-morph|typescript)[^/\\\\]*\\.js$/.exec(String(file)) ?? [];
    if (chunk !== undefined) fs.appendFileSync(process.env.READ_CHUNKS, chunk + "\\n");
    return read(file, ...rest);
  };
  require("node:module").syncBuiltinESMExports();`;

/** The chunks of the linked program that a command loads, from its start to its end, and files of compilers. */
async function chunksOf(cwd: string, args: readonly string[], input = ""): Promise<string[]> {
  const tools = await makeProject({ "watch.cjs": WATCH });
  const file = join(tools, "chunks");
  const command = `process.exitCode = await (await import(${JSON.stringify(PROGRAM)})).runCli(${JSON.stringify(args)})`;
  const words = ["--require", join(tools, "watch.cjs"), "--input-type=module", "--eval", command];
  const running = promisify(execFile)(process.execPath, words, { cwd, env: { ...process.env, READ_CHUNKS: file } });
  running.child.stdin?.end(input);
  await running;
  const names = (await readFile(file, "utf8")).trim().split("\n");
  return [...new Set(names)].filter((name) => name !== "watch.cjs");
}

test("the help loads few chunks of the program", async () => {
  const chunks = await chunksOf(await makeProject({}), ["--help"]);
  expect(chunks.filter((name) => name.startsWith("run-cli"))).not.toEqual([]);
  expect(chunks.length).toBeLessThanOrEqual(10);
});

test("a run of a script loads at most 40 chunks of the program", async () => {
  const cwd = await makeGeneratedProject({
    "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } },
  });
  await writeFiles(cwd, {
    "script.ts":
      'import { echo } from "@codemode/servers/everything";\nexport default await echo({ message: "hello" });\n',
  });
  const first = await chunksOf(cwd, ["run", "script.ts"]);
  expect(first.length).toBeGreaterThan(10);
  // The first run of a script needs the bundler too, which is another process with chunks of its own.
  const second = await chunksOf(cwd, ["run", "script.ts"]);
  expect(second.length).toBeLessThanOrEqual(40);
});

test("a server that runs scripts loads no compiler: its processes do", async () => {
  const cwd = await makeGeneratedProject({
    "codemode.config.json": { mcpServers: { everything: STAND_INS.everything } },
  });
  const clientInfo = { name: "test", version: "1" };
  const messages = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    { id: 3, method: "tools/call", params: { name: "codemode.run", arguments: { code: "export default 6 * 7;" } } },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const loaded = await chunksOf(cwd, ["serve"], input);
  expect(loaded.length).toBeGreaterThan(10);
  expect(loaded.filter((name) => /typescript|ts-morph/.test(name))).toEqual([]);
});
