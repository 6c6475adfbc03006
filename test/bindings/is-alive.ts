import { spawnSync } from "node:child_process";

/** A process that has ended and only waits for its exit code to be read is not alive. */
export function isAlive(pid: number): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}
