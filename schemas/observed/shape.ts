/**
 * What values at one place looked like: their JSON types, names of fields, and the same of what is inside. Never a value.
 * No member set: no value was seen there.
 */
export interface Shape {
  /** Anything: deeper than a shape reaches. No other member is set. */
  any?: true;
  null?: true;
  boolean?: true;
  number?: true;
  string?: true;
  /** The shape of all items. */
  array?: Shape;
  object?: RecordShape | MapShape;
}

/** An object whose keys are names of fields. */
export interface RecordShape {
  fields: ReadonlyMap<string, FieldShape>;
}

export interface FieldShape {
  shape: Shape;
  /** At least one of the objects did not have it. */
  isOptional: boolean;
}

/** An object whose keys are data, such as ids. The keys are not kept. */
export interface MapShape {
  values: Shape;
}

/** With more fields an object is a map. */
export const MOST_FIELDS = 128;
/** With more fields that only some of the objects have, they are maps. */
const MOST_OPTIONAL_FIELDS = 32;

const SCALARS = ["null", "boolean", "number", "string"] as const;

/** The shape of everything that one of the two describes. Neither order, nor grouping, nor repetition changes it. */
export function joinShapes(left: Shape, right: Shape): Shape {
  if (left.any === true || right.any === true) return { any: true };
  const joined: Shape = {};
  for (const type of SCALARS) if (left[type] === true || right[type] === true) joined[type] = true;
  const array = joinParts(left.array, right.array, joinShapes);
  const object = joinParts(left.object, right.object, joinObjects);
  if (array !== undefined) joined.array = array;
  if (object !== undefined) joined.object = object;
  return joined;
}

function joinParts<Part>(
  left: Part | undefined,
  right: Part | undefined,
  join: (left: Part, right: Part) => Part,
): Part | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return join(left, right);
}

function joinObjects(left: RecordShape | MapShape, right: RecordShape | MapShape): RecordShape | MapShape {
  if ("values" in left || "values" in right) return { values: joinShapes(valuesOf(left), valuesOf(right)) };
  const fields = new Map<string, FieldShape>();
  for (const name of new Set([...left.fields.keys(), ...right.fields.keys()])) {
    const [one, other] = [left.fields.get(name), right.fields.get(name)];
    fields.set(name, {
      shape: joinShapes(one?.shape ?? {}, other?.shape ?? {}),
      isOptional: one?.isOptional !== false || other?.isOptional !== false,
    });
  }
  return toMapIfMany({ fields });
}

/** Both counts only grow as more is seen, so that a map never becomes a record again. */
function toMapIfMany(record: RecordShape): RecordShape | MapShape {
  const optional = [...record.fields.values()].filter((field) => field.isOptional).length;
  const isRecord = record.fields.size <= MOST_FIELDS && optional <= MOST_OPTIONAL_FIELDS;
  return isRecord ? record : { values: valuesOf(record) };
}

function valuesOf(object: RecordShape | MapShape): Shape {
  if ("values" in object) return object.values;
  return [...object.fields.values()].map((field) => field.shape).reduce(joinShapes, {});
}

/** Whether `shape` describes everything that `part` describes. */
export function includesShape(shape: Shape, part: Shape): boolean {
  if (shape.any === true) return true;
  if (part.any === true) return false;
  return (
    SCALARS.every((type) => part[type] !== true || shape[type] === true) &&
    (part.array === undefined || (shape.array !== undefined && includesShape(shape.array, part.array))) &&
    (part.object === undefined || (shape.object !== undefined && includesObject(shape.object, part.object)))
  );
}

function includesObject(object: RecordShape | MapShape, part: RecordShape | MapShape): boolean {
  if ("values" in object) return includesShape(object.values, valuesOf(part));
  if ("values" in part) return false;
  for (const [name, { shape, isOptional }] of part.fields) {
    const field = object.fields.get(name);
    if (field === undefined || (isOptional && !field.isOptional) || !includesShape(field.shape, shape)) return false;
  }
  return [...object.fields].every(([name, field]) => field.isOptional || part.fields.has(name));
}
