import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../schemas/json/json.ts";

/** The dialects that servers print, and where each keeps its definitions. */
export const DIALECTS = {
  "draft-07": { uri: "http://json-schema.org/draft-07/schema#", definitions: "definitions" },
  "2019-09": { uri: "https://json-schema.org/draft/2019-09/schema", definitions: "$defs" },
  "2020-12": { uri: "https://json-schema.org/draft/2020-12/schema", definitions: "$defs" },
} as const;
export type DialectName = keyof typeof DIALECTS;

/** Few names and texts, so that keywords and values meet. */
const name = fc.constantFrom("a", "b", "ab");
const text = fc.constantFrom("", "a", "ab", "bb");
const number = fc.constantFrom(-1, 0, 0.5, 1, 2, 3);
const count = fc.integer({ min: 0, max: 2 });
const pattern = fc.constantFrom("^a", "b$", "^.{2}$");
const type = fc.constantFrom("null", "boolean", "integer", "number", "string", "array", "object");

/** Values that the schemas below judge. */
export const instance: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** A document of a dialect: a schema of some keywords, with references to two definitions and, for parts of a value, to itself. */
export function schemaDocument(dialect: DialectName): fc.Arbitrary<JsonObject> {
  const { uri, definitions } = DIALECTS[dialect];
  const reference = fc.constantFrom("one", "two").map((key): JsonObject => ({ $ref: `#/${definitions}/${key}` }));
  const itself = fc.constant<JsonObject>({ $ref: "#" });
  const own = schemaOf(dialect, fc.constant(true), fc.constant({}));
  return fc
    .record({ root: schemaOf(dialect, fc.oneof(reference, itself), reference), one: own, two: own })
    .map(({ root, one, two }) => ({ $schema: uri, allOf: [root], [definitions]: { one, two } }));
}

/** @param inner a further schema for parts of a value; @param beside keywords beside others, for the same value */
function schemaOf(
  dialect: DialectName,
  inner: fc.Arbitrary<JsonValue>,
  beside: fc.Arbitrary<JsonObject>,
): fc.Arbitrary<JsonObject> {
  const { schema } = fc.letrec<{ schema: JsonObject; any: JsonValue; part: JsonValue }>((tie) => {
    const any = tie("any");
    const part = tie("part");
    const all = [...sameValueKeywords(any), ...partKeywords(part), ...dialectKeywords(dialect, any, part), beside];
    return {
      schema: fc.array(fc.oneof({ maxDepth: 2 }, leaf, ...all), { minLength: 1, maxLength: 3 }).map(joinKeywords),
      any: fc.oneof({ weight: 1, arbitrary: fc.boolean() }, { weight: 7, arbitrary: tie("schema") }),
      part: fc.oneof({ weight: 1, arbitrary: inner }, { weight: 5, arbitrary: any }),
    };
  });
  return schema;
}

const joinKeywords = (parts: readonly JsonObject[]): JsonObject => Object.assign({}, ...parts) as JsonObject;
const keyword = (key: string, value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  value.map((one) => ({ [key]: one }));
const listOf = <T extends JsonValue>(item: fc.Arbitrary<T>): fc.Arbitrary<JsonValue> =>
  fc.array(item, { minLength: 1, maxLength: 2 });
const mapOf = (value: fc.Arbitrary<JsonValue>, key: fc.Arbitrary<string> = name): fc.Arbitrary<JsonValue> =>
  fc.dictionary(key, value, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
const names = fc.uniqueArray(name, { maxLength: 2 });

const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  keyword("type", type),
  keyword("type", fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  keyword("enum", fc.uniqueArray(fc.oneof(number, text, fc.constant(null)), { minLength: 1, maxLength: 3 })),
  keyword("const", instance),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"].map((key) => keyword(key, number)),
  keyword("multipleOf", fc.constantFrom(0.5, 1, 2)),
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"].map((key) =>
    keyword(key, count),
  ),
  keyword("pattern", pattern),
  keyword("uniqueItems", fc.boolean()),
  keyword("required", names),
);

const sameValueKeywords = (any: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject>[] => [
  ...["allOf", "anyOf", "oneOf"].map((key) => keyword(key, listOf(any))),
  keyword("not", any),
  ...["if", "then", "else"].map((key) => keyword(key, any)),
  fc.tuple(...["if", "then", "else"].map((key) => keyword(key, any))).map(joinKeywords),
];

const partKeywords = (part: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject>[] => [
  keyword("properties", mapOf(part)),
  keyword("patternProperties", mapOf(part, pattern)),
  ...["additionalProperties", "propertyNames", "contains"].map((key) => keyword(key, part)),
];

function dialectKeywords(
  dialect: DialectName,
  any: fc.Arbitrary<JsonValue>,
  part: fc.Arbitrary<JsonValue>,
): fc.Arbitrary<JsonObject>[] {
  const tuple = dialect === "2020-12" ? "prefixItems" : "items";
  const rest = dialect === "2020-12" ? "items" : "additionalItems";
  const arrays = [
    keyword("items", part),
    keyword(tuple, listOf(part)),
    fc.record({ [tuple]: listOf(part), [rest]: part }, { noNullPrototype: true }),
  ];
  if (dialect === "draft-07") return [...arrays, keyword("dependencies", mapOf(fc.oneof(any, names)))];
  return [
    ...arrays,
    keyword("dependentRequired", mapOf(names)),
    keyword("dependentSchemas", mapOf(any)),
    fc.record(
      { contains: part, minContains: count, maxContains: count },
      { requiredKeys: ["contains"], noNullPrototype: true },
    ),
    ...["unevaluatedProperties", "unevaluatedItems"].map((key) => keyword(key, part)),
  ];
}
