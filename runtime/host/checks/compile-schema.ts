import type { CodeKeywordDefinition, ErrorObject, Vocabulary, FuncKeywordDefinition } from "ajv";
import { _ } from "ajv/dist/compile/codegen/index.js";
import Ajv from "ajv/dist/core.js";
import { AJV_VOCABULARIES, validatorOptions, leaveOutPatterns } from "../../../schemas/json-schema/ajv-input.ts";
import { type CleanSchema, toSchemaDocument } from "../../../schemas/json-schema/clean-schema.ts";
import { makeLinearPatterns } from "./linear-regexp.ts";
import { canonicalJson } from "../../../schemas/json/canonical-json.ts";
import type { JsonValue } from "../../../schemas/json/json.ts";

/** Returns the errors of a value against a schema, none when it is valid. */
export type Validate = (value: unknown) => readonly ErrorObject[];

/**
 * References that one check may follow. Without them a check costs no more than schema times value; with them, a schema of
 * thirty lines can have a check that outlives the process, and an honest union of recursive types gets near on a hostile value.
 */
const MAX_STEPS = 100_000;

/** Values are compared by their text; so much of it counts as one step. */
const CHARACTERS_OF_A_STEP = 256;

/**
 * Compiles a cleaned schema, which is of 2020-12 and refers to nothing outside of itself. Each schema has an instance of its
 * own, so that no server's schema can be seen from another's. A value whose check takes too many steps is refused. Throws where
 * the compiler gives up, for instance on hundreds of nested references.
 */
export function compileSchema(schema: CleanSchema, options: { allErrors?: boolean } = {}): Validate {
  const patterns = makeLinearPatterns();
  const document = leaveOutPatterns(toSchemaDocument(schema), patterns.checkedLength);
  const ajv = new Ajv.default({
    ...validatorOptions(document),
    ...options,
    code: { regExp: patterns.regExp },
    verbose: true,
  });
  let steps = 0;
  const take = (count: number): void => {
    steps += count;
    if (steps > MAX_STEPS) throw new TooManySteps();
  };
  const equality = makeEqualityKeywords((characters) => take(characters / CHARACTERS_OF_A_STEP));
  for (const vocabulary of AJV_VOCABULARIES) {
    ajv.addVocabulary(toBounded(vocabulary, { step: () => take(1), equality }));
  }
  const validate = ajv.compile(document);
  return (value) => {
    steps = 0;
    try {
      return validate(value) ? [] : (validate.errors ?? []);
    } catch (error) {
      if (error instanceof TooManySteps) return [TOO_MANY_STEPS];
      throw error;
    }
  };
}

class TooManySteps extends Error {}

const TOO_MANY_STEPS: ErrorObject = {
  keyword: "$ref",
  instancePath: "",
  schemaPath: "#",
  params: {},
  message: "must be smaller: to check it against its schema takes too many steps",
};

interface Bounds {
  /** To be called for each reference that is followed. */
  step: () => void;
  equality: ReturnType<typeof makeEqualityKeywords>;
}

/** The same keywords: references are counted, and equality is our own. */
function toBounded(vocabulary: Vocabulary, { step, equality }: Bounds): Vocabulary {
  return vocabulary.map((definition) => {
    if (typeof definition === "string") return definition;
    const own = equality.get(String(definition.keyword));
    if (own !== undefined) return own;
    return definition.keyword === "$ref" ? countSteps(definition as CodeKeywordDefinition, step) : definition;
  });
}

function countSteps(reference: CodeKeywordDefinition, step: () => void): CodeKeywordDefinition {
  return {
    ...reference,
    code(context, ruleType) {
      context.gen.code(_`${context.gen.scopeValue("func", { ref: step })}()`);
      reference.code(context, ruleType);
    },
  };
}

/** Receives the number of characters of canonical text that a comparison creates. May throw, which ends the check. */
type Charge = (characters: number) => void;

/**
 * Makes the keywords that compare values, by their canonical text. The compiler's own comparison calls methods of the values that it
 * compares, so that a property `toString` in an input would throw; it also takes time by the number of members for each value.
 *
 * @param charge because a schema can have the same large value printed once for each of its levels, or for each of its branches
 */
export function makeEqualityKeywords(charge: Charge): ReadonlyMap<string, FuncKeywordDefinition> {
  const print = (value: JsonValue): string => {
    const text = canonicalJson(value);
    charge(text.length);
    return text;
  };
  const isOneOf = (allowed: readonly JsonValue[]): ((value: JsonValue) => boolean) => {
    const texts = new Set(allowed.map(canonicalJson));
    const hasObjects = allowed.some((value) => typeof value === "object" && value !== null);
    return (value) => (hasObjects || typeof value !== "object" || value === null) && texts.has(print(value));
  };
  const definitions: FuncKeywordDefinition[] = [
    {
      keyword: "const",
      error: { message: "must be equal to constant", params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
      compile: (allowed: JsonValue) => isOneOf([allowed]),
    },
    {
      keyword: "enum",
      schemaType: "array",
      error: {
        message: "must be equal to one of the allowed values",
        params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
      },
      compile: isOneOf,
    },
    {
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      error: { message: "must NOT have duplicate items" },
      validate: (isWanted: boolean, items: readonly JsonValue[]) =>
        !isWanted || items.length < 2 || new Set(items.map(print)).size === items.length,
    },
  ];
  return new Map(definitions.map((definition) => [String(definition.keyword), definition]));
}
