import { RANGES } from "./config/config-file.ts";

/** A whole number that a user gives: what it counts, and the least and the most that it may be. */
export interface NumberRange {
  unit: string;
  least: number;
  most: number;
}

const DAY_MS = 86_400_000;

/** Every number of the library and the command line. What the configuration has too has its range. */
export const NUMBERS = {
  timeoutMs: { unit: "milliseconds", ...RANGES.limits.timeoutMs },
  maxMemoryBytes: { unit: "bytes", ...RANGES.limits.maxMemoryBytes },
  maxLogBytes: { unit: "bytes", ...RANGES.limits.maxLogBytes },
  maxToolCalls: { unit: "calls", ...RANGES.limits.maxToolCalls },
  maxResultBytes: { unit: "bytes", ...RANGES.limits.maxResultBytes },
  reuse: { unit: "runs", ...RANGES.sandbox.reuse },
  concurrency: { unit: "runs", least: 1, most: 1000 },
  batchConcurrency: { unit: "runs", least: 1, most: 64 },
  suspendAfterMs: { unit: "milliseconds", least: 0, most: DAY_MS },
  waitMs: { unit: "milliseconds", least: 0, most: DAY_MS },
  graceMs: { unit: "milliseconds", least: 0, most: DAY_MS },
  retries: { unit: "tries", least: 0, most: 100 },
  port: { unit: "port", least: 0, most: 65_535 },
  found: { unit: "tools", least: 1, most: 10_000 },
} as const satisfies Record<string, NumberRange>;

export type NumberName = keyof typeof NUMBERS;

/** What is wrong with a number, with its range; undefined where nothing is. */
export function describeOutOfRange(name: NumberName, value: unknown): string | undefined {
  const { unit, least, most } = NUMBERS[name];
  const isInRange = typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
  return isInRange ? undefined : `it must be a whole number from ${least} to ${most} (${unit})`;
}
