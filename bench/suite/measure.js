import { loadavg } from "node:os";

/** The distance of the quartiles, as a part of the median, below which further samples say nothing new. */
const SETTLED = 0.05;

/** Quartiles of some numbers; between two of them the nearer one is taken. */
export function summarize(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share) => sorted[Math.round((sorted.length - 1) * share)];
  return { value: at(0.5), low: at(0.25), high: at(0.75), samples: sorted.length };
}

/**
 * Measures several contenders in turn (A B C A B C …), so that other load of the machine affects all of them equally. A contender with half
 * of its samples whose quartiles are close is done.
 * @param contenders a map of name to a function that does the work once and may return `{ ms, cpuMs }`
 * @param meters a map of name to a function that gives the processor time that this contender has used so far, in milliseconds. It counts
 * what a contender does after its answers, while it is the turn of others. Without it, `cpuMs` of the work is taken
 * @param seldom names of contenders that take their turn in every second round only
 * @returns a map of name to `{ ms, cpuMs }`, median and mean, or to `{ error }` where a contender failed
 */
export async function interleave(contenders, { rounds, warmUps = 0, meters = new Map(), seldom = [] }) {
  const states = [...contenders].map(([name, work]) => ({ name, work, times: [], used: 0, meter: meters.get(name) }));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const state of states) {
      const isLeftOut = round > 0 && round % 2 === 1 && seldom.includes(state.name);
      if (state.outcome !== undefined || isLeftOut) continue;
      if (round === 0) state.usedBefore = state.meter?.();
      try {
        const startedAt = performance.now();
        const { ms = performance.now() - startedAt, cpuMs } = (await state.work(round)) ?? {};
        if (round < 0) continue;
        state.times.push(ms);
        state.used += cpuMs ?? Number.NaN;
        if (isSettled(state.times, rounds / 2)) state.outcome = toOutcome(state);
      } catch (error) {
        state.outcome = { error: shorten(error) };
      }
    }
  }
  return new Map(states.map((state) => [state.name, state.outcome ?? toOutcome(state)]));
}

/** Whether there are so many samples, and half of them lie close together. */
export function isSettled(times, least) {
  if (times.length < least) return false;
  const { value, low, high } = summarize(times);
  return (high - low) / value < SETTLED;
}

function toOutcome({ times, used, usedBefore, meter }) {
  const total = meter === undefined ? used : meter() - usedBefore;
  return { ms: summarize(times), cpuMs: Number.isNaN(total) ? undefined : { value: total / times.length } };
}

/** The load of the machine over the last minute: figures taken beside other work are no figures. */
export function load() {
  return Number(loadavg()[0].toFixed(1));
}

export function pause(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** The first line of an error, for a cell of a table. */
export function shorten(error) {
  return String(error?.message ?? error)
    .split("\n")[0]
    .slice(0, 120);
}
