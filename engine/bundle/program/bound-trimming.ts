import type { Plugin } from "rollup";

/** Lengths of white space from which the bundler's trimming is slow. */
const LONG_SPACE = /\s{100}/;

/** A statement without effect. The bundler writes the word again, so that it is a piece of its own. */
const LAST_STATEMENT = "\nthis;";

/**
 * Ends modules with a small piece of text. The bundler trims the last piece of each module with `/\s+$/`, which takes quadratic time for
 * white space anywhere in it: minutes for 100 kB. Most modules are one piece.
 *
 * @param isWhole true for modules that the bundler leaves nothing out of
 */
export function boundTrimming(isWhole: (id: string) => boolean): Plugin {
  return {
    name: "codemode-bound-trimming",
    transform(code, id) {
      return isWhole(id) && LONG_SPACE.test(code) ? { code: code + LAST_STATEMENT, map: null } : null;
    },
  };
}
