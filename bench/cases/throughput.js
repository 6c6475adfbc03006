import { CONTENDER_NAMES, openContenders } from "../contenders/open-contender.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { load } from "../suite/measure.js";
import { readProcessorTime } from "../suite/processor-time.js";
import { printTable } from "../suite/print-table.js";

/** Runs that are under way at a time. */
const AT_ONCE = 4;

/**
 * Scripts with and without a call, as many as go: each in a sandbox of its own, where the contender has one. Processor time is that of
 * the contender, its sandboxes and its server.
 */
export async function measureThroughput({ project, earlierProject, seconds }) {
  const others = CONTENDER_NAMES.filter((name) => name !== "SDK client, no sandbox");
  const names = ["codemode library, realm", "codemode library, compartment", ...others];
  const { opened, missing, close } = await openContenders(names, {
    project,
    earlierProject,
    server: ECHO_SERVER,
    poolSize: 2,
  });
  const rows = [];
  try {
    for (const contender of opened.values()) {
      const { name } = contender;
      try {
        rows.push([name, ...(await measureFlood(contender, { calls: 0 }, { atOnce: AT_ONCE, seconds }))]);
        const work = { calls: 1, parallel: name.startsWith("codemode") };
        rows.push([`${name}: one call`, ...(await measureFlood(contender, work, { atOnce: AT_ONCE, seconds }))]);
        rows.push([`${name}: 100 at once, one call`, ...(await measureFlood(contender, work, BURST))]);
      } catch (error) {
        rows.push([name, "left out", String(error.message).split("\n")[0].slice(0, 120), ""]);
      }
    }
  } finally {
    await close();
  }
  rows.push(...[...missing].map(([name, { error }]) => [name, "left out", error, ""]));
  return [
    `### Runs a second, ${AT_ONCE} at a time (load ${load()})`,
    printTable(["", "a second", "CPU ms a run", "runs"], rows),
  ];
}

const BURST = { atOnce: 100, runs: 100 };

async function measureFlood({ pid, flood }, work, amount) {
  const before = readProcessorTime(pid);
  const { runs, took } = await flood(work, amount);
  const used = readProcessorTime(pid) - before;
  return [(runs / took).toFixed(1), (used / runs).toFixed(1), String(runs)];
}
