import { spawn } from "node:child_process";
import { resolve } from "node:path";

const PROGRAM = resolve("dist/cli/main.js");

/** How the command ended, and what it printed on both streams. */
export interface CommandEnd {
  code: number | null;
  output: string;
}

/** Runs the built command in a project that is trusted. */
export function runCodemode(cwd: string, args: readonly string[]): Promise<CommandEnd> {
  const env = { ...process.env, CODEMODE_TRUST: "1" };
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  return new Promise((settle) => child.once("close", (code) => settle({ code, output })));
}
