import type { JsonValue } from "../../schemas/json/json.ts";

/** An answer as the SDK types it: what is a JSON value here has the members that the schema of the protocol asks for. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- where the answer is used says which type it has
export function asSdk<Answer>(answer: object): Answer {
  return answer as Answer;
}

/** Takes any JSON. */
const ANY_JSON = {
  "~standard": { version: 1, vendor: "codemode", validate: (value: unknown) => ({ value: value as JsonValue }) },
} as const;

/** The schemas of a method that looks at its parameters itself. */
export const JSON_METHOD = { params: ANY_JSON, result: ANY_JSON };
