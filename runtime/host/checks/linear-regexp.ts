import { RE2JS } from "re2js";

/** What ajv needs of a regular expression. */
interface Matcher {
  test(text: string): boolean;
  /** ajv tells patterns apart by this. */
  toString(): string;
}

/** What `code.regExp` of ajv is. */
interface MakesMatchers {
  (pattern: string, flags: string): Matcher;
  code: string;
}

/** Of all patterns of one schema: about how many states their programs may have, half a second's work. */
const MAX_STATES = 200_000;

/**
 * Makes matchers for the patterns of one schema, which match in linear time: with the engine's own, twenty characters chosen by a
 * script can keep the host busy for ever. The few patterns that cannot be matched so (look-around, back references) are left
 * to the server, and so is what is too much to compile.
 */
export function makeLinearRegExps(): MakesMatchers {
  let states = 0;
  const makeMatcher = (pattern: string): Matcher => {
    states += countStates(pattern);
    try {
      if (states > MAX_STATES) return leaveToServer(pattern);
      const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
      return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
    } catch {
      return leaveToServer(pattern);
    }
  };
  // ajv prints this into the code of a validator that it exports; nothing is exported here.
  return Object.assign(makeMatcher, { code: "linearRegExp" });
}

/** At most: as if all of the pattern were repeated as often as any part of it. */
function countStates(pattern: string): number {
  const repetitions = [...pattern.matchAll(/(\d+)\}/g)].map(([, count]) => Number(count));
  return pattern.length * repetitions.reduce((most, count) => Math.max(most, count), 1);
}

function leaveToServer(pattern: string): Matcher {
  return { test: () => true, toString: () => pattern };
}
