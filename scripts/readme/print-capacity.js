// The tables of docs/performance.md, made of what the benchmarks measured.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { listFigures } from "../../bench/suite/tables.js";
import { readResults } from "./read-results.js";

/** What the page assumes of agents, and says. */
const ASSUMED = { agents: 10_000, runsPerHour: 120, used: 0.7, coreHour: 0.04 };

const LEVELS = ["process", "realm", "compartment"];
const NAMES = { library: "library", serve: "`serve`", batch: "batch" };

/**
 * One way to run scripts: processor time of a run with one call in milliseconds, and the memory of all its processes.
 * @typedef {{ mode: string, level: string, cpuMs: number, memoryMb: number }} Way
 */

/** What a run costs. */
export async function printCapacity(root) {
  const ways = await readWays(root);
  return printRows(
    ["mode", "isolation", "CPU of a run", "runs a second and core", "memory"],
    ways.map(({ mode, level, cpuMs, memoryMb }) => {
      return [mode, level, `${cpuMs.toPrecision(3)} ms`, toCount(1000 / cpuMs), `${toCount(memoryMb)} MB`];
    }),
  );
}

/** What so many agents cost. */
export async function printFleet(root) {
  const { agents, runsPerHour, used, coreHour } = ASSUMED;
  const ways = (await readWays(root)).filter(({ mode }) => mode !== NAMES.batch);
  return printRows(
    [
      "mode",
      "isolation",
      "agents a core",
      `cores for ${agents.toLocaleString("en")} agents`,
      "replicas of 2 cores",
      "a month",
    ],
    ways.map(({ mode, level, cpuMs }) => {
      const agentsPerCore = (used * 3_600_000) / (runsPerHour * cpuMs);
      const cores = agents / agentsPerCore;
      const replicas = Math.max(Math.ceil(cores / 2), 2);
      const money = `$${toCount(replicas * 2 * coreHour * 730)}`;
      return [mode, level, toCount(agentsPerCore), cores.toFixed(1), String(replicas), money];
    }),
  );
}

/** @returns {Promise<Way[]>} */
async function readWays(root) {
  const figures = listFigures(await readResults(root));
  const capacity = JSON.parse(await readFile(join(root, "bench/capacity.json"), "utf8"));
  const measured = ["library", "serve"].flatMap((mode) =>
    LEVELS.map((level) => ({
      ...{ mode: NAMES[mode], level, memoryMb: sumMemory(figures, `memory.rest.codemode-${mode}-${level}-`) },
      cpuMs: figures.get(`throughput.call.codemode-${mode}-${level}.cpuMs`).value,
    })),
  );
  const batches = capacity.rows.map(({ isolation, cpuMs, peakMb }) => {
    return { mode: NAMES.batch, level: isolation, cpuMs, memoryMb: peakMb };
  });
  // Until `node bench/capacity.js` has run again there are none.
  const http = (capacity.http ?? []).map(({ way, isolation, cpuMs, peakMb }) => {
    return { mode: `${NAMES.serve}, ${way}`, level: isolation, cpuMs, memoryMb: peakMb };
  });
  return [...measured, ...http, ...batches];
}

/** Proportional memory of the processes of each kind, times their number. */
function sumMemory(figures, start) {
  const ids = [...figures.keys()].filter((id) => id.startsWith(start) && id.endsWith(".pss"));
  return ids.reduce((sum, id) => sum + figures.get(id).value * figures.get(id.replace(/pss$/, "count")).value, 0);
}

const toCount = (value) => Math.round(value).toLocaleString("en");

function printRows(heads, rows) {
  const alignment = heads.map((_, index) => (index < 2 ? "---" : "---:"));
  return [heads, alignment, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
