import { CONTENDER_NAMES, openContender } from "../contenders/open-contender.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { pause, shorten } from "../suite/measure.js";
import { readProcessorTime } from "../suite/processor-time.js";
import { makeTable } from "../suite/tables.js";

/** Runs that are under way at a time. */
const AT_ONCE = 4;
const BURST = { atOnce: 100, runs: 100 };
/** Levels that keep their processes are slower in their first seconds; the process of each run is not. */
const WARM_UP_SECONDS = 1;

const COLUMNS = [
  { key: "perSecond", head: "a second", unit: "/s" },
  { key: "cpuMs", head: "CPU ms a run", unit: "ms" },
  { key: "runs", head: "runs", unit: "" },
];

const FLOODS = [
  { id: "throughput.empty", title: `Runs a second without a call, ${AT_ONCE} at a time`, calls: 0 },
  { id: "throughput.call", title: `Runs a second with one call, ${AT_ONCE} at a time`, calls: 1 },
  { id: "throughput.burst", title: "A burst: 100 runs with one call at once", calls: 1, amount: BURST },
];

/**
 * Scripts with and without a call, as many as go: each in a sandbox of its own, where the contender has one. Only one contender is open at a
 * time, because what waits takes memory, and some of it time.
 */
export async function measureThroughput({ project, earlierProject, seconds }) {
  const names = CONTENDER_NAMES.filter((name) => name !== "SDK client, no sandbox");
  const rows = new Map(FLOODS.map(({ id }) => [id, []]));
  for (const name of names) {
    let contender;
    try {
      contender = await openContender(name, { project, earlierProject, server: ECHO_SERVER, poolSize: 2 });
      await contender.flood({ calls: 1 }, { atOnce: AT_ONCE, seconds: WARM_UP_SECONDS });
      for (const { id, calls, amount = { atOnce: AT_ONCE, seconds } } of FLOODS) {
        // A burst comes to a host that is at rest.
        await pause(300);
        const values = await measureFlood(contender, { calls, parallel: name.startsWith("codemode") }, amount);
        rows.get(id).push({ name, values });
      }
    } catch (error) {
      for (const list of rows.values()) {
        if (list.every((row) => row.name !== name)) list.push({ name, error: shorten(error) });
      }
    } finally {
      await contender?.close();
    }
  }
  return FLOODS.map(({ id, title }) => makeTable(id, title, COLUMNS, rows.get(id)));
}

async function measureFlood({ pid, flood }, work, amount) {
  const before = readProcessorTime(pid);
  const { runs, took } = await flood(work, amount);
  return { perSecond: runs / took, cpuMs: (readProcessorTime(pid) - before) / runs, runs };
}
