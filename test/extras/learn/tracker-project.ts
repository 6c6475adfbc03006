import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { typeCommand } from "../../e2e/open-commands.ts";
import { type Finished, STAND_INS } from "../../e2e/run-codemode.ts";
import { shareProject } from "../../e2e/share-project.ts";
import { makeTestFolder } from "../../make-test-folder.ts";

const TRACKER = { command: process.execPath, args: [resolve("test/servers/file-server.mjs"), "tools.json"] };

export const anyObject = { type: "object" };
export const text = (value: unknown) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});
const issue = (more: object) => ({
  number: 481_516,
  title: "canary-title",
  author: { login: "canary-login" },
  ...more,
});

/** What its tools return holds canaries in values, and in keys that are data. */
export const TOOLS = [
  {
    name: "get_issue",
    inputSchema: anyObject,
    annotations: { readOnlyHint: true },
    "x-answer": text(issue({ closedBy: null })),
  },
  { name: "get_labelled", inputSchema: anyObject, "x-answer": text([issue({ labels: ["canary-label"] })]) },
  {
    name: "by_id",
    inputSchema: anyObject,
    "x-answer": text({ "9f86d081-canary": issue({}), "canary@example.org": issue({}) }),
  },
  { name: "hello", inputSchema: anyObject, annotations: { readOnlyHint: true }, "x-answer": text("canary-hello") },
];

export const CONFIG = { mcpServers: { tracker: TRACKER, everything: STAND_INS.everything } };
const FIRST = `import { get_issue, hello } from "@codemode/servers/tracker";
export default [await get_issue(), await hello()].length;`;
const SECOND = `import { by_id, get_labelled } from "@codemode/servers/tracker";
import { get_tiny_image } from "@codemode/servers/everything";
export default [await by_id(), await get_labelled(), await get_tiny_image()].length;`;

/** A project with a state folder of its own. */
export interface Project {
  cwd: string;
  state: string;
  run(...args: string[]): Promise<Finished>;
  lockfile(): Promise<string>;
}

/** Shares one project between the tests of a file, which calls this once: each test makes a copy, with these files changed. */
export function shareTracker(): (changed?: Record<string, unknown>) => Promise<Project> {
  const copy = shareProject({
    "codemode.config.json": CONFIG,
    "tools.json": TOOLS,
    "first.ts": FIRST,
    "second.ts": SECOND,
  });
  return async (changed = {}) => {
    const cwd = await copy(changed);
    const state = await makeTestFolder();
    const run = (...args: string[]) => typeCommand(args, { cwd, env: { XDG_STATE_HOME: state, CODEMODE_TRUST: "1" } });
    return { cwd, state, run, lockfile: () => readFile(join(cwd, "codemode.lock.json"), "utf8") };
  };
}

export async function record({ run }: Project, ...names: string[]): Promise<void> {
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- one run after the other
    const { code, stderr } = await run("run", `${name}.ts`, "--record", `${name}.rec.json`);
    expect(code, stderr).toBe(0);
  }
}

export async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith(".rec.json"));
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "utf8")))).join("\n");
}
