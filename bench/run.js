// Measures codemode beside what else there is: `npm run bench -- --help`. It needs a build, and installs those in bench/peers.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ECHO_SERVER, makeProject } from "./suite/make-project.js";
import { load } from "./suite/measure.js";

const HELP = `npm run bench [-- OPTIONS]

Measures codemode beside other programs. Without options it measures everything, which takes some 25 minutes, and writes bench/RESULTS.md;
with --quick, --only or --before it prints. Run it on a machine that does nothing else.

  --quick              fewer samples
  --only NAME          one part: NAMES
  --before FOLDER      a built checkout of another version takes part
  --recordings FOLDER  recorded tool lists, for the part "generation"
  --help               prints this
`;

const { values } = parseArgs({
  options: {
    ...{ quick: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
    ...{ only: { type: "string" }, before: { type: "string" }, recordings: { type: "string" } },
  },
});
const { quick: isQuick, only, before, recordings } = values;
if (before !== undefined) process.env["BENCH_BEFORE"] = resolve(before);
const amounts = isQuick ? { rounds: 5, warmUps: 2, seconds: 3 } : { rounds: 20, warmUps: 5, seconds: 10 };
// Loaded now, because the contenders read what `--before` says.
const { CASES } = await import("./cases.js");
const chosen = CASES.filter(({ name }) => only === undefined || name === only);
const names = CASES.map(({ name }) => name).join(", ");
if (values.help) {
  process.stdout.write(HELP.replace("NAMES", names));
  process.exit(0);
}
if (chosen.length === 0) throw new Error(`Name one of ${names}.`);

installPeers();
const project = await makeProject({ everything: ECHO_SERVER });
// Two versions must not share a project: each would generate the packages of the other one again.
const earlier = before && (await (await importFrom(before)).makeProject({ everything: ECHO_SERVER }));
const sections = [];
try {
  for (const { name, title, measure } of chosen) {
    process.stderr.write(`${name} …\n`);
    const parts = await measure({
      ...amounts,
      isQuick,
      project: project.folder,
      earlierProject: earlier?.folder,
      recordings,
    });
    sections.push(`## ${title}`, ...parts);
  }
} finally {
  await Promise.all([project.remove(), earlier?.remove()]);
}
const text = `${[...printHead(), ...sections].join("\n\n")}\n`;
if (isQuick || only !== undefined || before !== undefined) process.stdout.write(text);
else await writeFile(new URL("RESULTS.md", import.meta.url), text);

function importFrom(checkout) {
  return import(pathToFileURL(resolve(checkout, "bench/suite/make-project.js")).href);
}

/** They are no dependencies of codemode; some build native code, and where that fails their rows say so. */
function installPeers() {
  const folder = fileURLToPath(new URL("peers", import.meta.url));
  if (existsSync(`${folder}/node_modules`)) return;
  const { status } = spawnSync("npm", ["install", "--no-save"], { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0)
    spawnSync("npm", ["install", "--no-save", "--ignore-scripts"], { cwd: folder, stdio: ["ignore", 2, 2] });
}

function printHead() {
  const processors = cpus();
  return [
    "# Benchmarks",
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.version}, ${processors.length} cores (${processors[0]?.model.trim()}), load ${load()} at the end.`,
    "The contenders of a table take turns, so that other load of the machine affects them equally. Each runs in a process of its own and times itself there. Ratios are to the first line. Load is that of the last minute: above 1.5 the machine was busy with something else as well.",
    "`codemode serve` is measured from an MCP client at the other end of its stdio; `codemode library` (what a program imports) and the peers in the process that asks. All of them call the same server over stdio.",
  ];
}
