import type { JsonObject } from "../json/json.ts";
import { FORMATS } from "./keywords.ts";

/** The options of ajv on which a binding and the host must agree. */
export interface ValidatorOptions {
  allErrors: boolean;
  formats: Record<string, RegExp>;
  inlineRefs: boolean;
  logger: false;
  meta: boolean;
  multipleOfPrecision: number;
  next: boolean;
  ownProperties: boolean;
  strict: boolean;
  unevaluated: boolean;
  validateSchema: boolean;
}

/** Of a quotient, behind the point: 19.99 is a multiple of 0.01 to every server, and not to a division of doubles. */
const MULTIPLE_OF_DIGITS = 8;

/**
 * The options of ajv's core for a document of `toSchemaDocument`, the same wherever it is compiled. The form of the
 * document is checked already, so that ajv's meta schemas are not needed. `addUsedSchema` must stay on: without it ajv
 * does not find `#`. `allErrors` is for good reports.
 */
export function validatorOptions(document: JsonObject): ValidatorOptions {
  return {
    allErrors: true,
    formats: Object.fromEntries(FORMATS),
    inlineRefs: false,
    logger: false,
    meta: false,
    multipleOfPrecision: MULTIPLE_OF_DIGITS,
    next: true,
    ownProperties: true,
    strict: false,
    unevaluated: JSON.stringify(document).includes('"unevaluated'),
    validateSchema: false,
  };
}
