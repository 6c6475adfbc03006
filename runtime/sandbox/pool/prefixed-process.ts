import type { ChildProcess } from "node:child_process";
import { readlinkSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { basename } from "node:path";
import { readResidentBytes } from "./process-memory.ts";

/*
 * A sandbox under `sandbox.command`. The process that was started is the command's: Node is somewhere below it, or on another machine.
 */

/** About what Node itself holds; the rest of an idle sandbox is the command's own, and no memory of the script. */
const NODE_BYTES = 50 * 1024 * 1024;
const POLL_MS = 20;
/** After each second, what the command has started meanwhile is killed; after the tenth, a command that still clears up is killed too. */
const GRACE_MS = 1_000;
const MOST_GRACES = 10;

/** The memory of a sandbox, as far as processes of this machine hold it. */
export interface TreeMemory {
  residentBytes(): number;
  watchMemory(maxBytes: number, onExceeded: () => void): () => void;
}

/** To be called when the sandbox is idle: what the command holds then is not counted. */
export function measureTree(pid: number): TreeMemory {
  const ownBytes = Math.max(readTreeBytes(pid) - NODE_BYTES, 0);
  const residentBytes = (): number => Math.max(readTreeBytes(pid) - ownBytes, 0);
  return {
    residentBytes,
    watchMemory(maxBytes, onExceeded) {
      const interval = setInterval(() => {
        if (residentBytes() <= maxBytes) return;
        clearInterval(interval);
        onExceeded();
      }, POLL_MS);
      return () => clearInterval(interval);
    },
  };
}

/** Whether processes here hold the memory of a sandbox: the command has become Node, or has started something that stays below it. */
export function showsMemory(pid: number): boolean {
  return listBelow(pid).length > 0 || isNode(pid);
}

function isNode(pid: number): boolean {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`)).startsWith("node");
  } catch {
    return false;
  }
}

/** Kills what the command has started, then the command: one that clears up (`runsc do` removes its folder) gets the time to. */
export function killTree(child: ChildProcess, graces = MOST_GRACES): void {
  const below = child.pid === undefined ? [] : listBelow(child.pid);
  const hasStartedNothing = below.length === 0 && graces === MOST_GRACES;
  if (graces === 0 || hasStartedNothing) return void child.kill("SIGKILL");
  for (const pid of below) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone already.
    }
  }
  const timeout = setTimeout(() => killTree(child, graces - 1), GRACE_MS).unref();
  child.once("exit", () => clearTimeout(timeout));
}

/** A command gives the signal that ended its program as 128 and its number, as shells do. */
export function signalOfExitCode(exitCode: number | null): NodeJS.Signals | null {
  const found = Object.entries(constants.signals).find(([, number]) => number === (exitCode ?? 0) - 128);
  return (found?.[0] ?? null) as NodeJS.Signals | null;
}

/** The processes that a process has started, and theirs. Linux only; empty elsewhere and where it has none. */
export function listBelow(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => readPids(`/proc/${pid}/task/${task}/children`));
  return [...children, ...children.flatMap(listBelow)];
}

/** The memory of a process and all below it, in bytes. */
function readTreeBytes(pid: number): number {
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
