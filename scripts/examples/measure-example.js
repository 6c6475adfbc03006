// Runs one example as a user does, and counts what its answer holds against what its calls carried.
import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const CODEMODE = "dist/cli/main.js";

/**
 * Runs an example in this repository. Tokens are those of o200k_base: `stayed` of the arguments and results of all calls as JSON,
 * `cameBack` of the answer as an agent gets it, `script` of the whole file; all are absent where nothing is counted. `printed` is what the program said.
 *
 * @param {import("./list-examples.js").Example} example
 * @returns {Promise<{ name: string, code: number | null, printed: string, calls?: number, stayed?: number, script?: number, cameBack?: number }>}
 */
export async function measureExample({ name, source = name, program, args, isCounted }) {
  if (!isCounted) return { name, ...(await runNode(program === "node" ? args : [CODEMODE, ...args])) };
  const recording = join(tmpdir(), `codemode-example-${process.pid}.json`);
  try {
    const run = await runNode([CODEMODE, ...args, "--record", recording]);
    if (run.code !== 0) return { name, ...run };
    const script = encode(await readFile(join("examples", source), "utf8")).length;
    return { name, ...run, script, ...count(JSON.parse(await readFile(recording, "utf8"))) };
  } finally {
    await rm(recording, { force: true });
  }
}

async function runNode(args) {
  const env = { ...process.env, CODEMODE_TRUST: "1" };
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (printed += text));
  const code = await new Promise((settle) => child.once("close", settle));
  return { code, printed };
}

/** Times are left out of the count: they are others in every run. */
function count({ calls, answer }) {
  const timeless = JSON.stringify(answer, (key, value) => (key === "timeMs" || key === "durationMs" ? 0 : value));
  // Where this repository lies stands in some errors.
  const carried = calls.map(({ input, reply }) => JSON.stringify([input, reply]).replaceAll(process.cwd(), ""));
  return {
    calls: calls.length,
    stayed: carried.reduce((sum, text) => sum + encode(text).length, 0),
    cameBack: encode(timeless).length,
  };
}
