import { openContender } from "../contenders/open-contender.js";
import { ECHO_SERVER } from "../suite/make-project.js";
import { shorten, summarize } from "../suite/measure.js";
import { makeComparison } from "../suite/tables.js";
import { timeRuns } from "../suite/time-runs.js";

const CONTENDERS = { "own functions": "codemode, compartment", "a server over stdio": "codemode library, compartment" };

/** `first` runs are measured, then as many again when so many `others` have compiled the code. */
const WORKS = [
  { id: "cold.runs", title: "The first 100 runs of a process, one call each", calls: 1, first: 100, others: 800 },
  { id: "cold.calls", title: "The first 1,000 calls of a process, 100 in a run", calls: 100, first: 10, others: 80 },
];
const NOTE =
  "Every sample is a new process, after one run without a call: what a start costs is in other tables. The rows “later” are the same work in the same process, after ten times as much of it.";

/** What the first work of a process costs: most users have no other. V8 compiles code that has run some thousand times. */
export async function measureCold({ project, rounds }) {
  const tables = [];
  for (const { id, title, ...work } of WORKS) {
    const outcomes = await measureProcesses(work, { project, rounds: Math.ceil(rounds / 8) });
    tables.push(makeComparison(id, title, outcomes, { note: NOTE }));
  }
  return tables;
}

/** @returns for each contender its first runs and later ones, median and mean of some processes, which take turns */
async function measureProcesses(work, { project, rounds }) {
  const samples = new Map(Object.keys(CONTENDERS).map((title) => [title, []]));
  const failed = new Map();
  for (let round = 0; round < rounds; round += 1) {
    for (const [title, name] of Object.entries(CONTENDERS)) {
      if (failed.has(title)) continue;
      try {
        samples.get(title).push(await measureProcess(name, work, project));
      } catch (error) {
        failed.set(title, { error: shorten(error) });
      }
    }
  }
  const toRow = (title, phase) => [
    `${title}, ${phase}`,
    failed.get(title) ?? toOutcome(samples.get(title).map((sample) => sample[phase])),
  ];
  return new Map([...samples.keys()].flatMap((title) => [toRow(title, "first"), toRow(title, "later")]));
}

async function measureProcess(name, { calls, first: runs, others }, project) {
  const contender = await openContender(name, { project, server: ECHO_SERVER });
  try {
    await contender.flood({ calls: 0 }, { atOnce: 1, runs: 1 });
    const first = await timeRuns(contender, { calls }, { runs });
    await contender.flood({ calls }, { atOnce: 1, runs: others });
    return { first, later: await timeRuns(contender, { calls }, { runs }) };
  } finally {
    await contender.close();
  }
}

function toOutcome(samples) {
  const sum = samples.reduce((total, { cpuMs }) => total + cpuMs, 0);
  return { ms: summarize(samples.map(({ ms }) => ms)), cpuMs: { value: sum / samples.length } };
}
