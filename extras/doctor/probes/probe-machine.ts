import { existsSync, readFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";

/** What codemode runs on. */
export interface MachineFacts {
  platform: string;
  architecture: string;
  /** Processors that this process may use. */
  cores: number;
  memoryBytes: number;
  /** The limit of a control group, where there is one below the memory of the machine. */
  memoryLimitBytes?: number | undefined;
  nodeVersion: string;
  /** Whether this looks like the inside of a container. */
  isContainer: boolean;
}

/** Reads what Node and the system say of this machine. */
export function probeMachine(): MachineFacts {
  const memoryBytes = totalmem();
  const limit = process.constrainedMemory();
  return {
    platform: process.platform,
    architecture: process.arch,
    cores: availableParallelism(),
    memoryBytes,
    nodeVersion: process.version,
    isContainer: looksLikeContainer(),
    memoryLimitBytes: limit > 0 && limit < memoryBytes ? limit : undefined,
  };
}

/** Engines leave a file, and control groups a name. */
function looksLikeContainer(): boolean {
  if (existsSync("/.dockerenv") || existsSync("/run/.containerenv")) return true;
  try {
    return /docker|kubepods|containerd|libpod|lxc/.test(readFileSync("/proc/1/cgroup", "utf8"));
  } catch {
    return false;
  }
}
