import { shortenText } from "../../../schemas/text/short-text.ts";
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

/** The matchers for the patterns of one schema. */
export interface LinearPatterns {
  /** For `leaveOutPatterns`: 0 for a pattern that cannot be matched in linear time, or is too much to compile. It is left to the server. */
  checkedLength(pattern: string): number;
  regExp: MakesMatchers;
}

/** Of a pattern in a message, in characters: a server may give a long one. */
const LONGEST_SHOWN = 120;

/** Of all patterns of one schema: about how many states their programs may have, half a second's work. */
const MAX_STATES = 200_000;

/**
 * Makes matchers for the patterns of one schema, which match in linear time: with the engine's own, twenty characters chosen by a
 * script can keep the host busy for ever. A few patterns (look-around, back references) cannot be matched so.
 */
export function makeLinearPatterns(): LinearPatterns {
  let states = 0;
  const known = new Map<string, Matcher | undefined>();
  const compile = (pattern: string): Matcher | undefined => {
    states += countStates(pattern);
    if (states > MAX_STATES) return undefined;
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
      return { test: (text) => compiled.matcher(text).find(), toString: () => pattern };
    } catch {
      return undefined;
    }
  };
  const find = (pattern: string): Matcher | undefined => {
    if (!known.has(pattern)) known.set(pattern, compile(pattern));
    return known.get(pattern);
  };
  const makeMatcher = (pattern: string): Matcher => {
    const matcher = find(pattern);
    if (matcher === undefined)
      throw new Error(`The pattern ${shortenText(pattern, LONGEST_SHOWN)} is not one that is matched here.`);
    return matcher;
  };
  // ajv prints this into the code of a validator that it exports; nothing is exported here.
  const regExp = Object.assign(makeMatcher, { code: "linearRegExp" });
  return { checkedLength: (pattern) => (find(pattern) === undefined ? 0 : Infinity), regExp };
}

/** At most: as if all of the pattern were repeated as often as any part of it. */
function countStates(pattern: string): number {
  const repetitions = [...pattern.matchAll(/(?<!\d)(\d+)\}/g)].map(([, count]) => Number(count));
  return pattern.length * repetitions.reduce((most, count) => Math.max(most, count), 1);
}
