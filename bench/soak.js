// Runs thousands of scripts, good and bad, several at a time, and says what is left behind: `node bench/soak.js [RUNS|TIME] [AT-A-TIME]`,
// where TIME is 90s or 10m. It needs a build, and collects garbage before it looks at memory. Exit code 1 means that a process or a descriptor was left, that memory grew, or that an answer was wrong.
import { readdirSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { makeSandboxPool } from "../dist/runtime/sandbox/pool/pool.js";
import { runBundle } from "../dist/runtime/sandbox/pool/run-bundle.js";
import { DEFAULTS } from "../dist/schemas/config/config-file.js";

const [amount = "2000", atATime = "8"] = process.argv.slice(2);
const [, length, unit] = /^(\d+)(s|m)$/.exec(amount) ?? [];
/** A quarter of the work: either so many runs, or so many milliseconds. */
const quarterOfAll =
  unit === undefined ? { runs: Math.ceil(Number(amount) / 4) } : { ms: Number(length) * (unit === "m" ? 15_000 : 250) };
/** Growth of this process's memory from the middle to the end that is more than the noise of its allocator. */
const MAX_GROWTH = 16 * 1024 * 1024;

/** What a script does, the code of the first diagnostic that must come of it, and its time limit where it has no other end. */
const SCRIPTS = [
  ["globalThis.__codemode_result__ = 1 + 1;", undefined],
  ['globalThis.__codemode_result__ = JSON.parse(await __codemode_call__("server", "echo", "{}"));', undefined],
  ['for (let i = 0; i < 20; i += 1) await __codemode_call__("server", "echo", JSON.stringify({ i }));', undefined],
  ['for (let i = 0; i < 100; i += 1) console.log("line", i, { i });', undefined],
  ['throw new Error("broken");', "UNCAUGHT_EXCEPTION"],
  ["await new Promise(() => {});", "SANDBOX_LIMIT"],
  ["for (;;);", "SANDBOX_LIMIT", 500],
  ["const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));", "SANDBOX_LIMIT"],
  ["const all = []; for (;;) all.push({ a: [1, 2, 3] });", "SANDBOX_LIMIT"],
  ['for (;;) __codemode_call__("server", "echo", "{}");', "SANDBOX_LIMIT"],
  ['__codemode_call__("server", "never", "{}"); for (;;);', "SANDBOX_LIMIT", 500],
  ["globalThis.__codemode_result__ = Array.from({ length: 1e5 }, (_, i) => i);", "RESULT_TRUNCATED"],
];

const limits = {
  ...DEFAULTS.limits,
  timeoutMs: 10_000,
  maxToolCalls: 50,
  maxResultBytes: 100_000,
  maxMemoryBytes: 96 * 1024 * 1024,
};
const handleCall = ({ toolName, input }) =>
  toolName === "never" ? new Promise(() => {}) : Promise.resolve({ ok: true, value: input });
const pool = makeSandboxPool({ size: 2 });

const wrong = [];
async function runOne(index) {
  const [script, expected, timeoutMs = limits.timeoutMs] = SCRIPTS[index % SCRIPTS.length];
  const code = `(async function () {"use strict";\n${script}\n}).call(undefined)\n//# sourceURL=codemode:///bundle.js`;
  const bundle = { code, map: { version: 3, names: [], sources: [], mappings: "" }, manifest: { tools: [] } };
  const answer = await runBundle(bundle, { pool, limits: { ...limits, timeoutMs }, handleCall });
  if (answer.diagnostics[0]?.code !== expected) wrong.push([script, answer.diagnostics]);
}

/** Gives the number of runs. */
async function runMany({ runs = Infinity, ms = Infinity }) {
  const end = performance.now() + ms;
  let next = 0;
  const work = async () => {
    while (next < runs && performance.now() < end) await runOne(next++);
  };
  await Promise.all(Array.from({ length: Number(atATime) }, work));
  return next;
}

// As with --expose-gc: what is garbage says nothing of what is kept.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

function measure() {
  collectGarbage();
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean).length;
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed, descriptors: readdirSync("/proc/self/fd").length, children };
}

const megabytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
const show = (label, { rss, heapUsed, descriptors, children }) =>
  console.log(
    `${label}: memory ${megabytes(rss)}, heap ${megabytes(heapUsed)}, ${descriptors} descriptors, ${children} children`,
  );

const first = makeSandboxPool({ size: 1 });
await first.warm(); // Node opens some descriptors with its first child and keeps them.
await first.close();
const before = measure();
show("before", before);
await runMany({ runs: 200 }); // Code is compiled and buffers grow to their size.
show("after 200", measure());
const startedAt = performance.now();
const quarters = [];
let runs = 0;
for (let quarter = 1; quarter <= 4; quarter += 1) {
  runs += await runMany(quarterOfAll);
  quarters.push({ ...measure(), minutes: (performance.now() - startedAt) / 60_000 });
  show(`after ${200 + runs}`, quarters.at(-1));
}
const seconds = (performance.now() - startedAt) / 1000;
await pool.close();
const after = measure();
show("closed", after);
console.log(
  `${runs} runs, ${atATime} at a time, in ${seconds.toFixed(1)} s: ${(runs / seconds).toFixed(1)} a second; ${wrong.length} wrong answers`,
);
const growth = (quarters[3].rss - quarters[1].rss) / (quarters[3].minutes - quarters[1].minutes);
console.log(`growth in the second half: ${megabytes(growth)} a minute`);
for (const [script, diagnostics] of wrong.slice(0, 5)) console.log(script, JSON.stringify(diagnostics));

const isClean =
  after.children === 0 && after.descriptors <= before.descriptors && quarters[3].rss - quarters[1].rss < MAX_GROWTH;
process.exitCode = isClean && wrong.length === 0 ? 0 : 1;
