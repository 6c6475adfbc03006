import { readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** The processor time of this process and of those of its descendants that have ended, in seconds. */
export function readProcessorSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  // utime, stime, cutime, cstime (proc_pid_stat(5), 14 to 17).
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_SECOND;
}
