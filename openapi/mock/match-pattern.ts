import { tokenizer } from "ret/dist/tokenizer.js";
import type { SetTokens, Token } from "ret/dist/types/tokens.js";
import { types } from "ret/dist/types/types.js";

/** A text that a pattern repeats more often is not worth its length. */
const MAX_REPEAT = 64;
const MAX_LENGTH = 2_000;
/** Characters that are tried where a set says what it does not have. */
const TRIED = [..."a0A_- /.:"].map((character) => character.charCodeAt(0));

/** The shortest text of the first choices of a pattern, such as `a000` for `^[a-z]\d{3}$`; nothing where that does not fit after all. */
export function matchPattern(pattern: string): string | undefined {
  try {
    const { options = [], stack = options[0] ?? [] } = tokenizer(pattern);
    const text = stack.map(write).join("");
    // Lookarounds and boundaries are not written: whether it fits is tried. A short text is tried fast.
    return text.length <= MAX_LENGTH && new RegExp(pattern, "u").test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

function write(token: Token): string {
  switch (token.type) {
    case types.CHAR:
      return String.fromCharCode(token.value);
    case types.SET:
      return writeSet(token.set, token.not);
    case types.REPETITION:
      return write(token.value).repeat(Math.min(token.min, MAX_REPEAT));
    case types.GROUP:
      if (token.followedBy === true || token.notFollowedBy === true || token.lookBehind === true) return "";
      return (token.stack ?? token.options?.[0] ?? []).map(write).join("");
    default:
      return "";
  }
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
