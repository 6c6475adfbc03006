import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findNode } from "../node-versions/find-node.ts";
import { runProgram } from "../publishing/programs.ts";

const run = promisify(execFile);
const EXAMPLES = ["langchain.ts", "mastra.ts", "mcp-client.ts", "openai-agents.ts", "vercel-ai-sdk.ts"];

let root = "";
/** A project with a server, the examples and what they import. */
let project = "";

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "codemode-frameworks-"));
  project = join(root, "with-frameworks/project");
  await cp("examples/frameworks", project, { recursive: true });
  // In the folders above, where Node and the compiler look next: the project links its generated package into its own.
  await symlink(resolve("test/frameworks/node_modules"), join(root, "with-frameworks/node_modules"));
  await mkdir(join(root, "node_modules/@types"), { recursive: true });
  await symlink(resolve("."), join(root, "node_modules/codemode"));
  await symlink(resolve("node_modules/@types/node"), join(root, "node_modules/@types/node"));
  const everything = { command: process.execPath, args: [resolve("test/servers/stand-in.mjs"), "everything"] };
  await writeFile(join(project, "codemode.config.json"), JSON.stringify({ mcpServers: { everything } }));
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
});
afterAll(() => rm(root, { recursive: true }));

test("there is an example for each framework, and none is longer than 30 lines", async () => {
  const files = await readdir("examples/frameworks");
  expect(files.filter((file) => file.endsWith(".ts")).toSorted()).toEqual(EXAMPLES);
  for (const file of EXAMPLES) {
    const lines = (await readFile(join("examples/frameworks", file), "utf8")).trimEnd().split("\n");
    expect(lines.length, file).toBeLessThanOrEqual(30);
  }
});

const NO_NETWORK = pathToFileURL(resolve("test/frameworks/refuse-network.mjs")).href;

// The frameworks need Node 22.
test.each(EXAMPLES)("the model of %s runs a script, and gets its result", async (file) => {
  const { stdout, stderr } = await run(findNode("24"), ["--import", NO_NETWORK, file], { cwd: project });
  expect(stdout).toContain("The sum of 40 and 2 is 42.");
  expect(stdout).toMatch(/toolName\W+get-sum/);
  expect(stderr).toBe("");
});

test("the examples are free of type errors", async () => {
  const compiler = resolve("node_modules/typescript/bin/tsc");
  expect(await runProgram(compiler, ["-p", project, "--pretty", "false"])).toEqual({ ok: true, output: "" });
});
