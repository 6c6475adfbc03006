/** Bytes at random that nothing in the sandbox can tell in advance. */
export interface RandomBytes {
  /** `key`: eight unsigned 32-bit numbers of the host, which are for one run. */
  start(key: readonly number[]): void;
  next(): number;
}

/** "expand 32-byte k", as four little-endian words. */
const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const WORDS = 16;

/** The words that each quarter round takes: four columns, then four diagonals. */
const QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/**
 * Makes the key stream of ChaCha20 (RFC 8439, section 2.3) with a nonce of zeros: every key is used for one run only. Loading Node's own
 * generator would take a sandbox longer than all the rest of its start.
 */
export function makeRandomBytes(): RandomBytes {
  let key: readonly number[] = [];
  let blocks = 0;
  let used = 0;
  let block: Uint8Array = new Uint8Array();
  return {
    start(given) {
      key = given;
    },
    next() {
      if (used === block.length) {
        block = chachaBlock(key, blocks);
        blocks += 1;
        used = 0;
      }
      used += 1;
      return block[used - 1] as number;
    },
  };
}

/** The 64 bytes of one block. The counter takes two words, so it never comes round. */
export function chachaBlock(key: readonly number[], counter: number): Uint8Array {
  const start = Uint32Array.of(...CONSTANTS, ...key.slice(0, 8), counter, Math.floor(counter / 2 ** 32), 0, 0);
  const words = start.slice();
  for (let round = 0; round < 10; round += 1) {
    for (const [a, b, c, d] of QUARTERS) quarterRound(words, a, b, c, d);
  }
  const bytes = new DataView(new ArrayBuffer(WORDS * 4));
  for (let index = 0; index < WORDS; index += 1) {
    bytes.setUint32(index * 4, (words[index] as number) + (start[index] as number), true);
  }
  return new Uint8Array(bytes.buffer);
}

function quarterRound(words: Uint32Array, a: number, b: number, c: number, d: number): void {
  mix(words, a, b, d, 16);
  mix(words, c, d, b, 12);
  mix(words, a, b, d, 8);
  mix(words, c, d, b, 7);
}

/** Adds the second word to the first, and rotates the third by what comes of it. */
function mix(words: Uint32Array, sum: number, added: number, mixed: number, bits: number): void {
  const total = ((words[sum] as number) + (words[added] as number)) >>> 0;
  words[sum] = total;
  const changed = (words[mixed] as number) ^ total;
  words[mixed] = (changed << bits) | (changed >>> (32 - bits));
}
