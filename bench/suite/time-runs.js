import { readProcessorTime } from "./processor-time.js";

/** @returns the mean time and processor time of runs of a contender, one after the other without a pause, in milliseconds */
export async function timeRuns({ pid, flood }, work, { runs, isNew }) {
  const before = readProcessorTime(pid);
  const { took } = await flood(work, { atOnce: 1, runs, isNew });
  return { ms: (took * 1000) / runs, cpuMs: (readProcessorTime(pid) - before) / runs };
}
