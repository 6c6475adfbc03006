import { discriminatorOf, kindsAt } from "../../openapi/document/kinds.ts";
import { follow, type Placed, pointTo } from "../../openapi/document/pointer.ts";
import { arrayAt, isObject, type Json, type JsonObject, member, objectAt, textAt } from "../../openapi/json.ts";
import { matchPattern } from "../../openapi/mock/match-pattern.ts";

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export type Random = () => number;

export function makeRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What values are made from. */
export interface ValueSource {
  root: JsonObject;
  random: Random;
  /** Members with this mark are left out: an argument has nothing that is only read. */
  hidden: "readOnly" | "writeOnly" | undefined;
  /** Whether a value fits a kind of a base: a value of the base that says it is one has to. */
  fits?: ((kind: Placed, value: Json) => boolean) | undefined;
}

const MAX_DEPTH = 9;

/**
 * A value that most likely fits a schema, of OpenAPI or JSON Schema: of its branches one is taken, of its optional members a part. Whether it
 * fits is for a validator to say.
 */
export function makeValue(source: ValueSource, schema: Placed, depth = 0): Json {
  const { root, random } = source;
  const { value, pointer } = follow(root, schema.value, schema.pointer);
  if (!isObject(value)) return value === true ? (pick<Json>(random, [1, "a", {}]) ?? null) : null;
  const given = [...(member(value, "const") === undefined ? [] : [member(value, "const")]), ...arrayAt(value, "enum")];
  if (given.length > 0) return pick(random, given) ?? null;
  if (isNullable(value) && random() < 0.2) return null;
  const at = (child: Json, ...names: (string | number)[]): Placed => ({
    value: child,
    pointer: pointTo(pointer, ...names),
  });
  const kinds = kindsAt(root, { value, pointer }, schema.pointer);
  if (kinds !== undefined) {
    const kind = pick(random, kinds.kinds);
    if (kind !== undefined && kind.schema.value !== value) {
      const made = Array.from({ length: 3 }, () =>
        setWord(makeValue(source, kind.schema, depth + 1), kinds.property, pick(random, kind.values)),
      );
      return made.find((one) => source.fits?.(kind.schema, one) !== false) ?? null;
    }
  }
  const parts: Json[] = arrayAt(value, "allOf").map((part, index) =>
    makeValue(source, at(part, "allOf", index), depth),
  );
  for (const name of ["anyOf", "oneOf"] as const) {
    const branches = [...arrayAt(value, name).entries()];
    const chosen = depth > MAX_DEPTH ? branches[0] : pick(random, branches);
    if (chosen === undefined) continue;
    const [index, branch] = chosen;
    if (isObject(branch) && Object.keys(branch).join() === "nullable") parts.push(null);
    else parts.push(setWord(makeValue(source, at(branch, name, index), depth), ...wordOf(value, branch)));
  }
  if (
    ["type", "properties", "items", "required"].some((name) => member(value, name) !== undefined) ||
    parts.length === 0
  )
    parts.push(makeByType(source, { value, pointer }, depth));
  const objects = parts.filter(isObject);
  return objects.length === parts.length ? (Object.assign({}, ...objects) as JsonObject) : (parts[0] ?? null);
}

/** The property and the value by which a branch is known. */
function wordOf(schema: JsonObject, branch: Json): [string | undefined, string | undefined] {
  const discriminator = discriminatorOf(schema);
  const reference = isObject(branch) ? textAt(branch, "$ref") : undefined;
  if (discriminator === undefined || reference === undefined) return [undefined, undefined];
  const name = reference.split("/").at(-1);
  const mapped = discriminator.mapping.find(([, target]) => target === reference || target === name);
  return [discriminator.property, mapped?.[0]];
}

function setWord(value: Json, property: string | undefined, word: string | undefined): Json {
  return isObject(value) && property !== undefined && word !== undefined ? { ...value, [property]: word } : value;
}

function isNullable(value: JsonObject): boolean {
  return member(value, "nullable") === true || member(value, "x-nullable") === true;
}

function pick<Value>(random: Random, list: readonly Value[]): Value | undefined {
  return list[Math.floor(random() * list.length)];
}

function makeByType(source: ValueSource, { value, pointer }: Placed<JsonObject>, depth: number): Json {
  const types = [member(value, "type")].flat().filter((type) => typeof type === "string");
  const isObjectLike = ["properties", "required"].some((name) => member(value, name) !== undefined);
  const implied = isObjectLike ? "object" : member(value, "items") === undefined ? "string" : "array";
  switch (pick(source.random, types) ?? implied) {
    case "object":
      return makeObject(source, { value, pointer }, depth);
    case "array":
      return makeList(source, { value, pointer }, depth);
    case "integer":
    case "number":
      return makeNumber(source.random, value);
    case "boolean":
      return source.random() < 0.5;
    case "null":
      return null;
    default:
      return makeText(source.random, value);
  }
}

function makeObject(source: ValueSource, { value, pointer }: Placed<JsonObject>, depth: number): JsonObject {
  const properties = objectAt(value, "properties") ?? {};
  const required = new Set(arrayAt(value, "required"));
  const made: JsonObject = {};
  for (const [name, property] of Object.entries(properties)) {
    const isHidden = source.hidden !== undefined && isObject(property) && member(property, source.hidden) === true;
    if (isHidden || (!required.has(name) && (depth > MAX_DEPTH / 2 || source.random() < 0.5))) continue;
    if (depth > MAX_DEPTH + 3) continue;
    made[name] = makeValue(source, { value: property ?? {}, pointer: pointTo(pointer, "properties", name) }, depth + 1);
  }
  for (const name of required) if (typeof name === "string" && !Object.hasOwn(properties, name)) made[name] = "a";
  const others = member(value, "additionalProperties");
  if (isObject(others) && depth < MAX_DEPTH && source.random() < 0.7)
    made["key-1"] = makeValue(source, { value: others, pointer: pointTo(pointer, "additionalProperties") }, depth + 1);
  return made;
}

function makeList(source: ValueSource, { value, pointer }: Placed<JsonObject>, depth: number): Json[] {
  const least = Number(member(value, "minItems") ?? 0);
  const most = Number(member(value, "maxItems") ?? 20);
  const wanted = depth > MAX_DEPTH / 2 ? least : Math.max(least, Math.floor(source.random() * 3));
  const items: Placed = { value: member(value, "items") ?? {}, pointer: pointTo(pointer, "items") };
  return Array.from({ length: Math.min(wanted, most, 20) }, () => makeValue(source, items, depth + 1));
}

function makeNumber(random: Random, value: JsonObject): number {
  const of = (name: string): number | undefined => {
    const limit = member(value, name);
    return typeof limit === "number" ? limit : undefined;
  };
  const least = of("minimum") ?? of("exclusiveMinimum") ?? 0;
  const most = of("maximum") ?? of("exclusiveMaximum") ?? least + 100;
  const step = of("multipleOf") ?? 1;
  return Math.ceil((least + random() * (most - least)) / step) * step;
}

function makeText(random: Random, value: JsonObject): string {
  const least = Math.min(Number(member(value, "minLength") ?? 0), 5_000);
  const most = Number(member(value, "maxLength") ?? least + 8);
  const pattern = textAt(value, "pattern");
  const matching = pattern === undefined ? undefined : matchPattern(pattern, least, {});
  if (matching !== undefined) return matching;
  return "abcdefgh"
    .repeat(Math.ceil((most + 8) / 8))
    .slice(0, Math.max(least, Math.floor(random() * Math.min(most, 40))));
}
