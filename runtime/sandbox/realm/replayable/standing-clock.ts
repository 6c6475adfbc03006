/** A clock that stands still until it is moved. */
export interface StandingClock {
  /** The time that a script reads, in whole milliseconds since 1970. */
  now(): number;
  /** The same, for others than the script. */
  peek(): number;
  /** Moves the clock forward; it never goes back. */
  moveTo(timeMs: number): void;
}

/** So often a script may look at the clock before a millisecond has passed. A loop that waits for a time comes to its end by that. */
const LOOKS_PER_MILLISECOND = 1000;

export function makeStandingClock(startMs: number): StandingClock {
  let timeMs = startMs;
  let looks = 0;
  return {
    now() {
      looks += 1;
      if (looks % LOOKS_PER_MILLISECOND === 0) timeMs += 1;
      return timeMs;
    },
    peek: () => timeMs,
    moveTo(newTimeMs) {
      timeMs = Math.max(timeMs, newTimeMs);
    },
  };
}
