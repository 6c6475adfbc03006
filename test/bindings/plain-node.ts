import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { type Finished, whenFinished } from "../e2e/finished.ts";
import { makeGeneratedProject } from "../e2e/run-codemode.ts";
import { isAlive } from "./is-alive.ts";

/** A project whose server packages are generated, as a user of plain Node has it. */
export function generatedProject(mcpServers: object, files: Record<string, unknown> = {}): Promise<string> {
  return makeGeneratedProject({ "codemode.config.json": { mcpServers }, ...files });
}

/** Runs a module in a Node process of its own and waits until that ends by itself; `codemode` has no part in it. */
export async function runNode(cwd: string, code: string, env: Record<string, string> = {}): Promise<Finished> {
  const script = join(cwd, "program.mjs");
  await writeFile(script, code);
  return whenFinished(spawn(process.execPath, [script], { cwd, env: { ...process.env, ...env }, timeout: 20_000 }));
}

/** The JSON that a module prints; it must end well and say nothing else. */
export async function runForJson(cwd: string, code: string, env?: Record<string, string>): Promise<unknown> {
  const { stdout, stderr, code: exitCode } = await runNode(cwd, code, env);
  expect(stderr).toBe("");
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as unknown;
}

/** An entry for a server of test/servers, which writes the ids of its processes into the project. */
export function testServer(file: string, ...args: string[]): { command: string; args: string[]; env: object } {
  return {
    command: process.execPath,
    args: [resolve("test/servers", file), ...args],
    env: { PID_FILE: "${workspaceFolder}/pids" },
  };
}

/** The ids of the processes that such servers started, in order. */
export function startedPids(cwd: string): number[] {
  return readFileSync(join(cwd, "pids"), "utf8").trim().split("\n").map(Number);
}

export function livingPids(cwd: string): number[] {
  return startedPids(cwd).filter(isAlive);
}
