import type { CodeKeywordDefinition, KeywordCxt, Vocabulary } from "ajv";
import { _, Name } from "ajv/dist/compile/codegen/index.js";
import { evaluatedPropsToName, mergeEvaluated, Type } from "ajv/dist/compile/util.js";
import vocabularies from "ajv/dist/vocabularies/draft2020.js";

/** Changes one of ajv's definitions. */
type Change = (original: CodeKeywordDefinition) => CodeKeywordDefinition;

/** ajv 8.20 prints code for these keywords that gives wrong verdicts, or throws. */
const CHANGES: ReadonlyMap<string, Change> = new Map<string, Change>([
  // An array may be too short for it to say anything, and what follows it is then skipped below `not`, `if` and `anyOf`.
  ["prefixItems", ({ before: _before, ...original }) => original],
  // In a loop over arrays, an empty one has the verdict of the one before.
  ["contains", (original) => ({ ...original, code: countMatches })],
  // What earlier keywords have evaluated may also be `true`, or nothing.
  ["patternProperties", (original) => ({ ...original, code: (context) => withOwnProperties(context, original) })],
  ["unevaluatedItems", (original) => ({ ...original, code: (context) => withItemCount(context, original) })],
]);

/** ajv's keywords of 2020-12, in the order in which their code is printed. A binding and the host compile the same. */
export const AJV_VOCABULARIES: readonly Vocabulary[] = vocabularies.default.map((vocabulary) =>
  vocabulary.map((definition) => {
    if (typeof definition === "string") return definition;
    return CHANGES.get(String(definition.keyword))?.(definition as CodeKeywordDefinition) ?? definition;
  }),
);

/** All items count as evaluated, as in ajv. */
function countMatches(context: KeywordCxt): void {
  const { gen, data, it, parentSchema } = context;
  const { minContains: min = 1, maxContains: max } = parentSchema as { minContains?: number; maxContains?: number };
  if (min === 0 && max === undefined) return;
  context.setParams({ min, max });
  it.items = true;
  const count = gen.let("count", 0);
  const matches = gen.name("matches");
  gen.forRange("i", 0, _`${data}.length`, (i) => {
    context.subschema({ keyword: "contains", dataProp: i, dataPropType: Type.Num, compositeRule: true }, matches);
    const isDecided = max === undefined ? _`++${count} >= ${min}` : _`++${count} > ${max}`;
    gen.if(_`${matches} && ${isDecided}`, () => gen.break());
  });
  const isEnough = _`${count} >= ${min}`;
  context.result(max === undefined ? isEnough : _`${isEnough} && ${count} <= ${max}`, () => context.reset());
}

function withOwnProperties(context: KeywordCxt, { code }: CodeKeywordDefinition): void {
  const { gen, it } = context;
  const before = it.props;
  if (!(before instanceof Name)) return code(context);
  it.props = evaluatedPropsToName(gen);
  code(context);
  it.props = mergeEvaluated.props(gen, it.props, before, Name);
}

function withItemCount(context: KeywordCxt, { code }: CodeKeywordDefinition): void {
  const { gen, data, it } = context;
  const { items } = it;
  if (items instanceof Name) it.items = gen.const("items", _`${items} === true ? ${data}.length : ${items} || 0`);
  code(context);
}
