import { arrayAt, type Json, type JsonObject, isObject, objectAt, textAt } from "../json.ts";
import { follow, type Placed, pointTo } from "./pointer.ts";

/** One kind of a schema that others extend, with the values of its property that stand for it. */
export interface Kind {
  schema: Placed;
  /** Empty where the document does not say them. */
  values: string[];
}

/** A schema that others extend by `allOf`: its discriminator says which one a value is. */
export interface Kinds {
  property: string;
  kinds: Kind[];
  /** Whether the values of all kinds are known. */
  isComplete: boolean;
  /** The places of what the kinds are made of: there the base is meant without its kinds. */
  parts: ReadonlySet<string>;
}

/** The property that tells kinds apart, and what its values stand for; Swagger 2.0 has its name alone. */
export function discriminatorOf(schema: JsonObject): { property: string; mapping: [string, Json][] } | undefined {
  const discriminator = objectAt(schema, "discriminator") ?? {};
  const property = textAt(schema, "discriminator") ?? textAt(discriminator, "propertyName");
  if (property === undefined) return undefined;
  const mapping = Object.entries(objectAt(discriminator, "mapping") ?? {});
  return { property, mapping: mapping.filter((entry): entry is [string, Json] => typeof entry[1] === "string") };
}

/** For each schema the places of its extensions. */
const EXTENDED = new WeakMap<JsonObject, Map<Json, Placed[]>>();

const KNOWN = new WeakMap<JsonObject, Kinds | null>();

/** The kinds of a schema that is the base of others; undefined where it is none, or lists its kinds itself. */
export function findKinds(root: JsonObject, { value, pointer }: Placed): Kinds | undefined {
  if (!isObject(value) || !Object.hasOwn(value, "discriminator")) return undefined;
  const known = KNOWN.get(value);
  if (known !== undefined) return known ?? undefined;
  const found = readKinds(root, { value, pointer });
  KNOWN.set(value, found ?? null);
  return found;
}

function readKinds(root: JsonObject, { value, pointer }: Placed<JsonObject>): Kinds | undefined {
  if (["oneOf", "anyOf"].some((name) => arrayAt(value, name).length > 0)) return undefined;
  const discriminator = discriminatorOf(value);
  if (discriminator === undefined) return undefined;
  const { property, mapping } = discriminator;
  const mapped = new Map<Json, Kind>();
  for (const [text, target] of mapping) {
    const schema = findMapped(root, String(target), pointer);
    if (schema === undefined) continue;
    const known = mapped.get(schema.value);
    if (known === undefined) mapped.set(schema.value, { schema, values: [text] });
    else known.values.push(text);
  }
  const extending = extendedBy(root).get(value) ?? [];
  const kinds = mapping.length > 0 ? [...mapped.values()] : extending.map((schema) => ({ schema, values: [] }));
  const isComplete = mapping.length > 0 && kinds.flatMap((kind) => kind.values).length === mapping.length;
  const others = kinds.filter((kind) => kind.schema.value !== value).map(({ schema }) => schema);
  return others.length > 0 ? { property, kinds, isComplete, parts: listParts(root, others) } : undefined;
}

/** A mapping has a reference, or the name of a schema. One that leads to nothing is no kind. */
function findMapped(root: JsonObject, target: string, from: string): Placed | undefined {
  const reference = target.startsWith("#") ? target : pointTo("#/components/schemas", target);
  return tryFollow(root, { $ref: reference }, from);
}

function tryFollow(root: JsonObject, value: Json, pointer: string): Placed | undefined {
  try {
    return follow(root, value, pointer);
  } catch {
    return undefined;
  }
}

function extendedBy(root: JsonObject): Map<Json, Placed[]> {
  const known = EXTENDED.get(root);
  if (known !== undefined) return known;
  const found = new Map<Json, Placed[]>();
  const named: [string, JsonObject][] = [
    ["#/components/schemas", objectAt(objectAt(root, "components") ?? {}, "schemas") ?? {}],
    ["#/definitions", objectAt(root, "definitions") ?? {}],
  ];
  for (const [place, schemas] of named) {
    for (const [name, value] of Object.entries(schemas)) {
      if (!isObject(value)) continue;
      const schema: Placed = { value, pointer: pointTo(place, name) };
      for (const base of listBases(root, schema)) found.set(base, [...(found.get(base) ?? []), schema]);
    }
  }
  EXTENDED.set(root, found);
  return found;
}

/** What a schema extends by name. */
function listBases(root: JsonObject, { value, pointer }: Placed): Json[] {
  if (!isObject(value)) return [];
  return arrayAt(value, "allOf").flatMap((branch) => {
    const isNamed = isObject(branch) && textAt(branch, "$ref") !== undefined;
    const target = isNamed ? tryFollow(root, branch, pointer) : undefined;
    return target === undefined ? [] : [target.value];
  });
}

/** The places of schemas and of all that they are made of: a value fits these in the same place. */
function listParts(root: JsonObject, schemas: Placed[]): Set<string> {
  const found = new Set<string>();
  const left = [...schemas];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, pointer } = next;
    if (!isObject(value) || found.has(pointer)) continue;
    found.add(pointer);
    for (const name of ["allOf", "anyOf", "oneOf"])
      for (const [index, branch] of arrayAt(value, name).entries()) {
        const place = pointTo(pointer, name, index);
        found.add(place);
        const target = tryFollow(root, branch, place);
        if (target !== undefined) left.push(target);
      }
  }
  return found;
}

/** The kinds of the schema that a place leads to, unless the place is a part of one of them: there the base alone is meant. */
export function kindsAt(root: JsonObject, target: Placed, from: string): Kinds | undefined {
  const kinds = findKinds(root, target);
  return kinds?.parts.has(from) === true ? undefined : kinds;
}
