import { readdirSync, readFileSync } from "node:fs";
import { readResidentBytes } from "./process-memory.ts";

/** The processes that a process has started, and theirs. Linux only; empty elsewhere and where it has none. */
export function listBelow(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => readPids(`/proc/${pid}/task/${task}/children`));
  return [...children, ...children.flatMap(listBelow)];
}

/** The memory of a process and all below it, in bytes. */
export function readTreeBytes(pid: number): number {
  return [pid, ...listBelow(pid)].reduce((sum, one) => sum + readResidentBytes(one), 0);
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readPids(file: string): number[] {
  try {
    return readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
