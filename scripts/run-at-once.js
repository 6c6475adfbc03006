// Runs scripts of package.json at once, prints what each printed when it ends, and fails where one fails.
// Usage: node scripts/run-at-once.js SCRIPT…
import { spawn } from "node:child_process";
import { once } from "node:events";

const codes = await Promise.all(process.argv.slice(2).map(runScript));
if (codes.some((code) => code !== 0)) process.exitCode = 1;

async function runScript(name) {
  const child = spawn(`npm run ${name}`, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
  const [code] = await once(child, "close");
  process.stdout.write(Buffer.concat(chunks));
  return code;
}
