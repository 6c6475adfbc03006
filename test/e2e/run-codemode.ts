import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { fillFolder } from "./kept-folders.ts";
import { typeBeforeTests } from "./open-commands.ts";
import { type Finished, type RunOptions, whenFinished } from "./finished.ts";
import { whenDone } from "./share-in-file.ts";

export type { Finished, RunOptions };

const CLI = resolve("dist/cli/main.js");

/** Runs the built command as a user does and waits for its end. */
export async function runCodemode(
  args: readonly string[],
  { cwd, env = {}, stdin = "", node = process.execPath }: RunOptions,
): Promise<Finished> {
  const child = spawn(node, [CLI, ...args], { cwd, env: { ...process.env, ...env } });
  child.stdin.end(stdin);
  return whenFinished(child);
}

/** A project whose servers are locked and whose packages are generated. */
export async function makeGeneratedProject(
  files: Record<string, unknown>,
  env?: Record<string, string>,
): Promise<string> {
  const cwd = await makeProject({});
  await prepare("generate", cwd, files, env);
  return cwd;
}

/** Writes the files of a project into a folder, and what the command makes of them. For the same files it runs once. */
export function prepare(
  command: "generate",
  cwd: string,
  files: Record<string, unknown>,
  env: Record<string, string> = {},
): Promise<void> {
  return fillFolder(cwd, [command, files, env], async () => {
    await writeFiles(cwd, files);
    const { code, stderr } = await typeBeforeTests([command], { cwd, env });
    expect(code, stderr).toBe(0);
  });
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
  whenDone(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await writeFiles(folder, files);
  return folder;
}

export async function writeFiles(folder: string, files: Record<string, unknown>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
}
