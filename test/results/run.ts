// npm run results [-- --folder FOLDER]
// Learns what real servers return from scripts that run here, and writes the table of docs/results.md. Exits with 1 where a right script is
// refused, or a misspelt one is not. Nothing but npm uses the network.
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import { parseRecording } from "../../schemas/run/parse-recording.ts";
import { installPackages } from "../clients/install-packages.ts";
import { renewPage } from "../docs/regions.ts";
import { findProblems, isRefused } from "./check-scripts.ts";
import { countTypes } from "./measure-server.ts";
import { misspellFields } from "./misspell.ts";
import { prepareProject } from "./prepare-project.ts";
import { printTable, type Row } from "./print-table.ts";
import { runCodemode } from "./run-codemode.ts";
import { REAL_SERVERS, type RealServer, versionOf } from "./servers.ts";

const PAGE = "docs/results.md";
/** Written without types, as agents cope with results of which nothing is known. */
const CAUTIOUS = "cautious";

const { values } = parseArgs({ options: { folder: { type: "string", default: "../codemode-results" } } });
const installed = resolve(values.folder, "installed");
const project = resolve(values.folder, "project");
const problems: string[] = [];

const installable = REAL_SERVERS.filter(({ version }) => version !== undefined);
await installPackages(
  Object.fromEntries(installable.map((server) => [server.package, server.version ?? ""])),
  installed,
);
await prepareProject(project, installed);
await mustRun("lock");
const names = [...REAL_SERVERS.map(({ id }) => id), CAUTIOUS];
for (const name of names) {
  await mustRun("run", scriptOf(name), "--input-file", "input.json", "--record", recordingOf(name));
}
await mustRun("learn", ...names.flatMap((name) => ["--from", recordingOf(name)]));

const lockfile = parseLockfile(await read("codemode.lock.json"), "codemode.lock.json");
const recordings = await Promise.all(names.map(async (name) => parseRecording(await read(recordingOf(name)), name)));
const rows: Row[] = [];
for (const server of REAL_SERVERS) rows.push(await measure(server));
for (const { severity, message, path } of await findProblems(await read(scriptOf(CAUTIOUS)), lockfile)) {
  if (severity === "error") problems.push(`${CAUTIOUS} is refused: ${path} ${message}`);
}
const table = printTable(rows);
process.stdout.write(`${table}\n${problems.map((problem) => `problem: ${problem}\n`).join("")}`);
if (problems.length > 0) process.exitCode = 1;
else
  await writeFile(
    PAGE,
    await renewPage(await readFile(PAGE, "utf8"), (name) => (name === "real-servers" ? table : undefined)),
  );

/** The script passes as it is, without a cast, and is refused with any field of a result misspelt. */
async function measure(server: RealServer): Promise<Row> {
  const { id } = server;
  const code = await read(scriptOf(id));
  for (const { message, path } of await findProblems(code, lockfile))
    problems.push(`${id} does not pass: ${path} ${message}`);
  const checked = await runCodemode(project, ["check", scriptOf(id)]);
  if (checked.code !== 0) problems.push(`codemode check ${scriptOf(id)} exits with ${checked.code}`);
  const locked = [...lockfile.servers.values()].filter((one) => code.includes(`"@codemode/servers/${one.id}"`));
  const misspelt = misspellFields(code, locked);
  let refused = 0;
  for (const one of misspelt) {
    if (await isRefused(one, lockfile)) refused += 1;
    else problems.push(`${id} passes with ${one.wrong} for ${one.name} at ${one.offset}`);
  }
  const own = lockfile.servers.get(id);
  if (own === undefined) throw new Error(`${id} is not locked`);
  const types = countTypes(own, recordings);
  return { ...types, package: server.package, version: await versionOf(server), fields: misspelt.length, refused };
}

async function mustRun(...args: string[]): Promise<void> {
  const { code, output } = await runCodemode(project, args);
  process.stderr.write(`codemode ${args.slice(0, 2).join(" ")}\n`);
  if (code !== 0) throw new Error(`codemode ${args.join(" ")} exits with ${code}:\n${output}`);
}

function read(file: string): Promise<string> {
  return readFile(join(project, file), "utf8");
}

function scriptOf(name: string): string {
  return `scripts/${name}.ts`;
}

function recordingOf(name: string): string {
  return `${name}.recording.json`;
}
