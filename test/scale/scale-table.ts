import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ProcessorSeconds } from "./meter-processors.ts";

const FILE = resolve("node_modules/.cache/test-scale.jsonl");

/** One way to run many inputs, with what it took. */
export interface ScaleRow {
  way: string;
  inputs: number;
  seconds: number;
  processor: ProcessorSeconds;
  kills: number;
  /** Calls of tools beyond one for each input. */
  callsMore: number;
}

export function addRow(row: ScaleRow): void {
  appendFileSync(FILE, `${JSON.stringify(row)}\n`);
}

/** Vitest calls it before the first test. */
export function setup(): void {
  mkdirSync(dirname(FILE), { recursive: true });
  rmSync(FILE, { force: true });
}

/** Vitest calls it after the last test. */
export function teardown(): void {
  if (existsSync(FILE)) process.stdout.write(`\n${printTable(readFileSync(FILE, "utf8"))}\n`);
}

function printTable(lines: string): string {
  const rows = lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as ScaleRow]));
  const printed = rows.map(({ way, inputs, seconds, processor, kills, callsMore }) => {
    const each = (sum: number): string => ((1000 * sum) / inputs).toFixed(2);
    const figures = [inputs, (inputs / seconds).toFixed(0), each(processor.codemode), each(processor.services)];
    return `| ${[way, ...figures, kills, callsMore].join(" | ")} |`;
  });
  return [
    "| way | inputs | inputs/s | CPU ms each | of database or queue | kills | calls more |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...printed,
  ].join("\n");
}
