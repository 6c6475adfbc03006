// Measures codemode beside what else there is: `npm run bench -- --help`. It needs a build, and installs those in bench/peers.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ECHO_SERVER, makeProject } from "./suite/make-project.js";
import { shorten } from "./suite/measure.js";
import { printResults } from "./suite/print-results.js";
import { makeProgress } from "./suite/progress.js";
import { recordResults, writeResults } from "./suite/write-results.js";

const HELP = `npm run bench [-- OPTIONS]

Measures codemode beside other programs. Without options it measures everything in less than 20 minutes, writes bench/RESULTS.md and
bench/results.json, adds a line for each figure to bench/history.jsonl, draws the history, and brings the figures that documents quote up
to date. With --quick, --only or --before it prints. Run it on a machine that does nothing else.

  --quick              fewer samples
  --only NAME,…        one part or several: NAMES
  --before FOLDER      a built checkout of another version takes part
  --recordings FOLDER  recorded tool lists, for the part "generation"
  --write              with --quick: write results and documents as well
  --record             with --quick: add to the history as well
  --help               prints this

A part or a program that fails is named with the reason, and the others go on; the exit code is 1 then.
`;

const flag = { type: "boolean", default: false };
const { values } = parseArgs({
  options: {
    ...{ quick: flag, write: flag, record: flag, help: flag },
    ...{ only: { type: "string" }, before: { type: "string" }, recordings: { type: "string" } },
  },
});
const { quick: isQuick, only, before, recordings } = values;
if (before !== undefined) process.env["BENCH_BEFORE"] = resolve(before);
const amounts = isQuick ? { rounds: 5, warmUps: 2, seconds: 2 } : { rounds: 20, warmUps: 5, seconds: 6 };
// Loaded now, because the contenders read what `--before` says.
const { CASES } = await import("./cases.js");
const chosen = CASES.filter(({ name }) => only === undefined || only.split(",").includes(name));
const names = CASES.map(({ name }) => name).join(", ");
if (values.help) {
  process.stdout.write(HELP.replace("NAMES", names));
  process.exit(0);
}
if (chosen.length === 0) throw new Error(`Name one of ${names}.`);

// In a clone the command runs what the compiler wrote last, which starts in twice the time of what users get.
const { isLinkedCurrent } = await import("../dist/cli/start-command.js");
if (!isLinkedCurrent()) throw new Error("Run npm run build first: the compiled files are newer.");

const isPart = only !== undefined || before !== undefined;
// The tree as it is measured: results are written into it later.
const commit = readCommit();
installPeers();
// Certificates that a machine adds cost every start of Node some 55 ms, which would be half of many rows.
delete process.env["NODE_EXTRA_CA_CERTS"];
const startedAt = performance.now();
const sections = await measureAll();
const results = {
  date: new Date().toISOString().slice(0, 10),
  commit,
  machine: `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}`,
  minutes: Math.round((performance.now() - startedAt) / 60_000),
  isQuick,
  sections,
};
if (isPart || (isQuick && !values.write)) process.stdout.write(printResults(results));
else await writeResults(results);
if (!isPart && (!isQuick || values.record)) await recordResults(results);
if (!isPart && (!isQuick || values.write)) runNode("../scripts/write-readme-tables.js");
if (sections.some(({ error }) => error !== undefined)) process.exitCode = 1;

/** One part after the other. */
async function measureAll() {
  const project = await makeProject({ everything: ECHO_SERVER });
  // Two versions must not share a project: each would generate the packages of the other one again.
  const earlier = before && (await (await importFrom(before)).makeProject({ everything: ECHO_SERVER }));
  const progress = makeProgress(chosen, isQuick ? 0.25 : 1);
  const measured = [];
  try {
    for (const { name, title, measure } of chosen) {
      process.stderr.write(`${progress.describe(name)}\n`);
      const options = { ...amounts, isQuick, project: project.folder, earlierProject: earlier?.folder, recordings };
      try {
        measured.push({ title, tables: await measure(options) });
      } catch (error) {
        process.stderr.write(`${name} failed: ${error?.stack ?? error}\n`);
        measured.push({ title, error: shorten(error), tables: [] });
      }
    }
  } finally {
    await Promise.all([project.remove(), earlier?.remove()]);
  }
  return measured;
}

function importFrom(checkout) {
  return import(pathToFileURL(resolve(checkout, "bench/suite/make-project.js")).href);
}

/** The short name of the commit, with a plus where the tree has changes. */
function readCommit() {
  const git = (...words) =>
    spawnSync("git", words, { cwd: import.meta.dirname, encoding: "utf8" }).stdout?.trim() ?? "";
  return `${git("rev-parse", "--short", "HEAD") || "unknown"}${git("status", "--porcelain") === "" ? "" : "+"}`;
}

/** They are no dependencies of codemode; some build native code, and where that fails their rows say so. */
function installPeers() {
  const folder = fileURLToPath(new URL("peers", import.meta.url));
  if (existsSync(`${folder}/node_modules`)) return;
  const { status } = spawnSync("npm", ["install", "--no-save"], { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0)
    spawnSync("npm", ["install", "--no-save", "--ignore-scripts"], { cwd: folder, stdio: ["ignore", 2, 2] });
}

function runNode(program) {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(program, import.meta.url))], {
    cwd,
    stdio: ["ignore", 2, 2],
  });
  if (status !== 0) process.exitCode = 1;
}
