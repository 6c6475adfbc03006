import type { ErrorObject } from "ajv";
import Ajv from "ajv/dist/core.js";
import vocabularies from "ajv/dist/vocabularies/draft2020.js";
import { type CleanSchema, toSchemaDocument } from "../../schemas/json-schema/clean-schema.ts";
import { validatorOptions } from "../../schemas/json-schema/validator-options.ts";
import { linearRegExp } from "./linear-regexp.ts";

/** Returns the errors of a value against a schema, none when it is valid. */
export type Validate = (value: unknown) => readonly ErrorObject[];

/**
 * Compiles a cleaned schema, which is of 2020-12 and refers to nothing outside of itself. Each schema has an instance of its
 * own, so that no server's schema can be seen from another's. Throws where the compiler gives up, for instance on
 * hundreds of nested references.
 */
export function compileSchema(schema: CleanSchema, options: { allErrors?: boolean } = {}): Validate {
  const document = toSchemaDocument(schema);
  const ajv = new Ajv.default({
    ...validatorOptions(document),
    ...options,
    code: { regExp: linearRegExp },
    verbose: true,
  });
  for (const vocabulary of vocabularies.default) ajv.addVocabulary(vocabulary);
  const validate = ajv.compile(document);
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}
