// Runs the client scenarios of the official conformance suite that the two revisions require, and those of extensions, against our connections.
// Exits with 1 when a scenario fails that is not in the baseline, or passes although it is.
// Usage: node test/conformance/run.mjs [--scenario NAME --spec-version REVISION]

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { chooseRuns } from "./choose-runs.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const require = createRequire(import.meta.url);
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js");

/** The suite splits the command at spaces. */
const quote = (path) => JSON.stringify(path);
const client = [quote(process.execPath), quote(await bundleClient())].join(" ");

/** In one short file it starts in a fifth of the time; the suite starts some forty at once, and measures how long they take. */
async function bundleClient() {
  const file = here("../../node_modules/.cache/codemode/conformance-client.mjs");
  const bundle = await rolldown({ input: here("client.mjs"), platform: "node", logLevel: "silent" });
  await bundle.write({ file, format: "esm", codeSplitting: false, minify: { mangle: { keepNames: true } } });
  await bundle.close();
  return file;
}

/** Extensions, such as logins without a person, and the first revision with logins are required of no client. */
const runs = chooseRuns((name) => here(`baseline-${name}.yaml`), ["extensions", "backcompat"]);

/** The suite starts all its clients at once, however few processors there are, and counts from there. */
const TIMEOUT_MS = "120000";

let failures = 0;
for (const options of runs) {
  const folder = await mkdtemp(join(tmpdir(), "codemode-conformance-"));
  try {
    const settings = ["--command", client, "--timeout", TIMEOUT_MS, "-o", folder];
    const args = ["--import", here("globsync-shim.mjs"), suite, "client", ...settings, ...options];
    // Logins of the suite must not land among the user's. The suite is on this machine: no client has to read its certificates.
    const env = { ...process.env, XDG_STATE_HOME: folder, NODE_EXTRA_CA_CERTS: "" };
    const run = spawn(process.execPath, args, { stdio: "inherit", env });
    const code = await new Promise((resolve) => run.once("close", resolve));
    if (code !== 0) failures += 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
process.exitCode = failures === 0 ? 0 : 1;
