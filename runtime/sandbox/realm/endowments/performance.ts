export interface Performance {
  now(): number;
  readonly timeOrigin: number;
  toJSON(): { timeOrigin: number };
}

/** `start` is to be called when the script starts: from then on its time is counted, in whole milliseconds of the clock that `Date` has. */
export function makePerformance(clock: () => number): { performance: Performance; start(): void } {
  let origin = 0;
  let latest = 0;
  const performance = {
    now() {
      latest = Math.max(latest, clock() - origin); // A clock that is set back does not turn time around.
      return latest;
    },
    get timeOrigin() {
      return origin;
    },
    toJSON: () => ({ timeOrigin: origin }),
  };
  const start = (): void => {
    origin = clock();
  };
  return { performance, start };
}
