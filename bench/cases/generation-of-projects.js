import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LARGE } from "../openapi-documents.js";
import { CLI } from "../suite/make-project.js";
import { listEarlier, runProgram } from "../suite/run-program.js";
import { makeTable } from "../suite/tables.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const GITHUB = join(ROOT, LARGE.find(({ name }) => name === "GitHub").path);
const PROJECT_FILES = ["codemode.config.json", "codemode.lock.json"];
const ROUNDS = 7;
const COLUMNS = [
  { key: "seconds", head: "seconds", unit: "s" },
  { key: "cpuSeconds", head: "CPU seconds", unit: "s" },
  { key: "megabytes", head: "largest process", unit: "MB" },
];

/** `codemode generate` of two known projects, with nothing generated before, as whole commands. */
export async function measureProjects(isQuick) {
  const versions = [{ cli: CLI, note: "" }, ...listEarlier().map((cli) => ({ cli, note: " (before)" }))];
  const rows = [];
  const add = (name, values) => rows.push({ name, values });
  const own = versions.map((version) => ({ ...version, runs: [] }));
  for (let round = 0; round < ROUNDS; round += 1) for (const { cli, runs } of own) runs.push(await generateOwn(cli));
  for (const { note, runs } of own) add(`the three servers of this repository${note}`, middle(runs));
  if (!isQuick && existsSync(GITHUB))
    for (const { cli, note } of versions) {
      const { locked, generated } = await emitGitHub(cli);
      add(`lock of GitHub's API${note}`, toValues(locked));
      add(`GitHub's API${note}`, toValues(generated));
    }
  const note = `The first is the median of ${ROUNDS} runs, GitHub's is one. GitHub's needs \`npm ci --prefix test/openapi/documents\`.`;
  return makeTable("generation.projects", "Known projects, nothing generated before", COLUMNS, rows, { note });
}

async function generateOwn(cli) {
  return inFolder(async (folder) => {
    for (const name of PROJECT_FILES) await copyFile(join(ROOT, name), join(folder, name));
    return runProgram(cli, ["generate"], { cwd: folder, watchesMemory: true });
  });
}

async function emitGitHub(cli) {
  const server = { command: process.execPath, args: [join(ROOT, "openapi/dist/main.js"), GITHUB] };
  return inFolder(async (folder) => {
    await writeFile(join(folder, "codemode.config.json"), JSON.stringify({ mcpServers: { github: server } }));
    const locked = await runProgram(cli, ["lock"], { cwd: folder, watchesMemory: true });
    const generated = await runProgram(cli, ["generate"], { cwd: folder, watchesMemory: true });
    return { locked, generated };
  });
}

async function inFolder(work) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The run with the median of the processor time. */
function middle(runs) {
  return toValues(runs.toSorted((one, other) => one.cpuMs - other.cpuMs)[runs.length >> 1]);
}

function toValues({ ms, cpuMs, megabytes }) {
  return { seconds: ms / 1000, cpuSeconds: cpuMs / 1000, megabytes };
}
