import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { SERVERS } from "../e2e/run-codemode.ts";
import { findNode } from "../node-versions/find-node.ts";
import { makeTestFolder } from "../make-test-folder.ts";
import { parsePage } from "./parse-page.ts";

const run = promisify(execFile);

/** Runs some examples with the project and the engine that the page speaks of; an example is a module of its own. */
const RUN_ALL = `
import { openProject } from "codemode";

globalThis.project = await openProject({ trust: true });
await project.generate();
globalThis.engine = await project.openEngine();
for (const file of process.argv.slice(2)) await import(file);
await engine.close();
`;

const page = parsePage(await readFile("docs/library.md", "utf8"));
const all = page.blocks.filter(({ language }) => language === "ts").map(({ text }) => text);
/** The one that closes the engine comes last. */
const isLast = (text: string): boolean => text.startsWith("await engine.close");
const examples = [...all.filter((text) => !isLast(text)), ...all.filter(isLast)];

/** A project with two servers, and the examples as files. */
async function makeProject(): Promise<string> {
  const cwd = await makeTestFolder();
  await mkdir(join(cwd, "node_modules"));
  await symlink(resolve("."), join(cwd, "node_modules/codemode"));
  await symlink(resolve("node_modules/@modelcontextprotocol"), join(cwd, "node_modules/@modelcontextprotocol"));
  const mcpServers = { files: SERVERS.filesystem, memory: SERVERS.memory };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers }));
  await writeFile(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(cwd, "todo.txt"), "- [ ] first\n");
  await writeFile(join(cwd, "run-all.js"), RUN_ALL);
  for (const [index, text] of examples.entries()) await writeFile(join(cwd, `example-${index}.ts`), text);
  return cwd;
}

const THIRD = Math.ceil(examples.length / 3);

// As written for Node 24, which runs TypeScript. What is printed is of the first example, of `run`, of `connectTo` and of `openEngine`.
test.each([
  { part: "first", from: 0, printed: ["- [ ] first\n []\n"] },
  { part: "second", from: THIRD, printed: ["[ 4, 3 ] []\n"] },
  { part: "last", from: 2 * THIRD, printed: ["1\n", "42\n"] },
])("the $part third of the examples of docs/library.md runs, and the process ends by itself", async (group) => {
  expect(examples.length).toBeGreaterThan(15);
  const cwd = await makeProject();
  const files = examples.map((_, index) => `./example-${index}.ts`).slice(group.from, group.from + THIRD);
  const { stdout, stderr } = await run(findNode("24"), ["run-all.js", ...files], { cwd });
  expect(stderr).toBe("");
  for (const text of group.printed) expect(stdout).toContain(text);
});
