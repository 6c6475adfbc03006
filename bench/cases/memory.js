import { CONTENDER_NAMES, openContenders } from "../contenders/open-contender.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { load, pause } from "../suite/measure.js";
import { measureProcesses } from "../suite/process-memory.js";
import { printTable } from "../suite/print-table.js";

const RUNS = 30;

/** Names of the processes, by what their command line holds; servers are the same for everybody and left out. */
const KINDS = [
  ["server-everything", undefined],
  ["boot.cjs", "a waiting sandbox"],
  ["bundle-process", "bundler"],
  ["check-process", "type checker"],
  ["cli/main.js serve", "serve"],
  ["contender-process", "process that asks"],
];

/** What is held after some runs, while nothing runs. */
export async function measureMemory({ project }) {
  const { opened, missing, close } = await openContenders(CONTENDER_NAMES, { project, server: ECHO_SERVER });
  const rows = [];
  try {
    for (const { name, pid, run } of opened.values()) {
      for (let count = 0; count < RUNS; count += 1) await run({ calls: 1 });
      await pause(500);
      const counted = new Map();
      for (const { command, ...megabytes } of measureProcesses(pid)) {
        const kind = KINDS.find(([part]) => command.includes(part))?.[1];
        // The process that only passes the questions of the bench on to `serve` is no part of it.
        if (kind === undefined || (name === "codemode serve" && kind === "process that asks")) continue;
        counted.set(kind, [...(counted.get(kind) ?? []), megabytes]);
      }
      for (const [kind, all] of counted) {
        const mean = (key) => (all.reduce((sum, one) => sum + one[key], 0) / all.length).toFixed(0);
        rows.push([`${name}: ${kind}`, String(all.length), mean("rss"), mean("pss"), mean("unshared")]);
      }
    }
  } finally {
    await close();
  }
  rows.push(...[...missing].map(([name, { error }]) => [name, "left out", error, "", ""]));
  return [
    `### After ${RUNS} runs, at rest, in MB (load ${load()})`,
    printTable(["", "processes", "resident each", "proportional", "unshared"], rows),
  ];
}
