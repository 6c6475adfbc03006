import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import {
  arrayAt,
  fromMembers,
  isObject,
  type Json,
  type JsonObject,
  member,
  objectAt,
  textAt,
} from "../../openapi/json.ts";

/*
 * The schemas of a document as Ajv reads them, written without the code that is tested: only what OpenAPI says otherwise than JSON Schema is
 * changed.
 */

const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "schemas", "dependentSchemas"]);
const VALUES = new Set(["enum", "const", "default", "example", "examples"]);
const SCHEMA_PLACES = new Set(["schema", "schemas", "definitions"]);

/** Says whether values fit the schemas of a document, by their pointers. */
export function openOriginals(root: JsonObject, hidden: "readOnly" | "writeOnly"): (schema: Json) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    inlineRefs: false,
    logger: false,
  });
  ajv.addSchema({ ...(normalizeDocument(root, hidden) as object), $id: "https://document.example/" });
  return (schema) => ajv.compile(retarget(normalize(schema, hidden)) as object);
}

/** References of a single schema lead into the document. */
function retarget(value: Json): Json {
  if (Array.isArray(value)) return value.map(retarget);
  if (!isObject(value)) return value;
  return fromMembers(
    Object.entries(value).map(([name, child]) => [
      name,
      name === "$ref" && typeof child === "string"
        ? `https://document.example/${child}`
        : child === undefined
          ? child
          : retarget(child),
    ]),
  );
}

function normalizeDocument(value: Json, hidden: string, key = ""): Json {
  if (Array.isArray(value)) return value.map((item) => normalizeDocument(item, hidden));
  if (!isObject(value)) return value;
  if (key === "schema") return normalize(value, hidden);
  return fromMembers(
    Object.entries(value).flatMap(([name, child]) => {
      if (child === undefined || name === "$id" || name === "id") return [];
      if (SCHEMA_PLACES.has(name) && name !== "schema" && isObject(child))
        return [[name, mapMembers(child, (one) => normalize(one, hidden))] as const];
      return [[name, normalizeDocument(child, hidden, name)] as const];
    }),
  );
}

function mapMembers(value: JsonObject, map: (child: Json) => Json): JsonObject {
  return fromMembers(
    Object.entries(value).map(([name, child]) => [name, child === undefined ? undefined : map(child)]),
  );
}

/** One schema: `nullable`, exclusive limits that are switches, patterns of other dialects, and members that are only read or written. */
function normalize(value: Json, hidden: string): Json {
  if (!isObject(value)) return value;
  const of = (child: Json): Json => normalize(child, hidden);
  const reference = textAt(value, "$ref");
  const isNull = member(value, "nullable") === true || member(value, "x-nullable") === true;
  if (reference !== undefined) return isNull ? { anyOf: [{ $ref: reference }, { type: "null" }] } : { $ref: reference };
  const changed = fromMembers(
    Object.entries(value).flatMap(([name, child]): [string, Json | undefined][] => {
      if (
        ["nullable", "discriminator", "id", "$id", "$schema", "xml", "example"].includes(name) ||
        name.startsWith("x-")
      )
        return [];
      // A list of schemas is of older drafts, and an empty list of values is a mistake.
      if (name === "items" && Array.isArray(child)) return [["prefixItems", child.map(of)]];
      if (name === "enum" && Array.isArray(child) && child.length === 0) return [];
      if (VALUES.has(name)) return [[name, child]];
      if (name === "pattern" || name === "required") return [[name, keepKnown(name, child, value, hidden)]];
      if (name === "properties" && isObject(child)) return [[name, mapMembers(child, of)]];
      if (MAPS.has(name) && isObject(child)) return [[name, mapMembers(child, of)]];
      if (Array.isArray(child))
        return [[name, ["anyOf", "oneOf"].includes(name) ? child.map((one) => orNullAlone(one, of)) : child.map(of)]];
      return [[name, child === undefined ? child : of(child)]];
    }),
  );
  for (const [limit, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (typeof changed[exclusive] !== "boolean") continue;
    if (changed[exclusive]) Object.assign(changed, { [exclusive]: changed[limit], [limit]: undefined });
    else delete changed[exclusive];
    if (changed[limit] === undefined) delete changed[limit];
  }
  return isNull ? { anyOf: [changed, { type: "null" }] } : changed;
}

/** What generators write for "or null". */
function orNullAlone(branch: Json, of: (child: Json) => Json): Json {
  return isObject(branch) && Object.keys(branch).join() === "nullable" ? { type: "null" } : of(branch);
}

function keepKnown(name: string, child: Json | undefined, schema: JsonObject, hidden: string): Json | undefined {
  if (name === "pattern") {
    try {
      return new RegExp(String(child), "u") instanceof RegExp ? child : undefined;
    } catch {
      return undefined;
    }
  }
  if (!Array.isArray(child)) return undefined;
  const properties = objectAt(schema, "properties") ?? {};
  return arrayAt(schema, "required").filter((one) => member(objectAt(properties, String(one)) ?? {}, hidden) !== true);
}
