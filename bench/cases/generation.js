import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import printStandalone from "ajv/dist/standalone/index.js";
import { compile } from "json-schema-to-typescript";
import { writeLockfile } from "../../dist/engine/project/lockfile-file.js";
import { toConfig } from "../../dist/schemas/config/to-config.js";
import { lockRecordings } from "../lock-recordings.js";
import { CLI } from "../suite/make-project.js";
import { lockMadeUp } from "../suite/make-tools.js";
import { interleave } from "../suite/measure.js";
import { timeInProcess } from "../suite/processor-time.js";
import { listEarlier, runProgram } from "../suite/run-program.js";
import { makeComparison, makeTable } from "../suite/tables.js";
import { measureProjects } from "./generation-of-projects.js";

const SERVERS = 60;
const TOOLS_EACH = 60;
/** Of all tools, the naive way is measured on every so-many-th, and its time multiplied. */
const NAIVE_SHARE = 40;
const COLUMNS = [
  { key: "seconds", head: "seconds", unit: "s" },
  { key: "cpuSeconds", head: "CPU seconds", unit: "s" },
];

/** `codemode generate` for 3,600 tools (or recorded ones), as whole commands, against the libraries as they come. */
export async function measureGeneration({ isQuick, recordings }) {
  const lockfile = recordings === undefined ? makeLockfile(isQuick ? 6 : SERVERS) : await lockRecordings(recordings);
  const tools = [...lockfile.servers.values()].flatMap((server) => server.tools);
  const versions = [
    { name: "codemode generate", cli: CLI, note: "" },
    ...listEarlier().map((cli) => ({ name: "codemode generate (before)", cli, note: " (before)" })),
  ];
  const projects = await Promise.all(versions.map((version) => makeProject(version, lockfile)));
  try {
    const rows = [];
    for (const { name, generate } of projects) rows.push({ name, values: toSeconds(await generate(lockfile)) });
    rows.push({ name: "json-schema-to-typescript, prettier, ajv", values: toSeconds(await measureNaive(tools)) });
    const again = new Map(
      projects.flatMap(({ note, generate }) => [
        // The lockfile stays as the contender before left it.
        [`nothing changed${note}`, () => generate()],
        [`one tool changed${note}`, (round) => generate(changeOneTool(lockfile, round))],
      ]),
    );
    const outcomes = await interleave(again, { rounds: isQuick ? 3 : 11, warmUps: 1 });
    const size = `${lockfile.servers.size} servers, ${tools.length} tools`;
    return [
      makeTable("generation.cold", `${size}, nothing generated before, as a whole command`, COLUMNS, rows, {
        note: `The last line gives types and validators of input schemas alone, without names, docs or bindings, measured on one tool in ${NAIVE_SHARE}.`,
      }),
      makeComparison("generation.again", "Again, as whole commands (the naive way does everything again)", outcomes),
      await measureProjects(isQuick),
    ];
  } finally {
    await Promise.all(projects.map(({ folder }) => rm(folder, { recursive: true })));
  }
}

/** A project of a version of the command, with nothing generated. `generate` runs it, with another lockfile where one is given. */
async function makeProject({ name, cli, note }, lockfile) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-bench-"));
  const settings = { mcpServers: Object.fromEntries([...lockfile.servers.keys()].map(toEntry)) };
  const file = join(folder, "codemode.config.json");
  const config = toConfig(settings, file, folder);
  await writeFile(file, JSON.stringify(settings));
  const generate = async (locked) => {
    if (locked !== undefined) await writeLockfile(config, locked);
    return runProgram(cli, ["generate"], { cwd: folder });
  };
  return { name, note, folder, generate };
}

function makeLockfile(servers) {
  const ids = Array.from({ length: servers }, (_, index) => `server-${index}`);
  return { servers: new Map(ids.map((id) => [id, lockMadeUp(id, TOOLS_EACH)])) };
}

/** What the configuration says of a server that is locked and never started here. */
function toEntry(id) {
  return [id, { command: "server" }];
}

/** With recordings, which are of real servers, a made-up server takes the place of the first. */
function changeOneTool({ servers }, round) {
  const [first] = servers.keys();
  return { servers: new Map([...servers, [first, lockMadeUp(first, TOOLS_EACH, ` (changed ${round})`)]]) };
}

/** Types printed by prettier and a standalone validator, one tool after the other; the time for all of them. */
async function measureNaive(tools) {
  const sample = tools.filter((_, index) => index % NAIVE_SHARE === 0);
  const { ms, cpuMs } = await timeInProcess(async () => {
    for (const { name, inputSchema } of sample) {
      const schema = JSON.parse(JSON.stringify(inputSchema));
      const options = { $refOptions: { resolve: { file: false, http: false } } };
      await compile(schema, `${name}Input`, options).catch(() => undefined);
      const ajv = new Ajv2020.default({ code: { source: true, esm: true }, logger: false, strict: false });
      printStandalone.default(ajv, ajv.compile(inputSchema));
    }
  });
  const scale = tools.length / sample.length;
  return { ms: ms * scale, cpuMs: cpuMs * scale };
}

function toSeconds({ ms, cpuMs }) {
  return { seconds: ms / 1000, cpuSeconds: cpuMs / 1000 };
}
