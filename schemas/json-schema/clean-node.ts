import type { JsonObject } from "../json/json.ts";

/** A schema of JSON Schema 2020-12 whose every keyword is known and well formed. */
export type CleanNode = boolean | JsonObject;

/** A part of a schema that was dropped, so that it is not checked. */
export interface SchemaProblem {
  /** JSON pointer to the part, in the schema as sent. */
  pointer: string;
  message: string;
}
