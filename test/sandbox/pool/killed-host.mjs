// A host that starts a script in an endless loop, prints the process of the sandbox, and is killed.
import { makeSandboxPool } from "../../../dist/runtime/sandbox/pool/pool.js";
import { runBundle } from "../../../dist/runtime/sandbox/pool/run-bundle.js";
import { DEFAULT_LIMITS } from "../../../dist/schemas/run/answer.js";

const pool = makeSandboxPool({ size: 1, node: process.argv[2] });
const sandbox = await pool.take();
const taken = { ...pool, take: async () => sandbox };
const bundle = {
  code: "(async function () { console.log('looping'); for (;;); }).call(undefined)",
  map: { version: 3, names: [], sources: [], mappings: "" },
  manifest: { tools: [] },
};
const logged = () => process.stdout.write(String(sandbox.pid), () => process.kill(process.pid, "SIGKILL"));
await runBundle(bundle, { pool: taken, limits: DEFAULT_LIMITS, toolHost: { call: () => {} }, sink: { logged } });
