import { basename } from "node:path";
import type { FileCosts } from "../count-costs.ts";

/** The tests that a changed file reaches, with the length of the way to each. */
export interface Reached {
  file: string;
  tests: ReadonlyMap<string, number>;
}

export interface ChosenTests {
  chosen: readonly string[];
  /** Tests that the change reaches too, and that would take longer than there is time. */
  left: readonly string[];
}

/** What starting a process costs, in milliseconds of processor time, which is lost where the process outlives its parent. */
const PROCESS_MS = 45;

/** What it takes to load a file, beside what its tests take. */
const FILE_MS = 100;

/** What a test file costs that has not run here yet. */
const UNKNOWN_MS = 1_500;

/** A file that takes longer than this by itself makes the whole run as long. */
const LONGEST_MS = 8_000;

/**
 * Chooses for each changed file in turn the next of its tests, until they take `mostMs` of processor time. Each file gets one, at any cost. First comes a test of the same name, then the one with the shortest way, then the one that costs least.
 */
export function chooseTests(
  reached: readonly Reached[],
  costs: Readonly<Record<string, FileCosts>>,
  mostMs: number,
): ChosenTests {
  const costOf = (test: string): number => {
    const cost = costs[test];
    return cost === undefined ? UNKNOWN_MS : FILE_MS + cost.processorMs + PROCESS_MS * cost.processes;
  };
  const fits = (test: string, withinMs: number): boolean =>
    costOf(test) <= withinMs && (costs[test]?.wallMs ?? 0) <= LONGEST_MS;
  const queues = reached.map(({ file, tests }) => sortTests(file, tests, costOf));
  const chosen = new Set<string>();
  let leftMs = mostMs;
  const take = (test: string): void => {
    if (!chosen.has(test)) leftMs -= costOf(test);
    chosen.add(test);
  };
  for (const [first] of queues) if (first !== undefined) take(first);
  for (let place = 1; queues.some((queue) => place < queue.length); place += 1)
    for (const queue of queues) {
      const test = queue[place];
      if (test !== undefined && fits(test, leftMs)) take(test);
    }
  const left = new Set(queues.flat().filter((test) => !chosen.has(test)));
  return { chosen: [...chosen], left: [...left] };
}

function sortTests(file: string, tests: ReadonlyMap<string, number>, costOf: (test: string) => number): string[] {
  const name = stem(file);
  const rank = (test: string): number[] => [stem(test) === name ? 0 : 1, tests.get(test) ?? 0, costOf(test)];
  return [...tests.keys()].toSorted((left, right) => compare(rank(left), rank(right)));
}

function stem(file: string): string {
  return basename(file).replace(/(?:\.test)?\.\w+$/, "");
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (const [place, value] of left.entries()) if (value !== right[place]) return value - (right[place] ?? 0);
  return 0;
}
