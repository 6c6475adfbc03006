import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import type { FileCosts } from "./count-costs.ts";

/** Costs of each test file at its last run on this machine, by file: `npm run test:changed` plans with them. */
export const COSTS_FILE = "node_modules/.cache/test-costs.json";

/**
 * Processor time of a fast file at most, or that share of all fast files, whose time a busy machine makes longer. A file above it is a long one,
 * or opens more engines and servers than it looks at.
 */
const MOST_FAST_MS = 5_000;
const MOST_OF_FAST = 1 / 15;

const SHOWN = 10;

/** Prints the ten slowest files, keeps what each costs, and fails the run where a fast file takes too much. */
// oxlint-disable-next-line import/no-default-export -- Vitest takes a reporter in a file by its default export
export default class ReportCosts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = modules.flatMap(costsOf);
    keepCosts(costs);
    if (costs.length <= SHOWN) return;
    const slowest = costs.toSorted((left, right) => right.processorMs - left.processorMs).slice(0, SHOWN);
    process.stdout.write(`\n${printTable(slowest)}\n`);
    for (const line of findTooSlow(costs)) {
      process.stderr.write(`${line}\n`);
      process.exitCode = 1;
    }
  }
}

/** A line for each fast file that takes too much. */
export function findTooSlow(rows: readonly Row[]): string[] {
  const fast = rows.filter(({ project }) => project.startsWith("fast"));
  const sumMs = fast.reduce((sum, { processorMs }) => sum + processorMs, 0);
  const mostMs = Math.max(MOST_FAST_MS, MOST_OF_FAST * sumMs);
  return fast
    .filter(({ processorMs }) => processorMs > mostMs)
    .map(({ file, processorMs }) => {
      const [taken, most] = [processorMs, mostMs].map(inSeconds);
      return `${file} takes ${taken} s of processor time, and a fast file at most ${most} s.`;
    });
}

type Row = FileCosts & { file: string; project: string };

function costsOf(module: TestModule): Row[] {
  const { costs } = module.meta();
  return costs === undefined ? [] : [{ file: module.relativeModuleId, project: module.project.name, ...costs }];
}

/** The slowest files as a table: seconds of wall and processor time, and of sleep of the tests themselves. */
export function printTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.file,
    ...[row.wallMs, row.processorMs].map(inSeconds),
    ...[row.processes, row.engines].map(String),
    inSeconds(row.sleptMs),
  ]);
  const lines = [["slowest files", "wall s", "processor s", "processes", "engines", "slept s"], ...cells];
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function keepCosts(rows: readonly Row[]): void {
  const kept = { ...readCosts(), ...Object.fromEntries(rows.map(({ file, ...row }) => [file, row])) };
  mkdirSync(dirname(COSTS_FILE), { recursive: true });
  writeFileSync(COSTS_FILE, JSON.stringify(kept));
}

/** What each file cost at its last run here: none where no test has run. */
export function readCosts(): Record<string, FileCosts & { project: string }> {
  try {
    return JSON.parse(readFileSync(COSTS_FILE, "utf8")) as Record<string, FileCosts & { project: string }>;
  } catch {
    return {};
  }
}
