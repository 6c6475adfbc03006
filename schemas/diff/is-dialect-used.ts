import { canonicalJson } from "../json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json/json.ts";
import { cleanSchema, toSchemaDocument } from "../json-schema/clean-schema.ts";
import { dialectOf } from "../json-schema/dialect.ts";

/** Tells whether one of two schemas means something else under the `$schema` of the other. */
export function isDialectUsed(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (!isJsonObject(before) || !isJsonObject(after) || dialectOf(before) === dialectOf(after)) return false;
  return [before, after].some((schema) => meaningOf(schema, before) !== meaningOf(schema, after));
}

/** What validators check under the dialect of `named`. */
function meaningOf(schema: JsonObject, named: JsonObject): string {
  const { $schema: _, ...rest } = schema;
  const dialect = ownValue(named, "$schema");
  const clean = cleanSchema(dialect === undefined ? rest : { $schema: dialect, ...rest }, "output");
  return canonicalJson(toSchemaDocument(clean));
}
