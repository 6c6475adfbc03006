// Runs scripts that take memory without end on every supported version of Node, and says how each ended: `node bench/memory-bombs.js [TIMES] [AT-A-TIME]`,
// with `TEST_ISOLATION=realm` or `compartment` at another level of isolation.
// It needs a build. Exit code 1 means that something else than the memory limit ended a script.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundleScript } from "../dist/engine/bundle/bundle-script.js";
import { makeSandboxPool } from "../dist/runtime/sandbox/pool/pool.js";
import { runBundle } from "../dist/runtime/sandbox/pool/run-bundle.js";
import { DEFAULTS } from "../dist/schemas/config/config-file.js";

const [times = 10, atATime = 2] = process.argv.slice(2).map(Number);
const BOMBS = JSON.parse(readFileSync(new URL("../test/sandbox/pool/memory-bombs.json", import.meta.url), "utf8"));
const NODES = [
  process.execPath,
  ...["22", "24"].map((major) =>
    fileURLToPath(new URL(`../test/node-versions/node_modules/node-${major}/bin/node`, import.meta.url)),
  ),
];

const { TEST_ISOLATION: renew } = process.env;
const reuse = renew === undefined || renew === "process" ? undefined : { times: 1000, renew };
const limits = DEFAULTS.limits;
const handleCall = () => Promise.reject(new Error("There are no tools here."));

const rows = [];
for (const node of NODES) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const pool = makeSandboxPool({ node, size: atATime, reuse });
  for (const [name, code] of Object.entries(BOMBS)) rows.push({ version, name, ...(await runOften(pool, code)) });
  await pool.close();
}
console.log("| Node | what grows | ended by `maxMemoryBytes` | longest, s |\n| --- | --- | ---: | ---: |");
for (const { version, name, byMemory, longest } of rows)
  console.log(`| ${version} | ${name} | ${byMemory} of ${times} | ${(longest / 1000).toFixed(1)} |`);
if (rows.some(({ byMemory }) => byMemory < times)) process.exitCode = 1;

async function runOften(pool, code) {
  const bundled = await bundleScript(
    { code, name: "script.ts" },
    { generatedFolder: "", lockfile: { servers: new Map() } },
  );
  let left = times;
  let byMemory = 0;
  let longest = 0;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const start = performance.now();
      const { diagnostics } = await runBundle(bundled.bundle, { pool, limits, handleCall, trustDomain: "bombs" });
      longest = Math.max(longest, performance.now() - start);
      const message = diagnostics[0]?.message ?? "no diagnostic";
      if (message.includes("maxMemoryBytes")) byMemory += 1;
      else console.error(`${code}: ${message}`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return { byMemory, longest };
}
