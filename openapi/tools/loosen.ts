import { arrayAt, defined, fromMembers, type Json, type JsonObject, isObject, member, objectAt } from "../json.ts";
import { listSubschemas, mapParts } from "./walk-schema.ts";

const LOOSENED = /"(?:not|if|maxContains|unevaluatedProperties|unevaluatedItems)":/;

/** Whether a schema has keywords that would refuse more where something beneath them accepts more. */
export function isStrictSchema(schema: Json): boolean {
  return LOOSENED.test(JSON.stringify(schema));
}

/**
 * Takes out what would refuse a value because something beside or beneath it accepts more than the document says: a schema that is shortened
 * accepts more, and never less.
 * @param isWider whether what a reference leads to does
 */
export function loosen(schema: Json, isWider: (reference: string) => boolean): Json {
  if (!isStrictSchema(schema)) return schema;
  const loosenOne = (value: Json): Json => {
    if (!isObject(value)) return value;
    const dropped = new Set([
      ...(reachesWider(member(value, "not"), isWider) ? ["not"] : []),
      ...(reachesWider(member(value, "if"), isWider) ? ["if", "then", "else"] : []),
      ...(reachesWider(member(value, "contains"), isWider) ? ["maxContains"] : []),
      // What a part says of members is not known where it is shortened.
      ...(reachesWider(value, isWider) ? ["unevaluatedProperties", "unevaluatedItems"] : []),
    ]);
    const kept = fromMembers(Object.entries(value).filter(([name]) => !dropped.has(name)));
    return mapParts(kept, loosenOne);
  };
  return loosenOne(schema);
}

function reachesWider(value: Json | undefined, isWider: (reference: string) => boolean): boolean {
  if (!isObject(value)) return false;
  const reference = member(value, "$ref");
  if (typeof reference === "string" && isWider(reference)) return true;
  return listSubschemas(value).some((child) => reachesWider(child, isWider));
}

const LEFT_OUT = "Any value: its schema is left out, because the whole is large.";
const OUTLINED = "Its other members are left out, because the whole is large.";

/** What stays of a schema for which there is no room: the members that tell it apart from others, so that a union stays one. */
export function outline(schema: Json, maxLength: number): JsonObject {
  const nothing = { description: LEFT_OUT };
  if (!isObject(schema)) return nothing;
  const telling = Object.entries(objectAt(schema, "properties") ?? {}).filter(([, property]) => isTelling(property));
  if (telling.length === 0) return nothing;
  const names = new Set(telling.map(([name]) => name));
  const required = arrayAt(schema, "required").filter((name) => typeof name === "string" && names.has(name));
  const short = {
    ...defined({ type: member(schema, "type") }),
    description: OUTLINED,
    properties: fromMembers(telling.map(([name, property]) => [name, withoutWords(property)])),
    ...defined({ required: required.length > 0 ? required : undefined }),
  };
  return JSON.stringify(short).length <= maxLength ? short : nothing;
}

const MAX_TELLING = 3;

function isTelling(property: Json | undefined): boolean {
  if (!isObject(property)) return false;
  const listed = arrayAt(property, "enum");
  return member(property, "const") !== undefined || (listed.length > 0 && listed.length <= MAX_TELLING);
}

function withoutWords(property: Json | undefined): Json {
  if (!isObject(property)) return {};
  return fromMembers(["type", "const", "enum"].map((name) => [name, member(property, name)]));
}
