// A host that starts a script in an endless loop, prints the process of the sandbox, and is killed.
import { makeSandboxPool } from "../../../dist/runtime/sandbox/pool/pool.js";
import { runBundle } from "../../../dist/runtime/sandbox/pool/run-bundle.js";
import { DEFAULTS } from "../../../dist/schemas/config/config-file.js";

const pool = makeSandboxPool({ size: 1, node: process.argv[2] });
const sandbox = await pool.take();
const taken = { ...pool, take: async () => sandbox };
const bundle = {
  code: "(async function () { console.log('looping'); for (;;); }).call(undefined)",
  map: { version: 3, names: [], sources: [], mappings: "" },
  manifest: { tools: [] },
};
const logged = () => process.stdout.write(String(sandbox.pid), () => process.kill(process.pid, "SIGKILL"));
await runBundle(bundle, {
  pool: taken,
  limits: DEFAULTS.limits,
  handleCall: () => {},
  emit: ({ type }) => type === "log" && logged(),
});
