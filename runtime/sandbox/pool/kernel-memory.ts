import { readFileSync, writeFileSync } from "node:fs";

/** How much sooner than this process the kernel ends a sandbox when memory is short. */
const SOONER = 500;
const MAX_ADJUSTMENT = 1000;

/** Where the kernel counts the processes that it has ended for lack of memory: on the machine, and in control groups of version 2 and 1. */
const COUNTERS: readonly [file: string, line: RegExp][] = [
  ["/proc/vmstat", /^oom_kill (\d+)$/m],
  [`/sys/fs/cgroup${ownGroup(/^0::(.*)$/m)}/memory.events`, /^oom_kill (\d+)$/m],
  [`/sys/fs/cgroup/memory${ownGroup(/^\d+:memory:(.*)$/m)}/memory.oom_control`, /^oom_kill (\d+)$/m],
  // Within a container its own group is the root of what it sees.
  ["/sys/fs/cgroup/memory.events", /^oom_kill (\d+)$/m],
  ["/sys/fs/cgroup/memory/memory.oom_control", /^oom_kill (\d+)$/m],
];

/** Those that this machine has, which its first start finds. */
let found: typeof COUNTERS | undefined;

/** The processes that the kernel has ended for lack of memory, as far as it can be read; undefined where no counter can. */
export function countMemoryKills(): number | undefined {
  found ??= COUNTERS.filter(([file, line]) => readCount(file, line) !== undefined);
  const counts = found.flatMap(([file, line]) => readCount(file, line) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

/** Makes the kernel end this process before its parent when memory is short. Raising the value needs no right. */
export function offerFirst(pid: number): void {
  try {
    const own = Number(readFileSync("/proc/self/oom_score_adj", "utf8"));
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(Math.min(own + SOONER, MAX_ADJUSTMENT)));
  } catch {
    // No Linux, or gone already.
  }
}

function readCount(file: string, line: RegExp): number | undefined {
  const count = readText(file).match(line)?.[1];
  return count === undefined ? undefined : Number(count);
}

function ownGroup(line: RegExp): string {
  const path = readText("/proc/self/cgroup").match(line)?.[1] ?? "";
  return path === "/" ? "" : path;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
