import { pointerStep } from "../json/pointer-step.ts";
import { withoutUndefined } from "../json/without-undefined.ts";
import { byCodeUnits } from "../json/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue, toJsonObject } from "../json/json.ts";
import { type FieldShape, type MapShape, MOST_FIELDS, type RecordShape, type Shape } from "./shape.ts";
import { DEEPEST_SHAPE } from "./shape-of-value.ts";

const TYPES = ["array", "boolean", "null", "number", "object", "string"] as const;
const KEYWORDS: readonly string[] = ["additionalProperties", "items", "properties", "required", "type"];

/**
 * A shape as JSON Schema, the form in which the lockfile has it: `{}` is anything, `false` a place where no value was seen. An object
 * has `properties` (its fields) or `additionalProperties` (the values of a map).
 */
export function toShapeSchema(shape: Shape): JsonObject | false {
  if (shape.any === true) return {};
  const types = TYPES.filter((type) => shape[type] !== undefined);
  const [only] = types;
  if (only === undefined) return false;
  const { array, object } = shape;
  return {
    type: types.length === 1 ? only : [...types],
    ...withoutUndefined({ items: array && toShapeSchema(array) }),
    ...toObjectSchema(object),
  };
}

function toObjectSchema(object: RecordShape | MapShape | undefined): JsonObject {
  if (object === undefined) return {};
  if ("values" in object) return { additionalProperties: toShapeSchema(object.values) };
  const fields = [...object.fields].toSorted(([left], [right]) => byCodeUnits(left, right));
  return {
    properties: toJsonObject(fields.map(([name, field]) => [name, toShapeSchema(field.shape)])),
    required: fields.filter(([, field]) => !field.isOptional).map(([name]) => name),
  };
}

/**
 * The shape as a schema for types: objects have their fields and no others, and a place where no value was seen may have any.
 * @param nullAlone stands for a place where only `null` was seen
 */
export function toClosedSchema(shape: Shape, nullAlone: JsonObject = { type: "null" }): JsonObject {
  const close = (node: JsonValue): JsonValue => {
    if (node === false) return {};
    if (!isJsonObject(node)) return node;
    if (node["type"] === "null") return nullAlone;
    const closed = toJsonObject(
      Object.entries(node).map(([key, value]) => [key, SCHEMA_KEYS.has(key) ? close(value) : value]),
    );
    const { properties } = node;
    if (!isJsonObject(properties)) return closed;
    const fields = Object.entries(properties).map(([name, field]) => [name, close(field)] as const);
    return { ...closed, properties: toJsonObject(fields), additionalProperties: fields.length === 0 };
  };
  return close(toShapeSchema(shape)) as JsonObject;
}

const SCHEMA_KEYS: ReadonlySet<string> = new Set(["additionalProperties", "items"]);

/**
 * Reads what `toShapeSchema` writes, and nothing else: a file can be edited by hand.
 * @throws what `fail` makes of a problem, which names the JSON pointer of its place
 */
export function parseShapeSchema(schema: JsonValue, fail: (problem: string) => Error, pointer = "", depth = 0): Shape {
  const refuse = (problem: string): Error => fail(`${pointer === "" ? "the shape" : pointer} ${problem}`);
  if (schema === false) return {};
  if (!isJsonObject(schema)) throw refuse("is neither an object nor false");
  const unknown = Object.keys(schema).find((key) => !KEYWORDS.includes(key));
  if (unknown !== undefined) throw refuse(`has the keyword ${JSON.stringify(unknown)}, which no shape has`);
  if (Object.keys(schema).length === 0) return { any: true };
  const types = [ownValue(schema, "type")].flat();
  if (types.length === 0 || !types.every((type) => TYPES.some((known) => known === type))) {
    throw refuse(`has a "type" that is none of ${TYPES.join(", ")}`);
  }
  if (depth > DEEPEST_SHAPE) throw refuse(`is nested more than ${DEEPEST_SHAPE} levels deep`);
  const below = (child: JsonValue | undefined, key: string): Shape => {
    if (child === undefined) throw refuse(`has no ${JSON.stringify(key.split("/")[0])}`);
    return parseShapeSchema(child, fail, `${pointer}/${key}`, depth + 1);
  };
  const shape: Shape = {};
  for (const type of ["boolean", "null", "number", "string"] as const) if (types.includes(type)) shape[type] = true;
  if (types.includes("array")) shape.array = below(ownValue(schema, "items"), "items");
  if (types.includes("object")) shape.object = parseObject(schema, refuse, below);
  return shape;
}

function parseObject(
  schema: JsonObject,
  refuse: (problem: string) => Error,
  below: (child: JsonValue | undefined, key: string) => Shape,
): RecordShape | MapShape {
  const properties = ownValue(schema, "properties");
  const required = ownValue(schema, "required") ?? [];
  if (properties === undefined) {
    return { values: below(ownValue(schema, "additionalProperties"), "additionalProperties") };
  }
  if (!isJsonObject(properties) || !Array.isArray(required))
    throw refuse('has no "properties" and "required" of fields');
  const names = Object.keys(properties);
  if (names.length > MOST_FIELDS) throw refuse(`has more than ${MOST_FIELDS} fields`);
  const undeclared = required.find((name) => typeof name !== "string" || !Object.hasOwn(properties, name));
  if (undeclared !== undefined) throw refuse(`requires ${JSON.stringify(undeclared)}, which is not in "properties"`);
  const fields = new Map<string, FieldShape>();
  for (const name of names) {
    const key = `properties${pointerStep(name)}`;
    fields.set(name, { shape: below(properties[name], key), isOptional: !required.includes(name) });
  }
  return { fields };
}
