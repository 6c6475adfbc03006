// Runs the server scenarios of the official conformance suite that the two revisions require, against `codemode serve --http`.
// Exits with 1 when a scenario fails that is not in the baseline, or passes although it is. It needs a build.
// Usage: node test/conformance/server.mjs [--scenario NAME --spec-version REVISION]

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chooseRuns } from "./choose-runs.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const require = createRequire(import.meta.url);
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js");

const CONFIG = {
  mcpServers: { test: { command: process.execPath, args: [here("fixture-server.mjs")] } },
  // The suite is the person.
  serve: { direct: ["test/*"], mayApprove: true },
  policy: { ask: ["test/input_required_result_*"] },
};

const runs = chooseRuns((revision) => here(`server-baseline-${revision}.yaml`));

/** Starts codemode in a project and gives the address that it names. */
async function startServing(folder) {
  const env = { ...process.env, XDG_STATE_HOME: folder, CODEMODE_TRUST: "1" };
  const args = [here("../../dist/cli/main.js"), "serve", "--http", "0"];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "inherit", "pipe"] });
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /http:[^\s"]+/.exec(line)?.[0];
    if (url !== undefined) return { child, url };
    console.error(line);
  }
  throw new Error("codemode did not start");
}

async function runSuite(url, folder, options) {
  const settings = ["--url", url, "-o", join(folder, "results")];
  const args = ["--import", here("globsync-shim.mjs"), suite, "server", ...settings, ...options];
  const [code] = await once(spawn(process.execPath, args, { stdio: "inherit" }), "close");
  return code;
}

const folder = await mkdtemp(join(tmpdir(), "codemode-conformance-"));
try {
  await writeFile(join(folder, "codemode.config.json"), JSON.stringify(CONFIG));
  const { child, url } = await startServing(folder);
  const ended = once(child, "close");
  try {
    for (const options of runs) if ((await runSuite(url, folder, options)) !== 0) process.exitCode = 1;
  } finally {
    child.kill();
    const [code, signal] = await ended;
    if (code !== 0) {
      console.error(`codemode ended with ${code ?? signal}`);
      process.exitCode = 1;
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
