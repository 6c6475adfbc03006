import { spawn } from "node:child_process";

/**
 * Runs a Node program to its end.
 * @returns milliseconds to the first byte of stdout and to the exit, and what it printed; throws where it fails
 */
export function runProgram(program, args, { cwd, nodeFlags = [] } = {}) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...nodeFlags, program, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const texts = { stdout: "", stderr: "" };
    let firstByteMs;
    child.stdout.on("data", (chunk) => {
      firstByteMs ??= performance.now() - startedAt;
      texts.stdout += chunk;
    });
    child.stderr.on("data", (chunk) => (texts.stderr += chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      const exitMs = performance.now() - startedAt;
      if (code === 0) resolve({ firstByteMs, exitMs, ...texts });
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}: ${texts.stderr.slice(0, 300)}`));
    });
  });
}
