/** `Math`, with a `random` that gives the same numbers for the same seed. */
export function makeSeededMath(seed: readonly number[]): Math {
  const next = makeXoshiro128(seed);
  const { random } = {
    random: (): number => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53,
  };
  const members = Object.getOwnPropertyDescriptors(Math);
  return Object.defineProperties(Object.create(Object.prototype) as Math, {
    ...members,
    random: { value: random, writable: true, enumerable: false, configurable: true },
  });
}

/** xoshiro128** by David Blackman and Sebastiano Vigna (2018): unsigned 32-bit numbers. It keeps no secret. */
function makeXoshiro128(seed: readonly number[]): () => number {
  let [a = 1, b = 0, c = 0, d = 0] = seed;
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
}

function rotate(bits: number, count: number): number {
  return (bits << count) | (bits >>> (32 - count));
}
