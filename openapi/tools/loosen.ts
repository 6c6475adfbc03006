import { arrayAt, defined, fromMembers, type Json, type JsonObject, isObject, member, objectAt } from "../json.ts";

/** What is beneath these is a value, and no schema. */
const VALUES = new Set(["examples", "default", "enum", "const"]);
/** The members of these have names of the document. */
const MAPS = new Set(["properties", "patternProperties", "$defs"]);
const LOOSENED = /"(?:not|if|maxContains|unevaluatedProperties|unevaluatedItems)":/;

/**
 * Takes out what would refuse a value because something beside or beneath it accepts more than the document says: a schema that is shortened
 * accepts more, and never less.
 * @param isWider whether what a reference leads to does
 */
export function loosen(schema: Json, isWider: (reference: string) => boolean): Json {
  if (!LOOSENED.test(JSON.stringify(schema))) return schema;
  const loosenOne = (value: Json): Json => {
    if (!isObject(value)) return value;
    const dropped = new Set([
      ...(reachesWider(member(value, "not"), isWider) ? ["not"] : []),
      ...(reachesWider(member(value, "if"), isWider) ? ["if", "then", "else"] : []),
      ...(reachesWider(member(value, "contains"), isWider) ? ["maxContains"] : []),
      // What a part says of members is not known where it is shortened.
      ...(reachesWider(value, isWider) ? ["unevaluatedProperties", "unevaluatedItems"] : []),
    ]);
    return fromMembers(
      Object.entries(value).flatMap(([name, child]) => {
        if (child === undefined || dropped.has(name)) return [];
        if (VALUES.has(name)) return [[name, child] as const];
        if (Array.isArray(child)) return [[name, child.map(loosenOne)] as const];
        return [[name, MAPS.has(name) && isObject(child) ? mapMembers(child, loosenOne) : loosenOne(child)] as const];
      }),
    );
  };
  return loosenOne(schema);
}

function mapMembers(value: JsonObject, map: (child: Json) => Json): JsonObject {
  return fromMembers(
    Object.entries(value).map(([name, child]) => [name, child === undefined ? undefined : map(child)]),
  );
}

function reachesWider(value: Json | undefined, isWider: (reference: string) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => reachesWider(item, isWider));
  if (!isObject(value)) return false;
  const reference = member(value, "$ref");
  if (typeof reference === "string" && isWider(reference)) return true;
  return Object.entries(value).some(([name, child]) => !VALUES.has(name) && reachesWider(child, isWider));
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
