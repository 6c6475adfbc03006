import type { CodeKeywordDefinition, ErrorObject, Vocabulary } from "ajv";
import { _ } from "ajv/dist/compile/codegen/index.js";
import Ajv from "ajv/dist/core.js";
import { AJV_VOCABULARIES } from "../../../schemas/json-schema/ajv-vocabularies.ts";
import { type CleanSchema, toSchemaDocument } from "../../../schemas/json-schema/clean-schema.ts";
import { leaveOutPatterns } from "../../../schemas/json-schema/leave-out-patterns.ts";
import { validatorOptions } from "../../../schemas/json-schema/validator-options.ts";
import { makeEqualityKeywords } from "./equality-keywords.ts";
import { makeLinearPatterns } from "./linear-regexp.ts";

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
