import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import { describeMismatch } from "@codemode/runtime/validation";
import { compileSchema } from "./checks/compile-schema.ts";
import type { Diagnostic } from "../../schemas/run/answer.ts";
import { cleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import type { JsonValue } from "../../schemas/json/json.ts";

/** In characters of its JSON. The sender of code also sends its schema, and the compiler runs in the host: this size takes a second. */
const LONGEST_SCHEMA = 64 * 1024;

const UNUSABLE: Diagnostic = {
  severity: "error",
  code: "INPUT_MISMATCH",
  message:
    "The schema in `export const input` cannot be used: it is too long or too deep, or refers to itself endlessly.",
  hint: "Make the schema simpler.",
};

/** Holds the input of a run against the schema that its script declares; nothing where it fits, or any input does. */
export function checkScriptInput(schema: JsonValue | undefined, input: JsonValue): Diagnostic | undefined {
  if (schema === undefined) return undefined;
  let issues;
  try {
    if (JSON.stringify(schema).length > LONGEST_SCHEMA) return UNUSABLE;
    // A script reads its input as it reads outputs: nothing fills in defaults for it.
    issues = compileSchema(cleanSchema(schema, "output"))(input);
  } catch {
    return UNUSABLE;
  }
  if (issues.length === 0) return undefined;
  const { pointer, expected, received, hint } = describeMismatch(input, issues);
  const place = pointer === "" ? "The input" : `"${pointer}" of the input`;
  return {
    severity: "error",
    code: "INPUT_MISMATCH",
    message: `${place} should be ${expected}, received ${received}.`,
    hint,
    ...withoutUndefined({ path: pointer === "" ? undefined : pointer }),
    errorClass: "SchemaValidationError",
  };
}
