import { loadavg } from "node:os";

/** Quartiles of some numbers; between two of them the nearer one is taken. */
export function summarize(values) {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share) => sorted[Math.round((sorted.length - 1) * share)];
  return { median: at(0.5), low: at(0.25), high: at(0.75), count: sorted.length };
}

/**
 * Measures several contenders in turn (A B C A B C …), so that other load of the machine affects all of them equally.
 * @param contenders a map of name to a function that does the work once and may return its duration in milliseconds
 * @returns a map of name to the summary in milliseconds, or to `{ error }` where a contender failed
 */
export async function interleave(contenders, { rounds, warmUps = 0 }) {
  const times = new Map([...contenders.keys()].map((name) => [name, []]));
  const errors = new Map();
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [name, work] of contenders) {
      if (errors.has(name)) continue;
      try {
        const startedAt = performance.now();
        const reported = await work(round);
        const milliseconds = typeof reported === "number" ? reported : performance.now() - startedAt;
        if (round >= 0) times.get(name).push(milliseconds);
      } catch (error) {
        errors.set(name, shorten(error));
      }
    }
  }
  return new Map(
    [...times].map(([name, values]) => [name, errors.has(name) ? { error: errors.get(name) } : summarize(values)]),
  );
}

/** The load of the machine over the last minute: figures taken beside other work are no figures. */
export function load() {
  return loadavg()[0].toFixed(1);
}

export function pause(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

function shorten(error) {
  return String(error?.message ?? error)
    .split("\n")[0]
    .slice(0, 120);
}
