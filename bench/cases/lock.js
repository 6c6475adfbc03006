import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI, ECHO_SERVER } from "../suite/make-project.js";
import { interleave, load } from "../suite/measure.js";
import { printComparison } from "../suite/print-table.js";
import { runProgram } from "../suite/run-program.js";

const LISTING = fileURLToPath(new URL("../peers/list-tools.js", import.meta.url));

/** The snapshot of a server, against a program that lists the tools of the same server with the SDK and does nothing with them. */
export async function measureLock({ project, rounds }) {
  const outcomes = await interleave(
    new Map([
      [
        "codemode lock",
        async () => {
          await rm(join(project, "codemode.lock.json"), { force: true });
          await runProgram(CLI, ["lock"], { cwd: project });
        },
      ],
      ["codemode lock --check", () => runProgram(CLI, ["lock", "--check"], { cwd: project })],
      ["SDK client, tools/list", () => runProgram(LISTING, [JSON.stringify(ECHO_SERVER)])],
    ]),
    { rounds, warmUps: 1 },
  );
  return [`### One stdio server with 13 tools, whole process (load ${load()})`, printComparison(outcomes)];
}
