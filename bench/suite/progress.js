/**
 * Says how far the benchmarks are.
 * @param parts what will be measured, in order, each with the `minutes` that it is expected to take
 * @param pace how many of these minutes one really takes, until the first part has ended
 */
export function makeProgress(parts, pace, now = () => performance.now()) {
  const startedAt = now();
  return {
    /** The line before a part begins: its place, the time it took so far, and what is left at the pace so far. */
    describe(name) {
      const index = parts.findIndex((part) => part.name === name);
      const gone = (now() - startedAt) / 60_000;
      const sum = (some) => some.reduce((total, { minutes }) => total + minutes, 0);
      const done = sum(parts.slice(0, index));
      const left = sum(parts.slice(index)) * (done === 0 ? pace : gone / done);
      return `${index + 1} of ${parts.length}: ${name} … ${printMinutes(gone)} gone, about ${printMinutes(left)} left`;
    },
  };
}

function printMinutes(minutes) {
  return minutes < 1 ? `${Math.round(minutes * 60)} s` : `${minutes.toFixed(1)} min`;
}
