// Runs scripts of package.json at once, and fails where one fails. What the first one prints is shown as it comes, what another one printed after it.
// Usage: node scripts/run-at-once.js SCRIPT…
import { spawn } from "node:child_process";
import { once } from "node:events";

const [first, ...others] = process.argv.slice(2);
const printed = others.map(runQuietly);
const codes = [await runOpenly(first)];
for (const each of printed) {
  const { code, text } = await each;
  process.stdout.write(text);
  codes.push(code);
}
if (codes.some((code) => code !== 0)) process.exitCode = 1;

async function runOpenly(name) {
  const [code] = await once(spawn(`npm run ${name}`, { shell: true, stdio: "inherit" }), "close");
  return code;
}

async function runQuietly(name) {
  const child = spawn(`npm run ${name}`, { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => chunks.push(chunk));
  const [code] = await once(child, "close");
  return { code, text: Buffer.concat(chunks) };
}
