import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI, ECHO_SERVER } from "../suite/make-project.js";
import { interleave, summarize } from "../suite/measure.js";
import { listEarlier, runProgram } from "../suite/run-program.js";
import { makeComparison } from "../suite/tables.js";

const PROCESS = fileURLToPath(new URL("../contenders/contender-process.js", import.meta.url));
const SDK = "SDK client, no sandbox";
const FLOOR = "floor";
/** The module of each, from the folder of the peers, and flags of its Node. */
const PEERS = {
  [FLOOR]: ["../contenders/floor.js"],
  "UTCP, isolated-vm": ["utcp.js", "--no-node-snapshot"],
  "mcp-use, node:vm": ["mcp-use.js"],
  "Executor, QuickJS": ["executor.js"],
  [SDK]: ["sdk-client.js"],
};
const SCRIPT =
  'import { echo } from "@codemode/servers/everything";\nexport default await echo({ message: "hello" });\n';
const ENDS = [
  { key: "endMs", head: "to the end", unit: "ms" },
  { key: "endCpuMs", head: "CPU to the end", unit: "ms" },
];
const NOTE =
  "`codemode run` finds what its earlier runs left in the user's cache folder (compiled code and bundles): the second row deletes that folder before each run. What the peers leave on the disk stays.";

/** A process from its start to the result of one call, and what the command line costs at the least. */
export async function measureStart({ project, earlierProject, rounds }) {
  const folders = [project, earlierProject].filter((folder) => folder !== undefined);
  await Promise.all(folders.map((folder) => writeFile(join(folder, "one.ts"), SCRIPT)));
  const caches = await mkdtemp(join(tmpdir(), "codemode-bench-"));
  try {
    return [await measureCold({ project, earlierProject, rounds, caches }), await measureHelp({ project, rounds })];
  } finally {
    await rm(caches, { recursive: true, force: true });
  }
}

async function measureCold({ project, earlierProject, rounds, caches }) {
  const ends = new Map();
  const add = (name, start) => [
    name,
    async (round) => {
      const { firstByteMs, firstByteCpuMs, ms, cpuMs } = await start();
      if (round >= 0) ends.set(name, [...(ends.get(name) ?? []), { ms, cpuMs }]);
      return { ms: firstByteMs, cpuMs: firstByteCpuMs };
    },
  ];
  const run = (cli, cwd, cache) => runProgram(cli, ["run", "one.ts"], { cwd, env: { XDG_CACHE_HOME: cache } });
  const cold = join(caches, "cold");
  const peers = Object.entries(PEERS).map(([name, [file, ...nodeFlags]]) => {
    const module = new URL(`../peers/${file}`, import.meta.url).href;
    // One run starts one process at each level: at this one no other takes its place.
    const args = [
      module,
      "--once",
      JSON.stringify({ calls: 1 }),
      JSON.stringify({ server: ECHO_SERVER, isolation: "compartment" }),
    ];
    return add(name, () => runProgram(PROCESS, args, { nodeFlags }));
  });
  const contenders = [
    add("codemode run", () => run(CLI, project, join(caches, "warm"))),
    add("codemode run, nothing in the disk cache", async () => {
      await rm(cold, { recursive: true, force: true });
      return run(CLI, project, cold);
    }),
    ...listEarlier().map((cli) => add("codemode run (before)", () => run(cli, earlierProject, join(caches, "before")))),
    ...peers,
  ];
  const seldom = Object.keys(PEERS).filter((name) => name !== SDK && name !== FLOOR);
  const outcomes = await interleave(new Map(contenders), { rounds, warmUps: 2, seldom });
  for (const [name, outcome] of outcomes) {
    const all = ends.get(name) ?? [];
    if (outcome.error !== undefined || all.length === 0) continue;
    outcome.endMs = { value: summarize(all.map(({ ms }) => ms)).value };
    outcome.endCpuMs = { value: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / all.length };
  }
  const title = "Cold: from the start of the process to the first byte of the result";
  return makeComparison("start.cold", title, outcomes, { columns: ENDS, note: NOTE });
}

async function measureHelp({ project, rounds }) {
  const empty = join(project, "empty.js");
  await writeFile(empty, "console.log(1);\n");
  const contenders = [
    ["codemode --help", () => runProgram(CLI, ["--help"])],
    ...listEarlier().map((cli) => ["codemode --help (before)", () => runProgram(cli, ["--help"])]),
    ["an empty Node program", () => runProgram(empty, [])],
  ];
  const outcomes = await interleave(new Map(contenders), { rounds, warmUps: 1 });
  return makeComparison("start.help", "Start-up of the command line, to its end", outcomes);
}
