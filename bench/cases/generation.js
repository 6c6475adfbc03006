import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import printStandalone from "ajv/dist/standalone/index.js";
import { compile } from "json-schema-to-typescript";
import { generatePackages } from "../../dist/engine/project/emit/generate-packages.js";
import { readLockfile, writeLockfile } from "../../dist/engine/project/lockfile-file.js";
import { toConfig } from "../../dist/schemas/config/to-config.js";
import { lockRecordings } from "../lock-recordings.js";
import { lockMadeUp } from "../suite/make-tools.js";
import { interleave, load } from "../suite/measure.js";
import { printComparison, printTable } from "../suite/print-table.js";

const SERVERS = 60;
const TOOLS_EACH = 60;
/** Of all tools, the naive way is measured on every so-many-th, and its time multiplied. */
const NAIVE_SHARE = 20;

/** `generate` for 3,600 tools (or recorded ones), against the libraries as they come. */
export async function measureGeneration({ isQuick, recordings }) {
  const lockfile = recordings === undefined ? makeLockfile(isQuick ? 6 : SERVERS) : await lockRecordings(recordings);
  const tools = [...lockfile.servers.values()].flatMap((server) => server.tools);
  const folder = await mkdtemp(join(tmpdir(), "codemode-bench-"));
  const config = toConfig({ mcpServers: {} }, join(folder, "codemode.config.json"), folder);
  const generate = async (locked) => {
    await writeLockfile(config, locked);
    const startedAt = performance.now();
    await generatePackages({ config, lockfile: await readLockfile(config) });
    return performance.now() - startedAt;
  };
  try {
    const cold = await generate(lockfile);
    const naive = await measureNaive(tools);
    const warm = await interleave(
      new Map([
        ["nothing changed", () => generate(lockfile)],
        ["one tool changed", (round) => generate(changeOneTool(lockfile, round))],
      ]),
      { rounds: isQuick ? 3 : 11, warmUps: 1 },
    );
    const ratio = (naive / cold).toFixed(2);
    return [
      `### ${lockfile.servers.size} servers, ${tools.length} tools, nothing generated before (load ${load()})`,
      printTable(
        ["", "seconds", "ratio"],
        [
          ["codemode generate", (cold / 1000).toFixed(1), "1"],
          ["json-schema-to-typescript, prettier, ajv", (naive / 1000).toFixed(1), `${ratio} ×`],
        ],
      ),
      `The second line gives types and validators of input schemas alone, without names, docs or bindings, measured on one tool in ${NAIVE_SHARE}.`,
      "### Again (the naive way does everything again)",
      printComparison(warm),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function makeLockfile(servers) {
  const ids = Array.from({ length: servers }, (_, index) => `server-${index}`);
  return { servers: new Map(ids.map((id) => [id, lockMadeUp(id, TOOLS_EACH)])) };
}

/** With recordings, which are of real servers, a made-up server takes the place of the first. */
function changeOneTool({ servers }, round) {
  const [first] = servers.keys();
  return { servers: new Map([...servers, [first, lockMadeUp(first, TOOLS_EACH, ` (changed ${round})`)]]) };
}

/** Types printed by prettier and a standalone validator, one tool after the other; milliseconds for all of them. */
async function measureNaive(tools) {
  const sample = tools.filter((_, index) => index % NAIVE_SHARE === 0);
  const startedAt = performance.now();
  for (const { name, inputSchema } of sample) {
    const schema = JSON.parse(JSON.stringify(inputSchema));
    const options = { $refOptions: { resolve: { file: false, http: false } } };
    await compile(schema, `${name}Input`, options).catch(() => undefined);
    const ajv = new Ajv2020.default({ code: { source: true, esm: true }, logger: false, strict: false });
    printStandalone.default(ajv, ajv.compile(inputSchema));
  }
  return ((performance.now() - startedAt) * tools.length) / sample.length;
}
