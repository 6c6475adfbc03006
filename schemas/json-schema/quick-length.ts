import { tokenizer } from "ret/dist/tokenizer.js";
import type { Token, Tokens } from "ret/dist/types/tokens.js";
import { types } from "ret/dist/types/types.js";

/** What an engine that tracks back may do to match: `ways` times the length of the text to the power of `loops`. */
interface Cost {
  ways: number;
  loops: number;
}

/** More choices than this count as a loop over the text. */
const MAX_CHOICES = 64;

/** The steps that a match may take: some hundredths of a second. */
const MAX_STEPS = 10_000_000;
/** Texts of arguments with a pattern are shorter. */
const LONG_TEXT = 1000;

const FIXED: Cost = { ways: 1, loops: 0 };

/**
 * The length up to which an engine that tracks back, like JavaScript's, matches a text quickly: `Infinity` for a pattern that is quick with any
 * usual text, 0 where the time can grow exponentially or the pattern cannot be read. It follows from the form of the pattern alone: some
 * honest patterns are slow by it.
 */
export function quickLength(pattern: string): number {
  try {
    const { ways, loops } = costOf(tokenizer(pattern));
    const degree = loops + (pattern.startsWith("^") ? 0 : 1);
    const length = Math.floor((MAX_STEPS / ways) ** (1 / degree));
    return length >= LONG_TEXT ? Infinity : length;
  } catch {
    return 0;
  }
}

function costOf(token: Tokens): Cost {
  switch (token.type) {
    case types.ROOT:
    case types.GROUP:
      return (token.options ?? [token.stack ?? []]).map(costOfSequence).reduce(either);
    case types.REPETITION:
      return costOfRepetition(token.min, token.max, costOf(token.value));
    case types.REFERENCE:
      return { ways: Infinity, loops: 0 };
    default:
      return FIXED;
  }
}

/** What looks ahead is tried once for each way to it, and adds to what follows. */
function costOfSequence(tokens: readonly Token[]): Cost {
  let path = FIXED;
  const looks: Cost[] = [];
  for (const token of tokens) {
    const cost = costOf(token);
    const both = { ways: path.ways * cost.ways, loops: path.loops + cost.loops };
    if (!isLook(token)) path = both;
    else if (!isFixed(cost)) looks.push(both);
  }
  return looks.reduce(either, path);
}

function isLook(token: Token): boolean {
  return token.type === types.GROUP && (token.followedBy === true || token.notFollowedBy === true);
}

function isFixed({ ways, loops }: Cost): boolean {
  return ways === 1 && loops === 0;
}

function either(left: Cost, right: Cost): Cost {
  return { ways: left.ways + right.ways, loops: Math.max(left.loops, right.loops) };
}

/** Each round of what has several ways multiplies them. */
function costOfRepetition(min: number, max: number, round: Cost): Cost {
  if (isFixed(round)) return max - min < MAX_CHOICES ? { ways: max - min + 1, loops: 0 } : { ways: 1, loops: 1 };
  if (max === 1) return { ways: round.ways + 1 - min, loops: round.loops };
  if (max > MAX_CHOICES) return { ways: Infinity, loops: 0 };
  return { ways: round.ways ** max * (max - min + 1), loops: round.loops * max };
}
