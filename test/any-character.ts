import fc from "fast-check";

const SURROGATES = { first: 0xd8_00, count: 0x8_00 };

/**
 * A character of any code point, for `fc.string({ unit: ANY_CHARACTER })`. The unit "binary" of fast-check means the same, and makes a table of a
 * million entries before its first text.
 */
export const ANY_CHARACTER = fc.integer({ min: 0, max: 0x10_ff_ff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (text) => {
    const point = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (point === undefined || String.fromCodePoint(point) !== text) throw new Error("no single character");
    return point < SURROGATES.first ? point : point - SURROGATES.count;
  },
);
