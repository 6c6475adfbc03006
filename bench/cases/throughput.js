import { CONTENDER_NAMES, openContenders } from "../contenders/open-contender.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { load } from "../suite/measure.js";
import { printTable } from "../suite/print-table.js";

/** Runs that are under way at a time. */
const AT_ONCE = 4;

/** Scripts without a call, as many as go: each in a sandbox of its own, where the contender has one. */
export async function measureThroughput({ project, earlierProject, seconds }) {
  const others = CONTENDER_NAMES.filter((name) => name !== "SDK client, no sandbox");
  const names = ["codemode library, sandbox.reuse", ...others];
  const { opened, missing, close } = await openContenders(names, {
    project,
    earlierProject,
    server: ECHO_SERVER,
    poolSize: 2,
  });
  const rows = [];
  try {
    for (const { name, flood } of opened.values()) {
      try {
        const { runs, took } = await flood({ calls: 0 }, { atOnce: AT_ONCE, seconds });
        rows.push([name, (runs / took).toFixed(1), String(runs)]);
        const burst = await flood({ calls: 1, parallel: name.startsWith("codemode") }, { atOnce: 100, runs: 100 });
        rows.push([`${name}: 100 runs with a call at once`, (burst.runs / burst.took).toFixed(1), String(burst.runs)]);
      } catch (error) {
        rows.push([name, "left out", String(error.message).split("\n")[0].slice(0, 120)]);
      }
    }
  } finally {
    await close();
  }
  rows.push(...[...missing].map(([name, { error }]) => [name, "left out", error]));
  return [`### Runs a second, ${AT_ONCE} at a time (load ${load()})`, printTable(["", "a second", "runs"], rows)];
}
