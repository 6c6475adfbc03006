/** A whole number that a user gives: what it counts, and the least and the most that it may be. */
export interface NumberRange {
  unit: string;
  least: number;
  most: number;
}

const DAY_MS = 86_400_000;
const TEBIBYTE = 2 ** 40;
/** No text that Node holds is longer. */
const LONGEST_TEXT = 2 ** 29 - 24;

/** Every number of the library, the command line and the limits of the configuration, whose schema holds the same (a test compares them). */
export const NUMBERS = {
  timeoutMs: { unit: "milliseconds", least: 1, most: DAY_MS },
  maxMemoryBytes: { unit: "bytes", least: 32 * 1024 * 1024, most: TEBIBYTE },
  maxLogBytes: { unit: "bytes", least: 0, most: LONGEST_TEXT },
  maxToolCalls: { unit: "calls", least: 0, most: 1_000_000_000 },
  maxResultBytes: { unit: "bytes", least: 1, most: LONGEST_TEXT },
  reuse: { unit: "runs", least: 0, most: 10_000 },
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
