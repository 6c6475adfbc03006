import { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { afterAll } from "vitest";
import { processorTime } from "./processor-time.ts";

/** What a test file costs: milliseconds of wall and processor time, processes and engines that it starts, and milliseconds that its tests sleep. */
export interface FileCosts {
  wallMs: number;
  processorMs: number;
  processes: number;
  engines: number;
  sleptMs: number;
}

declare module "vitest" {
  interface TaskMeta {
    costs?: FileCosts;
  }
}

/** Each engine that runs scripts starts one bundler. */
const BUNDLER = /[/\\]bundler\.cjs$/;

interface Counters {
  processes: number;
  engines: number;
  sleptMs: number;
}

/** A worker runs one file after the other: what it has counted so far. */
const counters = ((globalThis as { testCosts?: Counters }).testCosts ??= startCounters());
const before = { wallMs: performance.now(), processorMs: processorTime(), ...counters };

// The hook that is registered first runs last.
// oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures that a hook takes from its pattern
afterAll(({}, { file }) => {
  file.meta.costs = {
    wallMs: performance.now() - before.wallMs,
    processorMs: processorTime() - before.processorMs,
    processes: counters.processes - before.processes,
    engines: counters.engines - before.engines,
    sleptMs: counters.sleptMs - before.sleptMs,
  };
});

type Spawn = (options: { args?: string[] }) => number;

function startCounters(): Counters {
  const counted: Counters = { processes: 0, engines: 0, sleptMs: 0 };
  const child = ChildProcess.prototype as unknown as { spawn: Spawn };
  const { spawn } = child;
  child.spawn = function (this: ChildProcess, options) {
    counted.processes += 1;
    if (options.args?.some((word) => BUNDLER.test(word)) === true) counted.engines += 1;
    return spawn.call(this, options);
  };
  const sleep = timers.setTimeout;
  timers.setTimeout = ((ms: number, ...rest: []) => {
    if (isAskedByTest()) counted.sleptMs += ms;
    return sleep(ms, ...rest);
  }) as typeof sleep;
  syncBuiltinESMExports();
  return counted;
}

/** Whether a test calls: the third line of the stack, after this function and the one that is counted. */
function isAskedByTest(): boolean {
  return /[/\\]test[/\\]/.test(new Error("asked here").stack?.split("\n")[3] ?? "");
}
