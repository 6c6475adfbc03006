import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

const CLI = resolve("dist/cli/main.js");

/** What a finished process left. */
export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  stdin?: string;
  /** The binary of another version. */
  node?: string;
}

/** Runs the built command as a user does and waits for its end. */
export async function runCodemode(
  args: readonly string[],
  { cwd, env = {}, stdin = "", node = process.execPath }: RunOptions,
): Promise<Finished> {
  const child = spawn(node, [CLI, ...args], { cwd, env: { ...process.env, ...env } });
  const finished: Finished = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (finished.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (finished.stderr += text));
  child.stdin.end(stdin);
  finished.code = await new Promise((settle) => child.once("close", settle));
  return finished;
}

/** The real servers of this repository, as entries of a configuration. */
export const SERVERS = {
  everything: {
    command: process.execPath,
    args: [resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "stdio"],
  },
  filesystem: {
    command: process.execPath,
    args: [resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"), "."],
  },
  memory: {
    command: process.execPath,
    args: [resolve("node_modules/@modelcontextprotocol/server-memory/dist/index.js")],
    env: { MEMORY_FILE_PATH: "${workspaceFolder}/memory.jsonl" },
  },
};

const standIn = (name: string) => ({
  command: process.execPath,
  args: [resolve("test/servers/stand-in.mjs"), name],
});

/** Light servers with the tools of the real ones, for tests that are not about what a server does. */
export const STAND_INS = { everything: standIn("everything"), memory: standIn("memory") };

/** A project in a folder of its own, removed after the test. Files are given by their path. */
export async function makeProject(files: Record<string, unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "codemode-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const [path, content] of Object.entries(files)) {
    await writeFile(join(folder, path), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}
