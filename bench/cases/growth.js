import { writeFile } from "node:fs/promises";
import { openContender } from "../contenders/open-contender.js";
import { growthExponent } from "../suite/growth-exponent.js";
import { ECHO_SERVER, makeProject, PAYLOAD_SERVER } from "../suite/make-project.js";
import { pause, summarize } from "../suite/measure.js";
import { printGrowth } from "../suite/print-growth.js";
import { printNumber } from "../suite/print-results.js";
import { makeTable } from "../suite/tables.js";
import { measureParallelStarts } from "./growth-of-runs.js";
import { measureServers, measureTools } from "./growth-of-projects.js";

/** More than this is worse than linear; less is the noise of a busy machine. */
const TOO_STEEP = 1.2;
const LIMITS = { maxMemoryBytes: 1024 ** 3, maxResultBytes: 64 * 1024 ** 2, maxToolCalls: 100_000 };

/** Cost against size, for everything whose size is in other hands. */
export async function measureGrowth({ isQuick }) {
  const samples = isQuick ? 3 : 5;
  const cut = (sizes) => (isQuick ? sizes.slice(0, 3) : sizes);
  const project = await makeProject({ everything: ECHO_SERVER, payload: PAYLOAD_SERVER }, { limits: LIMITS });
  const host = await openContender("codemode library, process", { project: project.folder, poolSize: 2 });
  const shared = await openContender("codemode library, compartment", { project: project.folder, poolSize: 2 });
  const over = async (sizes, measureOne) => {
    const points = [];
    for (const size of cut(sizes)) points.push({ size, ms: await medianOf(samples, () => measureOne(size)) });
    return points;
  };
  const flood = async (runs) => ({ ms: (await shared.flood({ calls: 1 }, { atOnce: runs, runs })).took * 1000 });
  const nonce = () => Math.random();
  try {
    const series = [
      { label: "calls in turn", points: await over([1, 10, 100, 1000], (calls) => host.run({ calls })) },
      {
        label: "calls at once",
        points: await over([1, 10, 100, 1000], (calls) => host.run({ calls, parallel: true })),
      },
      {
        label: "lines of script",
        points: await over([10, 100, 1000, 5000], (lines) => host.run({ calls: 1, lines, nonce: nonce() })),
      },
      {
        label: "bytes of result",
        points: await over([1e4, 1e5, 1e6, 1e7], (bytes) => host.run({ bytes, through: true })),
      },
      { label: "parallel runs (in Compartments)", points: await over([1, 4, 16, 64], flood) },
      ...(await measureServers(cut([1, 10, 100, 1000]), Math.min(samples, 5))),
      ...(await measureTools(cut([1, 10, 100, 1000]), Math.min(samples, 5))),
    ];
    const starts = await measureParallelStarts(project.folder, isQuick ? [4, 16] : [1, 4, 16, 64]);
    if (!isQuick) await writeFile(new URL("../growth.svg", import.meta.url), printGrowth(series));
    return [toTable(series), starts];
  } finally {
    await Promise.all([host.close(), shared.close()]);
    await project.remove();
  }
}

/** The first run of a size is warming up. */
async function medianOf(samples, work) {
  const times = [];
  for (let sample = -1; sample < samples; sample += 1) {
    await pause(100);
    const { ms } = await work();
    if (sample >= 0) times.push(ms);
  }
  return summarize(times).value;
}

function toTable(series) {
  const rows = series.map(({ label, points }) => ({
    name: label,
    remark: points.map(({ size, ms }) => `${size.toLocaleString("en")}: ${printNumber(ms)} ms`).join(", "),
    values: { exponent: growthExponent(points) },
  }));
  const steep = rows.filter(({ values }) => values.exponent > TOO_STEEP).map(({ name }) => name);
  const columns = [{ key: "exponent", head: "exponent at the end", unit: "" }];
  return {
    ...makeTable("growth.exponents", "Median cost against size", columns, rows),
    remarkHead: "size: cost",
    note: `More than ${TOO_STEEP} is worse than linear: ${steep.join(", ") || "none"}.\n\n![The same as a figure](growth.svg)`,
  };
}
