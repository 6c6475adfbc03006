import { readFileSync } from "node:fs";
import { listDescendants } from "./process-memory.js";

/** Linux counts processor time in ticks of so many milliseconds on all platforms that Node runs on. */
const TICK_MS = 10;

/** The processor time that a process, its descendants, and those of them that have ended have used, in milliseconds. Linux only. */
export function readProcessorTime(pid) {
  return listDescendants(pid).reduce((sum, id) => sum + readOne(id), 0);
}

/** User and system time of a process, and of its children that have ended. */
function readOne(id) {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1).split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0);
  } catch {
    return 0;
  }
}
