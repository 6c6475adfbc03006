import { kindsAt } from "../document/kinds.ts";
import { follow, type Placed, namesOf, resolvePointer } from "../document/pointer.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";
import { closeSchema, type Definition, listReferences, CLOSED_PREFIX } from "./close-schema.ts";
import { type Conversion, convertSchema, type Direction, type Int64 } from "./convert-schema.ts";
import { convertKinds } from "./convert-unions.ts";
import { isStrictSchema } from "./loosen.ts";

/** The named schemas of a document, each converted once for all tools. */
export interface SchemaLibrary {
  readonly root: JsonObject;
  readonly int64: Int64;
  /** Converts a schema; what it refers to stands as `#/$defs/NAME`. */
  write(schema: Placed, direction: Direction): Json;
  /** Adds what a schema refers to, nearest first, while there is room; the rest is any value. */
  close(schema: JsonObject, direction: Direction, maxLength: number): JsonObject;
  /** The schema that a converted one stands for. */
  open(schema: Json, direction: Direction): Json;
}

/** A named schema: where it is, and whether it stands for all of its kinds. */
interface Named {
  place: Placed;
  hasKinds: boolean;
}

/** A schema of this length costs no more in its place than a reference to it. */
const MAX_INLINE = 100;

/** Converts a schema, and says whether the result accepts more than the document does. */
function convertNoting(place: Placed, conversion: Omit<Conversion, "widen">): Pick<Definition, "schema" | "isWider"> {
  let isWider = false;
  const widen = (): void => {
    isWider = true;
  };
  const schema = convertSchema(place, { ...conversion, widen });
  return { schema, isWider };
}

/** Opens the library of a document. */
export function createSchemaLibrary(root: JsonObject, int64: Int64 = "number"): SchemaLibrary {
  const names = new Map<string, string>();
  const named = new Map<string, Named>();
  const numbers = new Map<string, number>();
  const definitions: Record<Direction, Map<string, Definition>> = { input: new Map(), output: new Map() };

  const convert = (schema: Placed, direction: Direction) =>
    convertNoting(schema, {
      ...{ root, direction, int64 },
      refer: (reference, from) => refer(reference, from, direction),
    });
  const write = (schema: Placed, direction: Direction): Json => convert(schema, direction).schema;

  const refer = (reference: string, from: string, direction: Direction): Json => {
    const target = follow(root, resolvePointer(root, reference, from).value, reference);
    return referTo(target, direction, kindsAt(root, target, from) !== undefined);
  };

  const referTo = (target: Placed, direction: Direction, hasKinds: boolean): Json => {
    const key = hasKinds ? `${target.pointer} and its kinds` : target.pointer;
    const known = names.get(key);
    if (known !== undefined) return { $ref: `${CLOSED_PREFIX}${known}` };
    const inline = hasKinds ? undefined : writeSmall(target, direction);
    if (inline !== undefined) return inline;
    const isBase = !hasKinds && kindsAt(root, target, "") !== undefined;
    const name = makeUnique(`${nameOf(target.pointer)}${isBase ? "_base" : ""}`, named, numbers);
    names.set(key, name);
    named.set(name, { place: target, hasKinds });
    return { $ref: `${CLOSED_PREFIX}${name}` };
  };

  /** A text, number or choice without members is written where it is used, where nothing of it is lost. */
  const writeSmall = (target: Placed, direction: Direction): Json | undefined => {
    const { value } = target;
    if (!isObject(value)) return typeof value === "boolean" ? value : undefined;
    if (Object.hasOwn(value, "properties")) return undefined;
    const text = JSON.stringify(value);
    if (text.length > MAX_INLINE * 3 || text.includes('"$ref"')) return undefined;
    const { schema, isWider } = convert(target, direction);
    return !isWider && JSON.stringify(schema).length <= MAX_INLINE ? schema : undefined;
  };

  const define = (name: string, direction: Direction): Definition => {
    const known = definitions[direction].get(name);
    if (known !== undefined) return known;
    const { place, hasKinds } = named.get(name) ?? { place: { value: {}, pointer: "#" }, hasKinds: false };
    const { schema, isWider } = hasKinds
      ? { schema: writeKinds(place, direction), isWider: false }
      : convert(place, direction);
    const definition: Definition = {
      ...{ schema, length: JSON.stringify(schema).length, references: listReferences(schema) },
      ...{ isWider, isStrict: isStrictSchema(schema) },
    };
    definitions[direction].set(name, definition);
    return definition;
  };

  const writeKinds = (place: Placed, direction: Direction): Json => {
    const kinds = kindsAt(root, place, "");
    if (kinds === undefined) return write(place, direction);
    const referKind = (schema: Placed): Json =>
      referTo(schema, direction, schema.value !== place.value && kindsAt(root, schema, "") !== undefined);
    return convertKinds(root, place, kinds, referKind);
  };

  return {
    ...{ root, int64, write },
    open(schema, direction) {
      const [name] = isObject(schema) && typeof schema["$ref"] === "string" ? listReferences(schema) : [];
      return name === undefined ? schema : define(name, direction).schema;
    },
    close: (schema, direction, maxLength) => closeSchema(schema, maxLength, (name) => define(name, direction)),
  };
}

function nameOf(pointer: string): string {
  const name = (namesOf(pointer).at(-1) ?? "").replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 80);
  return /^[A-Za-z0-9]/.test(name) ? name : `Schema${name}`;
}

/** @param numbers the next number of each name that was there before */
function makeUnique(name: string, taken: ReadonlyMap<string, unknown>, numbers: Map<string, number>): string {
  let next = name;
  while (taken.has(next)) {
    const number = numbers.get(name) ?? 2;
    numbers.set(name, number + 1);
    next = `${name}_${number}`;
  }
  return next;
}
