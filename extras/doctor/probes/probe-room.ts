import { readFileSync } from "node:fs";

/** How many processes and threads may be together, by what limits them. Empty where nothing does, or it cannot be read. */
export type RoomFacts = readonly { by: string; threads: number }[];

/** Reads the limits in force; Linux only. */
export function probeRoom(): RoomFacts {
  const group = /^0::(.*)$/m.exec(readText("/proc/self/cgroup"))?.[1] ?? "";
  const oldGroup = /^\d+:pids:(.*)$/m.exec(readText("/proc/self/cgroup"))?.[1] ?? "";
  const files = [
    `/sys/fs/cgroup${group}/pids.max`,
    `/sys/fs/cgroup/pids${oldGroup}/pids.max`,
    // Within a container its own group is the root of what it sees.
    "/sys/fs/cgroup/pids.max",
    "/sys/fs/cgroup/pids/pids.max",
  ];
  const ofGroup = files.map((file) => Number.parseInt(readText(file), 10)).filter(Number.isSafeInteger);
  const ofUser = Number(/^Max processes\s+(\d+)/m.exec(readText("/proc/self/limits"))?.[1]);
  return [
    ...(ofGroup.length > 0 ? [{ by: "pids.max of the control group", threads: Math.min(...ofGroup) }] : []),
    ...(Number.isSafeInteger(ofUser) ? [{ by: "ulimit -u", threads: ofUser }] : []),
  ];
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
