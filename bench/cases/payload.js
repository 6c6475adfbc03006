import { openContenders } from "../contenders/open-contender.js";
import { makeRows } from "../suite/make-rows.js";
import { PAYLOAD_SERVER, makeProject } from "../suite/make-project.js";
import { interleave, load } from "../suite/measure.js";
import { printComparison } from "../suite/print-table.js";

const SIZES = [
  ["1 kB", 1e3],
  ["1 MB", 1e6],
  ["20 MB", 20e6],
];
const LIMITS = { maxMemoryBytes: 1024 ** 3, maxResultBytes: 64 * 1024 ** 2 };

/** Large results: into the script, and through it into the answer. What the server itself takes is in all of them but the first line. */
export async function measurePayload({ rounds }) {
  const project = await makeProject({ payload: PAYLOAD_SERVER }, { limits: LIMITS });
  const names = ["codemode library", "SDK client, no sandbox", "the server alone"];
  const { opened, missing, close } = await openContenders(names, { project: project.folder, server: PAYLOAD_SERVER });
  const parts = [];
  try {
    for (const [label, bytes] of SIZES) {
      const value = { rows: makeRows(bytes) };
      const [host, sdk, alone] = names.map((name) => opened.get(name));
      const contenders = new Map([["JSON.parse(JSON.stringify(…))", () => void JSON.parse(JSON.stringify(value))]]);
      if (alone !== undefined) contenders.set("the server alone, to its last byte", () => alone.run({ bytes }));
      if (sdk !== undefined) contenders.set("SDK client, no sandbox", () => sdk.run({ bytes }));
      if (host !== undefined) {
        contenders.set("codemode, into the script", () => host.run({ bytes }));
        contenders.set("codemode, through it into the answer", () => host.run({ bytes, through: true }));
      }
      const outcomes = await interleave(contenders, { rounds, warmUps: 1 });
      parts.push(`### A result of ${label} (load ${load()})`, printComparison(new Map([...outcomes, ...missing])));
    }
  } finally {
    await close();
    await project.remove();
  }
  return parts;
}
