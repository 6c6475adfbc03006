// Measures what an input of a batch costs at each level of isolation, and a run over HTTP with scripts that were seen and new ones; with
// STORE_URL also runs with a key: `node bench/capacity.js`, after a build, in about two minutes. It writes
// bench/capacity.json, of which docs/performance.md is made together with bench/results.json: `npm run docs` prints it. Linux only.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CLI, ECHO_SERVER, makeProject } from "./suite/make-project.js";
import { measureProcesses } from "./suite/process-memory.js";
import { readEndedChildren } from "./suite/processor-time.js";
import { measureOverHttp } from "./suite/serve-over-http.js";
import { runProgram } from "./suite/run-program.js";

/** So many inputs, so that each level takes some ten seconds; the start of the command is measured with few of them, and taken off. */
const INPUTS = { process: 120, realm: 400, compartment: 2000 };
const FEW = 20;
const CONCURRENCY = 4;
const LOOK_MS = 500;

const SCRIPT = `import { echo } from "@codemode/servers/everything";
export default await echo({ message: String(globalThis.__codemode_input__) });
`;

const rows = [];
for (const [isolation, inputs] of Object.entries(INPUTS)) {
  const few = await runBatch(isolation, FEW);
  const many = await runBatch(isolation, inputs);
  rows.push({ isolation, inputs, cpuMs: (many.cpuMs - few.cpuMs) / (inputs - FEW), peakMb: many.peakMb });
  process.stdout.write(
    `${isolation}: ${rows.at(-1).cpuMs.toFixed(2)} ms of processor time, ${many.peakMb.toFixed(0)} MB\n`,
  );
}
const over = { isolation: "compartment", runs: 1000, concurrency: CONCURRENCY };
const store = process.env["STORE_URL"];
const ways = [
  { way: "HTTP" },
  { way: "HTTP, new scripts", isNew: true },
  ...(store === undefined ? [] : [{ way: "HTTP, with a key", store }]),
];
const http = [];
for (const { way, ...more } of ways) {
  http.push({ way, isolation: over.isolation, runs: over.runs, ...(await measureOverHttp({ ...over, ...more })) });
  process.stdout.write(
    `${way}: ${http.at(-1).cpuMs.toFixed(2)} ms of processor time, ${http.at(-1).peakMb.toFixed(0)} MB\n`,
  );
}
const measured = { date: new Date().toISOString().slice(0, 10), concurrency: CONCURRENCY, rows, http };
await writeFile(new URL("capacity.json", import.meta.url), `${JSON.stringify(measured, undefined, 2)}\n`);

/** Processor time of a whole batch in milliseconds, and the greatest proportional memory of its processes in megabytes, with its server. */
async function runBatch(isolation, inputs) {
  const { folder, remove } = await makeProject({ everything: ECHO_SERVER }, { sandbox: { isolation } });
  try {
    await writeFile(join(folder, "job.js"), SCRIPT);
    await writeFile(join(folder, "inputs.jsonl"), Array.from({ length: inputs }, (_, index) => `${index}\n`).join(""));
    await runProgram(CLI, ["bundle", "job.js", "-o", "job.json"], { cwd: folder });
    const before = readEndedChildren();
    const words = [CLI, "run", "job.json", "--inputs", "inputs.jsonl", "--concurrency", String(CONCURRENCY)];
    const child = spawn(process.execPath, words, { cwd: folder, stdio: "ignore" });
    let peakMb = 0;
    const looking = setInterval(() => {
      const together = measureProcesses(child.pid).reduce((sum, { pss }) => sum + pss, 0);
      peakMb = Math.max(peakMb, together);
    }, LOOK_MS);
    const [code] = await once(child, "close");
    clearInterval(looking);
    if (code !== 0) throw new Error(`The batch with ${isolation} ended with ${code}.`);
    return { cpuMs: readEndedChildren() - before, peakMb };
  } finally {
    await remove();
  }
}
