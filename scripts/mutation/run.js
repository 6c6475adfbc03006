// npm run mutate [-- AREA…]: changes the code in small ways and looks whether a test fails each time. What no test notices is printed, and
// written to coverage/mutation/AREA.md. Fails where the tests of an area notice less than they must.
import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { AREAS } from "./areas.js";
import { printSurvivors, printTable, toScore } from "./report.js";

const MIN_PERCENT = 90;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: "string", default: "1" }, mutate: { type: "string" } },
});
const names = positionals.length > 0 ? positionals : Object.keys(AREAS);
const unknown = names.filter((name) => !Object.hasOwn(AREAS, name));
if (unknown.length > 0)
  throw new Error(`There is no area ${unknown.join(", ")}, but ${Object.keys(AREAS).join(", ")}.`);

await mkdir("coverage/mutation", { recursive: true });
const scores = [];
for (const name of names) {
  const mutants = await mutateArea(name, AREAS[name]);
  scores.push(toScore(name, mutants));
  await writeFile(`coverage/mutation/${name}.md`, printSurvivors(mutants));
  console.log(printSurvivors(mutants));
}
console.log(printTable(scores));
if (scores.some(({ percent }) => percent < MIN_PERCENT)) process.exitCode = 1;

/** Runs one area in a copy of the project, and gives its mutants with what became of each. */
function mutateArea(name, { mutate, isBundled = false }) {
  process.env.MUTATION_AREA = name; // For vitest.config.js beside this file.
  return new Stryker({
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation/vitest.config.js", related: false },
    mutate: values.mutate?.split(",") ?? mutate,
    // Texts are left out: most are messages, whose words no test should hold.
    mutator: { excludedMutations: ["StringLiteral"] },
    // What runs while a module is loaded cannot be switched on for one test. Where each mutant has a program of its own it can.
    coverageAnalysis: isBundled ? "off" : "perTest",
    ignoreStatic: !isBundled,
    ...(isBundled && { buildCommand: "node scripts/mutation/build-sandbox.js" }),
    concurrency: isBundled ? 1 : Number(values.concurrency),
    timeoutMS: 10_000,
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: `coverage/mutation/${name}.json` },
    // Without coverage it is not seen that a test has changed.
    incremental: !isBundled,
    incrementalFile: `coverage/mutation/${name}.incremental.json`,
    // TypeScript 7 has no API that Stryker could read it with, and mutated code needs no type check.
    tsconfigFile: "none",
    disableTypeChecks: false,
    ignorePatterns: ["coverage", "bench", "docs", "deploy"],
    cleanTempDir: "always",
  }).runMutationTest();
}
