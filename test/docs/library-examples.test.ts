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

/** Runs each example with the project and the engine that the page speaks of; an example is a module of its own. */
const RUN_ALL = `
import { openProject } from "codemode";

globalThis.project = await openProject({ trust: true });
await project.generate();
globalThis.engine = await project.openEngine();
for (const file of process.argv.slice(2)) await import(file);
await engine.close();
`;

// As written for Node 24, which runs TypeScript.
test("the examples of docs/library.md run one after the other, and the process ends by itself", async () => {
  const cwd = await makeTestFolder();
  await mkdir(join(cwd, "node_modules"));
  await symlink(resolve("."), join(cwd, "node_modules/codemode"));
  await symlink(resolve("node_modules/@modelcontextprotocol"), join(cwd, "node_modules/@modelcontextprotocol"));
  const mcpServers = { files: SERVERS.filesystem, memory: SERVERS.memory };
  await writeFile(join(cwd, "codemode.config.json"), JSON.stringify({ mcpServers }));
  await writeFile(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await writeFile(join(cwd, "todo.txt"), "- [ ] first\n");
  await writeFile(join(cwd, "run-all.js"), RUN_ALL);
  const { blocks } = parsePage(await readFile("docs/library.md", "utf8"));
  const all = blocks.filter(({ language }) => language === "ts").map(({ text }) => text);
  // The one that closes the engine comes last.
  const isLast = (text: string): boolean => text.startsWith("await engine.close");
  const examples = [...all.filter((text) => !isLast(text)), ...all.filter(isLast)];
  expect(examples.length).toBeGreaterThan(15);
  const files = examples.map((_, index) => `./example-${index}.ts`);
  for (const [index, file] of files.entries()) await writeFile(join(cwd, file), examples[index] ?? "");
  const { stdout, stderr } = await run(findNode("24"), ["run-all.js", ...files], { cwd });
  expect(stderr).toBe("");
  // Of the first example, of `run`, and of `openEngine`.
  expect(stdout).toContain("- [ ] first\n []\n");
  expect(stdout).toContain("[ 4, 3 ] []\n");
  expect(stdout).toContain("\n42\n");
});
