import { fromMembers, type Json, type JsonObject, isObject } from "../json.ts";

/** What is beneath these is a value, and no schema. */
const VALUES = new Set(["examples", "default", "enum", "const", "required", "dependentRequired"]);
/** The members of these have names of the document. */
const MAPS = new Set(["properties", "patternProperties", "$defs"]);

/** The same schema with others in the place of those within it. A property may be called like a keyword. */
export function mapParts(schema: JsonObject, map: (child: Json) => Json): JsonObject {
  return fromMembers(
    Object.entries(schema).map(([name, child]) => {
      if (child === undefined || VALUES.has(name)) return [name, child];
      if (Array.isArray(child)) return [name, child.map(map)];
      return [name, MAPS.has(name) && isObject(child) ? mapMembers(child, map) : map(child)];
    }),
  );
}

function mapMembers(value: JsonObject, map: (child: Json) => Json): JsonObject {
  return fromMembers(
    Object.entries(value).map(([name, child]) => [name, child === undefined ? undefined : map(child)]),
  );
}

/** The schemas right within a schema. */
export function listSubschemas(schema: JsonObject): JsonObject[] {
  return Object.entries(schema).flatMap(([name, child]): JsonObject[] => {
    if (child === undefined || VALUES.has(name)) return [];
    if (Array.isArray(child)) return child.filter(isObject);
    if (!isObject(child)) return [];
    return MAPS.has(name) ? Object.values(child).filter(isObject) : [child];
  });
}
