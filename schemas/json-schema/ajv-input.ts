import type { CodeKeywordDefinition, KeywordCxt, Vocabulary } from "ajv";
import { _, Name } from "ajv/dist/compile/codegen/index.js";
import { evaluatedPropsToName, mergeEvaluated, Type } from "ajv/dist/compile/util.js";
import vocabularies from "ajv/dist/vocabularies/draft2020.js";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import { type CleanNode, FORMATS, mapSubschemas } from "./keywords.ts";

// What ajv is given for a clean schema, the same in a binding and in the host: options, keywords, and the document without some patterns.

/** Of a quotient, behind the point: 19.99 is a multiple of 0.01 to every server, and not to a division of doubles. */
const MULTIPLE_OF_DIGITS = 8;

/**
 * The options of ajv's core for a document of `toSchemaDocument`, on which a binding and the host must agree. The form of the
 * document is checked already, so that ajv's meta schemas are not needed. `addUsedSchema` must stay on: without it ajv
 * does not find `#`. `allErrors` is for good reports.
 */
export function validatorOptions(document: JsonObject) {
  return {
    allErrors: true,
    formats: Object.fromEntries(FORMATS),
    inlineRefs: false,
    logger: false as const,
    meta: false,
    multipleOfPrecision: MULTIPLE_OF_DIGITS,
    next: true,
    ownProperties: true,
    strict: false,
    unevaluated: JSON.stringify(document).includes('"unevaluated'),
    validateSchema: false,
  };
}

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

/** The length of a text, in characters, up to which a pattern is held against it: `Infinity` for one that stays, 0 for one that is left out. */
export type CheckedLength = (pattern: string) => number;

type IsLeftOut = (pattern: string) => boolean;

/** Where a schema inside takes more values, the schema around it can take fewer. */
const REVERSING = new Set(["contains", "if", "not", "oneOf"]);

/** They count what the schemas beside them looked at. */
const COUNTING = new Set(["unevaluatedItems", "unevaluatedProperties"]);

/** A pattern that every name has. */
const ANY_NAME = "";

/** Whether a keyword says less where patterns are left out. */
type IsChange = (keyword: string, value: JsonValue) => boolean;

/**
 * A document of `toSchemaDocument` without some of its patterns, or with them for short texts alone. It takes every value that the whole document
 * takes, and maybe more: a keyword that could refuse a value because a pattern is missing is left out too.
 */
export function leaveOutPatterns(document: JsonObject, lengthOf: CheckedLength): JsonObject {
  const definitions = Object.entries((ownValue(document, "$defs") ?? {}) as JsonObject) as [string, CleanNode][];
  const known = new Map<string, number>();
  const checkedLength: CheckedLength = (pattern) => {
    const length = known.get(pattern) ?? lengthOf(pattern);
    known.set(pattern, length);
    return length;
  };
  const isLeftOut: IsLeftOut = (pattern) => checkedLength(pattern) < Infinity;
  const namesPattern: IsChange = (keyword, value) =>
    (keyword === "pattern" && isLeftOut(String(value))) ||
    (keyword === "patternProperties" && Object.keys(value as JsonObject).some(isLeftOut));
  if (![document, ...definitions.map(([, node]) => node)].some((node) => holds(node, namesPattern))) return document;

  const isOwnChange: IsChange = (keyword, value) => COUNTING.has(keyword) || namesPattern(keyword, value);
  const changed = findChanged(document, definitions, isOwnChange);
  const isChange: IsChange = (keyword, value) =>
    keyword === "$ref" ? changed.has(String(value)) : isOwnChange(keyword, value);
  const isDropped: IsChange = (keyword, value) =>
    COUNTING.has(keyword) ||
    (keyword === "pattern" && isLeftOut(String(value))) ||
    (REVERSING.has(keyword) && holdsBelow(keyword, value, isChange));

  const change = (node: CleanNode): CleanNode => (isJsonObject(node) ? changeNode(node) : node);
  const changeNode = (node: JsonObject): JsonObject => {
    const kept = Object.entries(node).filter(([keyword, value]) => !isDropped(keyword, value));
    const changedNode = toJsonObject(kept.map(([keyword, value]) => [keyword, changeValue(keyword, value)]));
    const pattern = ownValue(node, "pattern");
    const length = typeof pattern === "string" ? checkedLength(pattern) : Infinity;
    return length === 0 || length === Infinity ? changedNode : withShortTexts(changedNode, pattern as string, length);
  };
  const changeValue = (keyword: string, value: JsonValue): JsonValue => {
    if (keyword === "$defs") return toJsonObject(definitions.map(([name, node]) => [name, change(node)]));
    const mapped = mapSubschemas(keyword, value, change);
    return keyword === "patternProperties" ? withoutNames(mapped as JsonObject, isLeftOut) : mapped;
  };
  return changeNode(document);
}

/** Holds a pattern against texts up to a length. */
function withShortTexts(node: JsonObject, pattern: string, length: number): JsonObject {
  const others = (ownValue(node, "allOf") ?? []) as JsonValue[];
  return { ...node, allOf: [...others, { anyOf: [{ minLength: length + 1 }, { pattern }] }] };
}

/** Where the pattern of a name is missing, every name may be one that it means. */
function withoutNames(byPattern: JsonObject, isLeftOut: IsLeftOut): JsonObject {
  const kept = Object.entries(byPattern).filter(([pattern]) => !isLeftOut(pattern));
  if (kept.length === Object.keys(byPattern).length) return byPattern;
  return toJsonObject([[ANY_NAME, true], ...kept]);
}

/** The references to schemas that hold a change, also through other references. */
function findChanged(
  document: JsonObject,
  definitions: readonly [string, CleanNode][],
  isOwnChange: IsChange,
): ReadonlySet<string> {
  const changed = new Set<string>();
  const users = new Map<string, string[]>();
  const nodes = [["#", document] as const, ...definitions.map(([name, node]) => [`#/$defs/${name}`, node] as const)];
  for (const [reference, node] of nodes) {
    if (holds(node, isOwnChange)) changed.add(reference);
    holds(node, (keyword, value) => {
      if (keyword === "$ref") users.set(String(value), [...(users.get(String(value)) ?? []), reference]);
      return false;
    });
  }
  // A reference that joins the set is looked at in its turn.
  for (const reference of changed) for (const user of users.get(reference) ?? []) changed.add(user);
  return changed;
}

/** Whether a schema, or one inside of it, has a keyword that `isChange` says yes to. */
function holds(node: CleanNode, isChange: IsChange): boolean {
  if (!isJsonObject(node)) return false;
  return Object.entries(node).some(
    ([keyword, value]) => isChange(keyword, value) || holdsBelow(keyword, value, isChange),
  );
}

function holdsBelow(keyword: string, value: JsonValue, isChange: IsChange): boolean {
  let found = false;
  mapSubschemas(keyword, value, (node) => {
    found ||= holds(node, isChange);
    return node;
  });
  return found;
}
