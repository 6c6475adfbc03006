import { availableParallelism } from "node:os";
import { openContender } from "../contenders/open-contender.js";
import { pause } from "../suite/measure.js";
import { readProcessorTime } from "../suite/processor-time.js";
import { makeTable } from "../suite/tables.js";

/** So many processes wait at most when runs begin: see docs/sandbox.md. */
const WAITING = 2 * availableParallelism();
/** Until the pool has grown to its size, and again after each flood. */
const FLOODS_BEFORE = 6;
const PAUSE_MS = 1500;

const COLUMNS = [
  { key: "ms", head: "ms to the last answer", unit: "ms" },
  { key: "starts", head: "starts waited for", unit: "" },
  { key: "msPerStart", head: "ms for each start", unit: "ms" },
  { key: "cpuMs", head: "CPU ms", unit: "ms" },
  { key: "busy", head: "processors busy", unit: "" },
];

/**
 * Runs that begin at once where each has a process of its own. Up to the size of the pool they find one that waits; of the others each waits
 * for a start, and starts are work of the processors: beyond the pool the time is in proportion to their number.
 */
export async function measureParallelStarts(project, sizes) {
  const host = await openContender("codemode library, process", { project, poolSize: 2 });
  const rows = [];
  try {
    for (const runs of sizes) {
      for (let flood = 0; flood < FLOODS_BEFORE; flood += 1) await host.flood({ calls: 1 }, all(WAITING));
      await pause(PAUSE_MS);
      const before = readProcessorTime(host.pid);
      const { took } = await host.flood({ calls: 1 }, all(runs));
      const cpuMs = readProcessorTime(host.pid) - before;
      rows.push({ name: `${runs} at once`, values: toValues(runs, took * 1000, cpuMs) });
    }
  } finally {
    await host.close();
  }
  const note = `At most ${WAITING} processes wait, two for each processor. More runs wait for a start each, as many at a time as there are processors, so the processors set their time: no setting makes it shorter but another level of isolation.`;
  return makeTable("growth.starts", "Parallel runs at the level process", COLUMNS, rows, { note });
}

function all(runs) {
  return { atOnce: runs, runs };
}

function toValues(runs, ms, cpuMs) {
  const starts = Math.max(runs - WAITING, 0);
  return { ms, starts, ...(starts > 0 && { msPerStart: ms / starts }), cpuMs, busy: cpuMs / ms };
}
