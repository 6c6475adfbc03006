import { execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { randomUUID } from "node:crypto";
import { expect } from "vitest";

const CLI = resolve("dist/cli/main.js");

export interface TerminalOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Lines that are typed, each after its prompt. */
  typed?: readonly (readonly [prompt: string, line: string])[];
  /** Starts the terminal: `setsid -f` makes it no child of this process, as a person's own is none of the agent's. */
  launcher?: readonly string[];
}

/** Runs the built command in a terminal (`script` of util-linux), and gives its exit code and all that the screen showed. */
export async function runInTerminal(
  args: readonly string[],
  { cwd, env = {}, typed = [], launcher = ["setsid", "-f"] }: TerminalOptions,
): Promise<{ code: number; shown: string }> {
  const log = join(cwd, `terminal-${randomUUID()}.log`);
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(" ");
  const [program, ...rest] = [...launcher, "script", "-qfc", `${command}; echo "EXIT:$?"`, log];
  // Node closes a pipe of its own when the process that it started ends, which `setsid -f` does at once.
  const keyboard = join(cwd, `keyboard-${randomUUID()}`);
  execFileSync("mkfifo", [keyboard]);
  const keys = openSync(keyboard, "r+");
  spawn(program, rest, { cwd, env: { ...process.env, ...env }, stdio: [keys, "ignore", "ignore"] });
  const screen = (): Promise<string> => readFile(log, "utf8").catch(() => "");
  const poll = { timeout: 20_000, interval: 50 };
  for (const [prompt, line] of typed) {
    await expect.poll(screen, poll).toContain(prompt);
    writeSync(keys, `${line}\n`);
  }
  await expect.poll(screen, poll).toMatch(/EXIT:\d+/);
  closeSync(keys);
  const shown = await screen();
  return { code: Number(/EXIT:(\d+)/.exec(shown)?.[1]), shown };
}

export const PASSPHRASE = "correct horse battery";

/** Sets the passphrase for approvals as a person does. */
export async function setUpApprovals(cwd: string, env: Record<string, string>): Promise<void> {
  const typed = [
    ["A new passphrase", PASSPHRASE],
    ["Once more", PASSPHRASE],
  ] as const;
  expect(await runInTerminal(["approvals", "--setup"], { cwd, env, typed })).toMatchObject({ code: 0 });
}

/** Approves a run as a person does. */
export function approveInTerminal(id: string, cwd: string, env: Record<string, string>) {
  return runInTerminal(["approvals", id, "--approve"], { cwd, env, typed: [["Passphrase", PASSPHRASE]] });
}
