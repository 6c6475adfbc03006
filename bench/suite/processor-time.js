import { readdirSync, readFileSync } from "node:fs";
import { listDescendants } from "./process-memory.js";

/** Linux counts processor time in ticks of so many milliseconds on all platforms that Node runs on. */
const TICK_MS = 10;

/** The processor time that a process, its descendants, and those of them that have ended have used, in milliseconds. Linux only. */
export function readProcessorTime(pid) {
  return listDescendants(pid).reduce((sum, id) => sum + readOne(id), 0);
}

/** The processor time of those children of this process, and of their children, that have ended, in milliseconds. */
export function readEndedChildren() {
  return readTimes("self").ended;
}

/** Does work in this process, and gives its time and its processor time in milliseconds. */
export async function timeInProcess(work) {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
}

function readOne(id) {
  try {
    const { own, ended } = readTimes(id);
    // The scheduler counts the threads in nanoseconds, but forgets ended ones.
    return Math.max(own, readThreads(id)) + ended;
  } catch {
    return 0;
  }
}

/** User and system time of a process, and of its children that have ended. */
function readTimes(id) {
  const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1).split(" ");
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) * TICK_MS);
  return { own: user + system, ended: endedUser + endedSystem };
}

/** The first field is the time on a processor; see the kernel's `sched-stats`. */
function readThreads(id) {
  return readdirSync(`/proc/${id}/task`).reduce((sum, thread) => {
    return sum + Number(readFileSync(`/proc/${id}/task/${thread}/schedstat`, "utf8").split(" ")[0]) / 1e6;
  }, 0);
}
