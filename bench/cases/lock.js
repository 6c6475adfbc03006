import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI, ECHO_SERVER } from "../suite/make-project.js";
import { interleave } from "../suite/measure.js";
import { runProgram } from "../suite/run-program.js";
import { makeComparison } from "../suite/tables.js";

const LISTING = fileURLToPath(new URL("../peers/list-tools.js", import.meta.url));

/** The snapshot of a server, against a program that lists the tools of the same server with the SDK and does nothing with them. */
export async function measureLock({ project, rounds }) {
  const contenders = new Map([
    [
      "codemode lock",
      async () => {
        await rm(join(project, "codemode.lock.json"), { force: true });
        return runProgram(CLI, ["lock"], { cwd: project });
      },
    ],
    ["codemode lock --check", () => runProgram(CLI, ["lock", "--check"], { cwd: project })],
    ["SDK client, tools/list", () => runProgram(LISTING, [JSON.stringify(ECHO_SERVER)])],
  ]);
  const outcomes = await interleave(contenders, { rounds: Math.ceil(rounds / 2), warmUps: 1 });
  return [makeComparison("lock.snapshot", "One stdio server with 13 tools, whole process", outcomes)];
}
