import { tokenizer } from "ret/dist/tokenizer.js";
import type { SetTokens, Token } from "ret/dist/types/tokens.js";
import { types } from "ret/dist/types/types.js";
import { withinTime } from "./within-time.ts";

/** A token is not repeated more often, unless it must be. */
const MAX_REPEAT = 64;
const MAX_LENGTH = 2_000;
/** Characters that are tried where a set says what it does not have. */
const TRIED = Array.from("a0A_- /.:", (character) => character.charCodeAt(0));

/** Of one value: a document can have thousands of patterns, each as slow as may be. */
export interface PatternBudget {
  isSpent?: boolean;
}

/**
 * A text of the first choices of a pattern, such as `a000` for `^[a-z]\d{3}$`: the shortest, or one with more repetitions where it must be
 * longer. Nothing where that does not fit after all, or takes too long to try; then `budget` is spent, and no other pattern is tried with it.
 */
export function matchPattern(pattern: string, minLength = 0, budget: PatternBudget = {}): string | undefined {
  if (budget.isSpent === true) return undefined;
  try {
    const { options = [], stack = options[0] ?? [] } = tokenizer(pattern);
    const texts = [0, minLength].map((more) => stack.map((token) => write(token, more)).join(""));
    const text = texts.find(({ length }) => length >= minLength && length <= MAX_LENGTH);
    if (text === undefined) return undefined;
    // Lookarounds and boundaries are not written: whether it fits is tried.
    const tried = withinTime(() => new RegExp(pattern, "u").test(text));
    budget.isSpent = tried === undefined;
    return tried?.value === true ? text : undefined;
  } catch {
    return undefined;
  }
}

/** `more` is how often a token is repeated beyond what it must be. */
function write(token: Token, more: number): string {
  switch (token.type) {
    case types.CHAR:
      return String.fromCharCode(token.value);
    case types.SET:
      return writeSet(token.set, token.not);
    case types.REPETITION:
      return repeat(write(token.value, more), Math.min(token.min + more, token.max, Math.max(token.min, MAX_REPEAT)));
    case types.GROUP:
      if (token.followedBy === true || token.notFollowedBy === true || token.lookBehind === true) return "";
      return (token.stack ?? token.options?.[0] ?? []).map((inner) => write(inner, more)).join("");
    default:
      return "";
  }
}

/** Repetitions of repetitions are refused before they fill the memory. */
function repeat(text: string, count: number): string {
  if (text.length * count > MAX_LENGTH) throw new RangeError("the text is too long");
  return text.repeat(count);
}

function writeSet(set: SetTokens, isNot: boolean): string {
  if (isNot) return String.fromCharCode(TRIED.find((code) => !hasCode(set, code)) ?? 97);
  const [first] = set;
  if (first === undefined) return "";
  if (first.type === types.CHAR) return String.fromCharCode(first.value);
  return first.type === types.RANGE ? String.fromCharCode(first.from) : writeSet(first.set, first.not);
}

function hasCode(set: SetTokens, code: number): boolean {
  return set.some((token) => {
    if (token.type === types.CHAR) return token.value === code;
    if (token.type === types.RANGE) return token.from <= code && code <= token.to;
    return hasCode(token.set, code) !== token.not;
  });
}
