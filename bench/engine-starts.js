// Measures what a launch prefix of sandboxes adds to the start of Node: `node bench/engine-starts.js`, with runsc and bubblewrap installed. Linux only.
import { spawnSync } from "node:child_process";
import { interleave } from "./suite/measure.js";

const COMMANDS = {
  Node: [],
  bwrap: ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "--die-with-parent"],
  runsc: ["runsc", "--network=none", "--ignore-cgroups", "do"],
};
const ROUNDS = 20;

const contenders = Object.entries(COMMANDS).map(([name, command]) => [name, () => startNode(command)]);
const measured = await interleave(new Map(contenders), { rounds: ROUNDS, warmUps: 2 });
for (const [name, { ms, error }] of measured)
  process.stdout.write(`${name}: ${error ?? `${ms.value.toFixed(0)} ms`}\n`);
if ([...measured.values()].some(({ error }) => error !== undefined)) process.exitCode = 1;

/** Starts Node with the empty environment of a sandbox, and waits for its end. */
function startNode(command) {
  const words = [...command, process.execPath, "-e", "0"];
  const env = { PATH: process.env["PATH"] };
  const { status, stderr } = spawnSync(words[0], words.slice(1), {
    env,
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${words[0]} ended with ${status}: ${stderr}`);
}
