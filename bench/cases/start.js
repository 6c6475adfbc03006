import { fileURLToPath } from "node:url";
import { CLI, ECHO_SERVER } from "../suite/make-project.js";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { interleave, load } from "../suite/measure.js";
import { printComparison } from "../suite/print-table.js";
import { runProgram } from "../suite/run-program.js";

const PROCESS = fileURLToPath(new URL("../contenders/contender-process.js", import.meta.url));
const PEERS = {
  "UTCP, isolated-vm": ["utcp.js", "--no-node-snapshot"],
  "mcp-use, node:vm": ["mcp-use.js"],
  "Executor, QuickJS": ["executor.js"],
  "SDK client, no sandbox": ["sdk-client.js"],
};
const SCRIPT =
  'import { echo } from "@codemode/servers/everything";\nexport default await echo({ message: "hello" });\n';

/** A process from its start to the result of one call, and what the command line costs at the least. */
export async function measureStart({ project, earlierProject, rounds }) {
  const folders = [project, earlierProject].filter((folder) => folder !== undefined);
  await Promise.all(folders.map((folder) => writeFile(join(folder, "one.ts"), SCRIPT)));
  const ends = new Map();
  const timed = (name, start) => async () => {
    const { firstByteMs, exitMs } = await start();
    ends.set(name, [...(ends.get(name) ?? []), exitMs]);
    return firstByteMs;
  };
  const ours = () => runProgram(CLI, ["run", "one.ts"], { cwd: project });
  const contenders = new Map([["codemode run", timed("codemode run", ours)]]);
  const before = process.env["BENCH_BEFORE"];
  const earlier = `${before}/dist/cli/main.js`;
  if (before !== undefined)
    contenders.set(
      "codemode run (before)",
      timed("codemode run (before)", () => runProgram(earlier, ["run", "one.ts"], { cwd: earlierProject })),
    );
  for (const [name, [file, ...nodeFlags]] of Object.entries(PEERS)) {
    const module = new URL(`../peers/${file}`, import.meta.url).href;
    const args = [module, "--once", JSON.stringify({ calls: 1 }), JSON.stringify({ server: ECHO_SERVER })];
    contenders.set(
      name,
      timed(name, () => runProgram(PROCESS, args, { nodeFlags })),
    );
  }
  const cold = await interleave(contenders, { rounds, warmUps: 1 });
  const empty = join(project, "empty.js");
  await writeFile(empty, "console.log(1);\n");
  const help = await interleave(
    new Map([
      ["codemode --help", async () => (await runProgram(CLI, ["--help"])).exitMs],
      ...(before === undefined
        ? []
        : [["codemode --help (before)", async () => (await runProgram(earlier, ["--help"])).exitMs]]),
      ["an empty Node program", async () => (await runProgram(empty, [])).exitMs],
    ]),
    { rounds, warmUps: 1 },
  );
  return [
    `### Cold: from the start of the process to the first byte of the result (load ${load()})`,
    printComparison(cold),
    `To the end of the process, median: ${[...ends].map(([name, times]) => `${name} ${Math.round(times.toSorted((a, b) => a - b)[times.length >> 1])} ms`).join(", ")}.`,
    `### Start-up of the command line (load ${load()})`,
    printComparison(help),
  ];
}
