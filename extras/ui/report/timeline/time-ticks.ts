const STEPS = [1, 2, 5];

/** At most so many round times from 0 to the end, in milliseconds. */
export function timeTicks(endMs: number, most = 6): number[] {
  let step = 1;
  for (let power = 1; endMs / step > most; power *= 10) {
    step = STEPS.map((factor) => factor * power).find((candidate) => endMs / candidate <= most) ?? step;
  }
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_item, index) => index * step);
}
