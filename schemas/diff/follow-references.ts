import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { indexReferences, type References } from "../json-schema/references.ts";
import { dialectOf } from "../json-schema/keywords.ts";

/** Follows a reference of one schema: what it leads to with the keywords beside it, or undefined where that is not clear. */
export type FollowReference = (schema: JsonObject) => JsonObject | undefined;

/** Hostile schemas lead from each reference to many others. */
const MAX_FOLLOWED = 500;

/**
 * What a reference may have beside it: words, and definitions. With a keyword that checks, such as `additionalProperties`, it means
 * something else than one schema with both.
 */
const BESIDE = new Set([
  ...["$comment", "$defs", "$id", "$schema", "definitions"],
  ...["default", "deprecated", "description", "examples", "readOnly", "title", "writeOnly"],
]);

/** Follows references within one document; after `MAX_FOLLOWED` it follows none, and none where parts have addresses of their own. */
export function makeFollowing(document: JsonValue | undefined): FollowReference {
  let references: References | undefined;
  let hasParts: boolean | undefined;
  let left = MAX_FOLLOWED;
  return (schema) => {
    const { $ref, ...beside } = schema;
    if ($ref === undefined) return schema;
    if (typeof $ref !== "string" || !$ref.startsWith("#") || document === undefined || left === 0) return undefined;
    if (!Object.keys(beside).every((keyword) => BESIDE.has(keyword))) return undefined;
    left -= 1;
    hasParts ??= JSON.stringify(withoutOwnId(document)).includes('"$id"');
    if (hasParts) return undefined;
    references ??= indexReferences(document, dialectOf(document));
    const target = references.find(schema, $ref)?.schema;
    if (!isJsonObject(target)) return undefined;
    return { ...target, ...beside };
  };
}

function withoutOwnId(document: JsonValue): JsonValue {
  if (!isJsonObject(document)) return document;
  const { $id: _, ...rest } = document;
  return rest;
}
