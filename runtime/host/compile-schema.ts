import Ajv from "ajv/dist/core.js";
import { type ErrorObject } from "ajv";
import vocabularies from "ajv/dist/vocabularies/draft2020.js";
import { type CleanSchema, toSchemaDocument } from "../../schemas/json-schema/clean-schema.ts";
import { FORMATS } from "../../schemas/json-schema/formats.ts";

/** Returns the errors of a value against a schema, none when it is valid. */
export type Validate = (value: unknown) => readonly ErrorObject[];

/**
 * Compiles a cleaned schema, which is of 2020-12 and refers to nothing outside of itself. Each schema has an instance of its
 * own, so that no server's schema can be seen from another's.
 */
export function compileSchema(schema: CleanSchema): Validate {
  const ajv = new Ajv.default({
    addUsedSchema: false,
    allErrors: true,
    formats: Object.fromEntries(FORMATS),
    logger: false,
    meta: false,
    next: true,
    ownProperties: true,
    strict: false,
    unevaluated: true,
    validateSchema: false,
    verbose: true,
  });
  for (const vocabulary of vocabularies.default) ajv.addVocabulary(vocabulary);
  const validate = ajv.compile(toSchemaDocument(schema));
  return (value) => (validate(value) ? [] : (validate.errors ?? []));
}
