import { readFileSync } from "node:fs";
import { openContender } from "../contenders/open-contender.js";
import { PAYLOAD_SERVER, makeProject } from "../suite/make-project.js";
import { interleave, summarize } from "../suite/measure.js";
import { readProcessorTime } from "../suite/processor-time.js";
import { makeComparison, makeTable } from "../suite/tables.js";

const CONTENDER = "codemode library, process";
const LIMITS = { maxMemoryBytes: 1024 ** 3, maxResultBytes: 64 * 1024 ** 2 };
const CALLS = { printed: true, calls: 100, bytes: 10_000 };
const LARGE = { printed: true, calls: 1, bytes: 20_000_000 };
const WAYS = [
  ["frozen: no result is looked at", { observe: false, frozen: true }],
  ["without `learn.observe`", { observe: false }],
  ["with `learn.observe`", { observe: true }],
];

/** What it costs to look at the shapes of results: time of runs with many, and the most memory that one large result takes. */
export async function measureObserve({ rounds, warmUps }) {
  const projects = new Map();
  const opened = new Map();
  for (const [name, { observe, frozen = false }] of WAYS) {
    const project = await makeProject({ payload: PAYLOAD_SERVER }, { limits: LIMITS, learn: { observe } });
    projects.set(name, { project, options: { project: project.folder, server: PAYLOAD_SERVER, frozen } });
  }
  try {
    for (const [name, { options }] of projects) opened.set(name, await openContender(CONTENDER, options));
    const contenders = new Map([...opened].map(([name, { run }]) => [name, () => run(CALLS)]));
    const meters = new Map([...opened].map(([name, { pid }]) => [name, () => readProcessorTime(pid)]));
    // Each work is done twice in a round, because differences of a few per cent need many samples.
    const outcomes = await interleave(contenders, { rounds: 2 * rounds, warmUps: 2 * warmUps, meters });
    const peakColumns = [{ key: "peak", head: "peak resident", unit: "MB" }];
    return [
      makeComparison("observe.calls", "100 calls with results of 10 kB", outcomes),
      makeTable(
        "observe.peak",
        "Peak memory of a process for one result of 20 MB, in MB",
        peakColumns,
        await measurePeaks(projects),
      ),
    ];
  } finally {
    await Promise.all([...opened.values()].map((contender) => contender.close()));
    await Promise.all([...projects.values()].map(({ project }) => project.remove()));
  }
}

/** Of a process for each way, the median of three. */
async function measurePeaks(projects) {
  const rows = [];
  for (const [name, { options }] of projects) {
    const peaks = [];
    for (let time = 0; time < 3; time += 1) {
      const { pid, run, close } = await openContender(CONTENDER, options);
      await run(LARGE);
      peaks.push(Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
      await close();
    }
    rows.push({ name, values: { peak: summarize(peaks).value } });
  }
  return rows;
}
