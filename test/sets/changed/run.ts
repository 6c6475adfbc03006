// Tries what has changed: its tests, types, rules and format, in 20 seconds. Usage: npm run test:changed [-- COMMIT] [--list]
// Without a commit: what is not committed yet.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";
import { readCosts } from "../report-costs.ts";
import { chooseTests, type ChosenTests } from "./choose-tests.ts";
import { findTests, readImporters } from "./import-graph.ts";

/** The sets whose tests need nothing that `npm ci` and the first long test do not install. */
const SETS = ["fast", "fast-apart", "long"];

/** Processor time of the tests that are chosen, beside the build or after it: with two cores they take half of it. */
const MOST_MS = 9_000;
const MOST_AFTER_BUILD_MS = 6_000;

const PRODUCT = /^(?:cli|engine|extras|library|openapi|runtime|schemas|serve|templates)\//;

const { values, positionals } = parseArgs({
  options: { list: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [commit = "HEAD"] = positionals;
const costs = readCosts();
const changed = [...git("diff", "--name-only", commit), ...git("ls-files", "--others", "--exclude-standard")];
// What a change breaks often hangs: the first failures are enough.
const vitest = await createVitest("test", { project: SETS, watch: false, bail: 2 });
const changesProduct = changed.some((file) => PRODUCT.test(file));
const startProcesses = (tests: readonly string[]): boolean => tests.some((test) => costs[test]?.processes !== 0);
const { chosen, left } = await choose();
print(`${changed.length} changed files, ${chosen.length} test files${values.list ? ":" : ""}`);
for (const test of values.list ? chosen : []) print(test);
if (left.length > 0) print(`${left.length} other test files reach the change as well: npm run test:all runs them.`);
if (!values.list) await tryAll();
await vitest.close();

function git(...args: string[]): string[] {
  return execFileSync("git", args, { encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\n")
    .filter(Boolean);
}

async function choose(): Promise<ChosenTests> {
  const specifications = await vitest.globTestSpecifications();
  const { root } = vitest.config;
  const present = new Set(specifications.map(({ moduleId }) => relative(root, moduleId).replaceAll("\\", "/")));
  const importers = readImporters([...git("ls-files"), ...changed]);
  const reached = changed.map((file) => {
    const tests = [...findTests(importers, file)].filter(([test]) => present.has(test));
    return { file, tests: new Map(tests) };
  });
  const tests = chooseTests(reached, costs, MOST_MS);
  return changesProduct && startProcesses(tests.chosen) ? chooseTests(reached, costs, MOST_AFTER_BUILD_MS) : tests;
}

/** Builds first where the tests start processes, which run what is built; else beside them. */
async function tryAll(): Promise<void> {
  const startsProcesses = startProcesses(chosen);
  const present = changed.filter((file) => existsSync(file));
  const code = present.filter((file) => /\.(?:ts|js|mjs|cjs)$/.test(file));
  const build = changesProduct ? () => run("npm", "run", "--silent", startsProcesses ? "build" : "compile") : undefined;
  const types = () => run(process.execPath, "node_modules/typescript/bin/tsc", "-p", "test");
  if (startsProcesses && build !== undefined && !(await build())) return;
  await Promise.all([
    startsProcesses ? types() : build?.().then((isBuilt) => isBuilt && types()),
    code.length > 0 &&
      run("npx", "oxlint", "--type-aware", "--deny-warnings", "--no-error-on-unmatched-pattern", ...code),
    present.length > 0 && run("npx", "oxfmt", "--check", "--no-error-on-unmatched-pattern", ...present),
    chosen.length > 0 && vitest.start([...chosen]),
  ]);
}

/** Runs a command, and resolves to whether it has succeeded: else this one fails too. */
async function run(command: string, ...args: string[]): Promise<boolean> {
  const [code] = (await once(spawn(command, args, { stdio: "inherit" }), "exit")) as [number | null];
  if (code !== 0) process.exitCode = 1;
  return code === 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
