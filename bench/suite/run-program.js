import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { watchLargest } from "./process-memory.js";
import { readEndedChildren, readProcessorTime } from "./processor-time.js";

/**
 * Runs a Node program to its end, or to the first byte that it prints: isolated-vm hangs now and then when its process exits.
 * @returns milliseconds to the first byte of stdout and to the exit, the processor time of the program and everything it starts to the same
 * points, and what it printed; with `watchesMemory` also the megabytes of its largest process; throws where it fails
 */
export function runProgram(
  program,
  args,
  { cwd, env, nodeFlags = [], endsAtFirstByte = false, watchesMemory = false } = {},
) {
  return new Promise((resolve, reject) => {
    const endedBefore = readEndedChildren();
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...nodeFlags, program, ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stopWatching = watchesMemory ? watchLargest(child.pid) : () => undefined;
    const texts = { stdout: "", stderr: "" };
    let first;
    child.stdout.on("data", (chunk) => {
      first ??= { firstByteMs: performance.now() - startedAt, firstByteCpuMs: readProcessorTime(child.pid) };
      texts.stdout += chunk;
      if (endsAtFirstByte) child.kill("SIGKILL");
    });
    child.stderr.on("data", (chunk) => (texts.stderr += chunk));
    child.once("error", reject);
    child.once("close", (code) => {
      const ms = performance.now() - startedAt;
      const megabytes = stopWatching();
      if (code === 0 || (endsAtFirstByte && first !== undefined))
        resolve({ ...first, ms, cpuMs: readEndedChildren() - endedBefore, megabytes, ...texts });
      else reject(new Error(`${program} ${args.join(" ")} ended with ${code}: ${texts.stderr.slice(0, 300)}`));
    });
  });
}

/** The command of the version that `--before` names, as a list of one; empty without it. */
export function listEarlier() {
  const before = process.env["BENCH_BEFORE"];
  const files = ["program/codemode.cjs", "cli/main.js"].map((file) => `${before}/dist/${file}`);
  return before === undefined ? [] : [files.find((file) => existsSync(file))];
}
