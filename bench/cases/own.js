import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { OWN_CONTENDERS, openContender, openContenders } from "../contenders/open-contender.js";
import { interleave, pause, shorten } from "../suite/measure.js";
import { measureProcesses } from "../suite/process-memory.js";
import { runProgram } from "../suite/run-program.js";
import { makeComparison, makeTable } from "../suite/tables.js";
import { timeRuns } from "../suite/time-runs.js";

const PROCESS = fileURLToPath(new URL("../contenders/contender-process.js", import.meta.url));
const NAMES = Object.keys(OWN_CONTENDERS);
const WORKS = [
  { id: "own.one", title: "Functions of the program: a run with one call", work: { calls: 1 }, runs: 20 },
  { id: "own.turn100", title: "Functions of the program: 100 calls, in turn", work: { calls: 100 }, runs: 2 },
];
const COLUMNS = [
  { key: "count", head: "processes beside it", unit: "" },
  { key: "beside", head: "their proportional memory", unit: "MB" },
  { key: "program", head: "of the program", unit: "MB" },
];

/** What it costs to make functions of a program tools, and to call them: no server, no project. */
export async function measureOwn({ project, rounds }) {
  return [await measureCold(project, rounds), ...(await measureRuns(rounds)), await measureRest()];
}

/** From the start of the process to the result of a first script with one call. */
async function measureCold(project, rounds) {
  const empty = join(project, "empty.js");
  await writeFile(empty, "console.log(1);\n");
  const start = async (program, args, options) => {
    const { firstByteMs, firstByteCpuMs } = await runProgram(program, args, { ...options, endsAtFirstByte: true });
    return { ms: firstByteMs, cpuMs: firstByteCpuMs };
  };
  const contenders = Object.entries(OWN_CONTENDERS).map(([name, { module, settings = {}, nodeFlags }]) => {
    const url = new URL(module, new URL("../contenders/open-contender.js", import.meta.url)).href;
    const args = [url, "--once", JSON.stringify({ calls: 1 }), JSON.stringify(settings)];
    return [name, () => start(PROCESS, args, { nodeFlags })];
  });
  const all = new Map([["an empty Node program", () => start(empty, [])], ...contenders]);
  const outcomes = await interleave(all, { rounds: Math.ceil(rounds / 2), warmUps: 2 });
  return makeComparison("own.cold", "Functions of the program: from nothing to the first result", outcomes);
}

async function measureRuns(rounds) {
  const { opened, missing, close } = await openContenders(NAMES, {});
  try {
    const tables = [];
    for (const { id, title, work, runs } of WORKS) {
      const toWork = (contender) => [
        contender.name,
        async () => {
          await contender.flood(work, { atOnce: 1, runs: 2 });
          return timeRuns(contender, work, { runs });
        },
      ];
      const contenders = new Map([...opened.values()].map(toWork));
      const outcomes = await interleave(contenders, { rounds: Math.ceil(rounds / 2), warmUps: 1 });
      tables.push(makeComparison(id, title, new Map([...outcomes, ...missing])));
    }
    return tables;
  } finally {
    await close();
  }
}

/** After thirty runs, while nothing runs. Processes of one contender share memory, so each is measured alone. */
async function measureRest() {
  const rows = [];
  for (const name of NAMES) {
    let contender;
    try {
      contender = await openContender(name, {});
      for (let count = 0; count < 30; count += 1) await contender.run({ calls: 1 });
      await pause(500);
      const [program, ...others] = measureProcesses(contender.pid);
      const beside = others.reduce((sum, { pss }) => sum + pss, 0);
      rows.push({ name, values: { count: others.length, beside, program: program.pss } });
    } catch (error) {
      rows.push({ name, error: shorten(error) });
    } finally {
      await contender?.close();
    }
  }
  return makeTable("own.rest", "Functions of the program: at rest after 30 runs, in MB", COLUMNS, rows);
}
