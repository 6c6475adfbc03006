import { readdirSync, readFileSync } from "node:fs";

/** One tick of the clock of `/proc`: `getconf CLK_TCK` is 100 on every Linux that Node runs on. */
const TICK_MS = 10;

interface ProcessTimes {
  pid: number;
  parent: number;
  /** Ticks of the process, and of its children that have ended. */
  own: number;
  ended: number;
}

/** Milliseconds of processor time that this process has used, and on Linux the processes below it. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (process.platform === "linux" ? TICK_MS * ticksBelow(process.pid) : 0);
}

function ticksBelow(root: number): number {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readTimes);
  const below = (parent: number): number =>
    processes.reduce((sum, one) => (one.parent === parent ? sum + one.own + one.ended + below(one.pid) : sum), 0);
  return (processes.find(({ pid }) => pid === root)?.ended ?? 0) + below(root);
}

/** The times of a process, from `proc(5)`: none of one that has ended meanwhile. */
function readTimes(pid: string): ProcessTimes[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = (place: number): number => Number(fields[place]);
    return [{ pid: Number(pid), parent: ticks(1), own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14) }];
  } catch {
    return [];
  }
}
