import { CONTENDER_NAMES, openContender } from "../contenders/open-contender.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { pause, shorten } from "../suite/measure.js";
import { measureProcesses } from "../suite/process-memory.js";
import { makeTable } from "../suite/tables.js";

const RUNS = 30;

/** Names of the processes, by what their command line holds; servers are the same for all of them and left out. */
const KINDS = [
  ["server-everything", undefined],
  ["boot.cjs", "a waiting sandbox"],
  ["floor-sandbox.cjs", "a waiting sandbox"],
  ["program/bundler", "bundler"],
  ["program/checker", "type checker"],
  ["/bin/sh", "watcher of process groups"],
  ["codemode.cjs serve", "serve"],
  ["contender-process", "process that asks"],
  ["", "another process"],
];

const COLUMNS = [
  { key: "count", head: "processes", unit: "" },
  { key: "rss", head: "resident each", unit: "MB" },
  { key: "pss", head: "proportional", unit: "MB" },
  { key: "unshared", head: "unshared", unit: "MB" },
];

/** What is held after some runs, while nothing runs. Processes of one contender share memory, so each is measured alone. */
export async function measureMemory({ project }) {
  const rows = [];
  for (const name of CONTENDER_NAMES.filter((name) => !name.endsWith(" (before)"))) {
    let contender;
    try {
      contender = await openContender(name, { project, server: ECHO_SERVER });
      for (let count = 0; count < RUNS; count += 1) await contender.run({ calls: 1 });
      await pause(500);
      rows.push(...toRows(name, measureProcesses(contender.pid)));
    } catch (error) {
      rows.push({ name, error: shorten(error) });
    } finally {
      await contender?.close();
    }
  }
  return [makeTable("memory.rest", `After ${RUNS} runs, at rest, in MB`, COLUMNS, rows)];
}

function toRows(name, processes) {
  const counted = new Map();
  for (const { command, ...megabytes } of processes) {
    const [, kind] = KINDS.find(([part]) => command.includes(part));
    // The process that only passes the questions of the bench on to `serve` is no part of it.
    if (kind === undefined || (name.startsWith("codemode serve") && kind === "process that asks")) continue;
    counted.set(kind, [...(counted.get(kind) ?? []), megabytes]);
  }
  return [...counted].map(([kind, all]) => {
    const mean = (key) => all.reduce((sum, one) => sum + one[key], 0) / all.length;
    const values = { count: all.length, rss: mean("rss"), pss: mean("pss"), unshared: mean("unshared") };
    return { name: `${name}: ${kind}`, values };
  });
}
