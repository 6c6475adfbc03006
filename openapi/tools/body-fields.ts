import { kindsAt } from "../document/kinds.ts";
import { followObject, type Placed, pointTo } from "../document/pointer.ts";
import { arrayAt, type Json, type JsonObject, isObject, member, objectAt, textAt } from "../json.ts";
import { boundText } from "./convert-schema.ts";
import type { SchemaLibrary } from "./schema-library.ts";

/** A member of a body. */
export interface Field {
  name: string;
  required: boolean;
  schema: Json;
  /** Whether it is a part of a form that carries a file, or several. */
  isFile: boolean;
}

/** What stands for a file in arguments. */
export const FILE: JsonObject = {
  type: "object",
  description: "A file.",
  properties: {
    base64: { type: "string", contentEncoding: "base64", description: "Its bytes, in Base64." },
    filename: { type: "string" },
    mediaType: { type: "string", description: "Such as image/png." },
  },
  required: ["base64"],
  additionalProperties: false,
};

/** The members of a body that is an object with known members, and nothing else; also where `allOf` puts it together. */
export function listFields(schema: Placed, library: SchemaLibrary, isMultipart: boolean): Field[] | undefined {
  const found = collect(schema, library.root, 0);
  if (found === undefined || found.properties.size === 0) return undefined;
  return [...found.properties].flatMap(([name, places]): Field[] => {
    const schemas = places.map((place) => followSchema(library.root, place).value);
    if (schemas.some((one) => member(one, "readOnly") === true)) return [];
    const required = found.required.has(name);
    const [place] = places;
    const file = isMultipart && place !== undefined ? writeFilePart(place, library) : undefined;
    if (file !== undefined) return [{ name, required, schema: file, isFile: true }];
    const written = places.map((one) => library.write(one, "input"));
    const [only = {}] = written;
    return [{ name, required, schema: written.length > 1 ? { allOf: written } : only, isFile: false }];
  });
}

interface Members {
  properties: Map<string, Placed[]>;
  required: Set<Json>;
}

const MAX_DEPTH = 20;
const COMPOSED = ["anyOf", "oneOf", "not", "if", "patternProperties", "propertyNames", "dependentSchemas"];

function collect(schema: Placed, root: JsonObject, depth: number): Members | undefined {
  const { value, pointer } = followSchema(root, schema);
  const others = member(value, "additionalProperties");
  const isNullable =
    member(value, "nullable") === true || (Array.isArray(value["type"]) && value["type"].includes("null"));
  const isOther = COMPOSED.some((name) => member(value, name) !== undefined) || others === true || isObject(others);
  const isBase = kindsAt(root, { value, pointer }, schema.pointer) !== undefined;
  if (isOther || isNullable || isBase || depth > MAX_DEPTH) return undefined;
  const parts = arrayAt(value, "allOf").map((part, index) =>
    collect({ value: part, pointer: pointTo(pointer, "allOf", index) }, root, depth + 1),
  );
  const properties = new Map<string, Placed[]>();
  const required = new Set(arrayAt(value, "required"));
  const own = Object.entries(objectAt(value, "properties") ?? {}).map(
    ([name, property]) => [name, { value: property ?? {}, pointer: pointTo(pointer, "properties", name) }] as const,
  );
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const name of part.required) required.add(name);
    for (const [name, places] of part.properties) properties.set(name, [...(properties.get(name) ?? []), ...places]);
  }
  for (const [name, place] of own) properties.set(name, [...(properties.get(name) ?? []), place]);
  return { properties, required };
}

function followSchema(root: JsonObject, { value, pointer }: Placed): Placed<JsonObject> {
  return followObject(root, typeof value === "boolean" ? {} : value, pointer, "a schema");
}

/** A part of a form is a file where its schema says binary; undefined where it is none. */
function writeFilePart(place: Placed, library: SchemaLibrary): Json | undefined {
  const { value, pointer } = followSchema(library.root, place);
  if (isFile(value)) return describeFile(value);
  const items = objectAt(value, "items");
  if (items === undefined) return undefined;
  const one = followSchema(library.root, { value: items, pointer: pointTo(pointer, "items") }).value;
  return isFile(one) ? { type: "array", items: FILE } : undefined;
}

function isFile(schema: JsonObject): boolean {
  const format = textAt(schema, "format");
  if (format === "binary" || format === "byte" || textAt(schema, "type") === "file") return true;
  return textAt(schema, "contentMediaType") !== undefined || textAt(schema, "contentEncoding") !== undefined;
}

function describeFile(schema: JsonObject): JsonObject {
  const description = textAt(schema, "description");
  return description === undefined ? FILE : { ...FILE, description: boundText(description, 500) };
}
