// npm run fuzz: mutates programs, bundles each, compares with what plain Node says of its text,
// and runs the ones that import nothing, as they are and bundled. The same seed makes the same programs.
//   -- --seed N     32-bit integer; a new one where it is absent
//   -- --count N    how many programs, 20,000 where it is absent
//   -- --only N     the program of that number alone, and prints it
// ROLLUP=FOLDER adds the fixtures in a checkout of rollup/rollup to the programs that are mutated.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { startTrial } from "./bundle-programs.mjs";
import { makeProgram } from "./make-program.mjs";
import { readSeeds } from "./read-seeds.mjs";
import { shrink } from "./shrink.mjs";

const SHOWN = 12;
const RIGHT = new Set(["bundled", "same value", "refused"]);

const { values } = parseArgs({
  options: { seed: { type: "string" }, count: { type: "string" }, only: { type: "string" } },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const only = values.only === undefined ? undefined : Number(values.only);
const count = Number(values.count ?? 20_000);

const seeds = readSeeds(process.env.ROLLUP);
console.log(`seed ${seed}, ${seeds.length} programs to start from`);
const trial = startTrial();
const amounts = new Map();
const failures = [];
const uncompared = [];
let slowest = { ms: 0, index: 0 };

for (let index = only ?? 0; index < (only === undefined ? count : only + 1); index += 1) {
  const program = makeProgram(seeds, seed, index);
  if (only !== undefined) console.log(program.files.get(program.name));
  const start = performance.now();
  const { kind, text, isUncompared } = await trial.evaluate(program);
  const ms = performance.now() - start;
  if (ms > slowest.ms) slowest = { ms, index };
  amounts.set(kind, (amounts.get(kind) ?? 0) + 1);
  if (only !== undefined) console.log(`${kind}\n${text}`);
  if (isUncompared) uncompared.push(index);
  if (!RIGHT.has(kind)) failures.push({ kind, text, index, program });
  if (index % 2000 === 1999) console.log(`${index + 1} programs, ${failures.length} failures`);
}

for (const [kind, amount] of amounts) console.log(`${kind}: ${amount}`);
if (uncompared.length > 0)
  console.log(`plain Node ended over: ${uncompared.length} (${uncompared.slice(0, SHOWN).join(", ")})`);
console.log(`slowest: ${Math.round(slowest.ms)} ms, program ${slowest.index}`);
for (const { kind, text, index, program } of failures.slice(0, SHOWN)) {
  const code = await shrink(program, kind, trial.evaluate);
  console.log(`\n${kind}, program ${index}, ${program.name}:\n${JSON.stringify(code)}\n${text}`);
}
await trial.stop();
process.exitCode = failures.length > 0 ? 1 : 0;
