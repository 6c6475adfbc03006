import { EXPRESSION_MUTATIONS } from "./mutations/expressions.mjs";
import { MODULE_MUTATIONS } from "./mutations/modules.mjs";
import { NAME_MUTATIONS } from "./mutations/names.mjs";
import { STATEMENT_MUTATIONS } from "./mutations/statements.mjs";
import { TEXT_MUTATIONS } from "./mutations/text.mjs";
import { TYPE_MUTATIONS } from "./mutations/types.mjs";
import { parseTree } from "./parse-tree.mjs";

const MAX_MUTATIONS = 3;
const MAX_CHARACTERS = 12_000;

/** What knows the grammar comes up twice as often. */
const FAMILIES = [
  ...[STATEMENT_MUTATIONS, EXPRESSION_MUTATIONS, NAME_MUTATIONS, MODULE_MUTATIONS],
  ...[STATEMENT_MUTATIONS, EXPRESSION_MUTATIONS, NAME_MUTATIONS, MODULE_MUTATIONS],
  TEXT_MUTATIONS,
];

/**
 * Makes a program of a seed by some mutations. One that a mutation does not fit is tried again with another.
 *
 * @param {{ code: string, isTyped: boolean }[]} seeds
 * @returns {{ code: string, isTyped: boolean }} typed where it has to be read as TypeScript
 */
export function mutate(seeds, random) {
  const { pick, below, isLikely } = random;
  const seed = pick(seeds);
  let { code, isTyped } = seed;
  for (let left = 1 + below(MAX_MUTATIONS); left > 0; left -= 1) {
    const tree = parseTree(code);
    const addsTypes = tree !== undefined && isLikely(0.1);
    const family = tree === undefined ? TEXT_MUTATIONS : addsTypes ? TYPE_MUTATIONS : pick(FAMILIES);
    const other = parseTree(pick(seeds).code);
    const isBare = tree !== undefined && tree.statements.length === 0;
    const mutated = isBare ? undefined : pick(family)(tree ?? { code }, random, other);
    if (mutated === undefined || mutated.length > MAX_CHARACTERS) continue;
    code = mutated;
    isTyped ||= addsTypes;
  }
  return { code, isTyped };
}
