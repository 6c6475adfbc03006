import { openContenders } from "../contenders/open-contender.js";
import { makeRows } from "../suite/make-rows.js";
import { PAYLOAD_SERVER, makeProject } from "../suite/make-project.js";
import { interleave, pause } from "../suite/measure.js";
import { readProcessorTime, timeInProcess } from "../suite/processor-time.js";
import { makeComparison } from "../suite/tables.js";

const SIZES = [
  ["1 kB", 1e3],
  ["1 MB", 1e6],
  ["20 MB", 20e6],
];
const LIMITS = { maxMemoryBytes: 1024 ** 3, maxResultBytes: 64 * 1024 ** 2 };
const LEVELS = ["process", "realm", "compartment"];
/** Those whose scripts ask for the result. */
const HOSTS = [...LEVELS.map((level) => `floor, ${level}`), ...LEVELS.map((level) => `codemode library, ${level}`)];
const NAMES = ["SDK client, no sandbox", "the server alone", ...HOSTS];

/** Large results: into the script, and through it into the answer. What the server itself takes is in all of them but the first line. */
export async function measurePayload({ rounds }) {
  const project = await makeProject({ payload: PAYLOAD_SERVER }, { limits: LIMITS });
  const { opened, missing, close } = await openContenders(NAMES, { project: project.folder, server: PAYLOAD_SERVER });
  const [sdk, alone] = NAMES.map((name) => opened.get(name));
  const tables = [];
  try {
    for (const [label, bytes] of SIZES) {
      const value = { rows: makeRows(bytes) };
      const contenders = new Map([
        ["JSON.parse(JSON.stringify(…))", () => timeInProcess(() => void JSON.parse(JSON.stringify(value)))],
        ...ask(alone, "the server alone, to its last byte", { bytes }),
        ...ask(sdk, "SDK client, no sandbox", { bytes }),
        ...HOSTS.flatMap((name) => [
          ...ask(opened.get(name), `${name}: into the script`, { bytes }),
          ...ask(opened.get(name), `${name}: through it into the answer`, { bytes, through: true }),
        ]),
      ]);
      const outcomes = await interleave(contenders, {
        rounds: bytes > 1e7 ? Math.ceil(rounds / 2) : rounds,
        warmUps: 1,
      });
      const id = `payload.${label.toLowerCase().replace(" ", "")}`;
      tables.push(makeComparison(id, `A result of ${label}`, new Map([...outcomes, ...missing])));
    }
  } finally {
    await close();
    await project.remove();
  }
  return tables;
}

/** What a contender prepares for its next run falls into this pause, and into its processor time. */
const PAUSE_MS = 150;

/** One process does two kinds of work here, so its processor time is read around each. */
function ask(contender, label, work) {
  if (contender === undefined) return [];
  const measure = async () => {
    const before = readProcessorTime(contender.pid);
    const { ms } = await contender.run(work);
    await pause(PAUSE_MS);
    return { ms, cpuMs: readProcessorTime(contender.pid) - before };
  };
  return [[label, measure]];
}
