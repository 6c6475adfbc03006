/**
 * A small generator of pseudo-random numbers (Mulberry32): the same seed gives the same numbers on every machine.
 *
 * @param {number} seed a 32-bit integer
 */
function makeRandom(seed) {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  /** An integer from 0 to `limit - 1`. */
  const below = (limit) => Math.floor(next() * limit);
  /** One of the items; undefined where there are none. */
  const pick = (items) => items[below(items.length)];
  return { below, pick, isLikely: (chance) => next() < chance };
}

/** The generator of one program: it depends on nothing that was made before. */
export function randomOf(seed, index) {
  return makeRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
}
