import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { isRunning } from "./is-running.ts";

/** Who has written a file, for others to judge whether that process is still there. */
export interface ProcessOwner {
  pid: number;
  host: string;
  /** As `MACHINE`. */
  machine: string;
  /** When the process began, in units of the system: another one may get its id later. */
  started?: string | undefined;
}

/** On Windows it would be a folder of the current drive, which anybody may make. */
const HAS_PROC = process.platform === "linux";

/** Names this machine since it was started, and within it the container: process ids and times of `steadyMs` mean the same for all that have it. */
export const MACHINE: string = createHash("sha256")
  .update([hostname(), readProc("/proc/sys/kernel/random/boot_id"), readPidNamespace()].join("\n"))
  .digest("hex")
  .slice(0, 16);

/** The system reads a file for that clock, and counts in hundredths of a second: in between the clock of this process says how much has passed. */
const STEADY_FOR_MS = 10;
let steady = { readAt: -Infinity, ms: 0 };

/** Milliseconds since this machine was started: a clock that is never set, which goes on while the machine sleeps, and which all of its processes share. */
export function steadyMs(): number {
  const now = performance.now();
  const passedMs = now - steady.readAt;
  if (passedMs < STEADY_FOR_MS) return steady.ms + passedMs;
  // What the process knows is finer than what the system says, which is ahead after the machine has slept.
  const knownMs = steady.ms === 0 ? 0 : steady.ms + passedMs;
  steady = { readAt: now, ms: Math.max(uptime() * 1000, knownMs) };
  return steady.ms;
}

export function ownerHere(): ProcessOwner {
  return { pid: process.pid, host: hostname(), machine: MACHINE, started: startOf(process.pid) };
}

/** False only where this machine can say that the process has ended. */
export function mayRun({ pid, host, machine, started }: Partial<ProcessOwner>): boolean {
  if (host !== hostname() || machine !== MACHINE) return true;
  if (typeof pid !== "number" || !isRunning(pid)) return false;
  const begun = startOf(pid);
  return started === undefined || begun === undefined || begun === started;
}

/** Field 22 of `/proc/PID/stat`, see proc(5): the name before it may hold blanks and brackets. Undefined on other systems. */
function startOf(pid: number): string | undefined {
  const text = readProc(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19];
}

function readPidNamespace(): string | undefined {
  if (!HAS_PROC) return undefined;
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch (error) {
    return unlessAbsent(error as NodeJS.ErrnoException);
  }
}

function readProc(path: string): string | undefined {
  if (!HAS_PROC) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return unlessAbsent(error as NodeJS.ErrnoException);
  }
}

/** Other systems have no such files, some containers show none, and a process may have ended. */
function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (!["ENOENT", "EACCES", "EPERM", "ESRCH", "ENOTDIR", "ERR_ACCESS_DENIED"].includes(error.code ?? "")) throw error;
}
