import { randomFillSync } from "node:crypto";

/** Words are made in advance: each question to the system costs a run some microseconds. */
const words = new Uint32Array(512);
let used = words.length;

/** Takes so many unsigned 32-bit numbers at random, 512 at most, that nothing else gets. */
export function takeRandomWords(count: number): number[] {
  if (used + count > words.length) {
    randomFillSync(words);
    used = 0;
  }
  const taken = [...words.subarray(used, used + count)];
  words.fill(0, used, used + count); // What a run makes its secrets of stays nowhere else.
  used += count;
  return taken;
}
