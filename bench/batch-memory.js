/*
 * Runs a batch of a script without calls in one process, and samples the memory of its host after a collection every four seconds.
 * usage: node bench/batch-memory.js [INPUTS]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const INPUTS = Number(process.argv[2] ?? 200_000);
const MIB = 1024 * 1024;
const SAMPLER = `
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
setInterval(() => {
  const { rss } = process.memoryUsage();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  process.send?.({ rss, heapUsed, arrayBuffers });
}, 4000).unref();`;

const folder = await mkdtemp(join(tmpdir(), "codemode-batch-"));
await writeFile(join(folder, "codemode.config.json"), '{ "mcpServers": {} }');
await writeFile(join(folder, "job.js"), "export default globalThis.__codemode_input__.a + 1;\n");
const program = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const preload = `data:text/javascript,${encodeURIComponent(SAMPLER)}`;
const child = spawn(
  process.execPath,
  ["--import", preload, program, "run", "job.js", "--inputs", "-", "--concurrency", "4"],
  { cwd: folder, stdio: ["pipe", "pipe", "ignore", "ipc"] },
);
const samples = [];
let done = 0;
child.on("message", (sample) => samples.push({ done, ...sample }));
child.stdout.on("data", (chunk) => {
  for (const byte of chunk) if (byte === 10) done += 1;
});
const ended = once(child, "close");
for (let line = 1; line <= INPUTS; line += 1)
  if (!child.stdin.write(`{"a":${line}}\n`)) await once(child.stdin, "drain");
child.stdin.end();
const [code] = await ended;
await rm(folder, { recursive: true });

const print = (bytes) => (bytes / MIB).toFixed(1);
console.log("inputs      heap  buffers  resident (MiB)");
const step = Math.max(1, Math.floor(samples.length / 20));
for (const { done: count, heapUsed, arrayBuffers, rss } of samples.filter((_, index) => index % step === 0))
  console.log(
    [
      String(count).padEnd(8),
      print(heapUsed).padStart(8),
      print(arrayBuffers).padStart(8),
      print(rss).padStart(9),
    ].join(" "),
  );
console.log(`${done} results, exit code ${code}`);
process.exitCode = code === 0 && done === INPUTS ? 0 : 1;
