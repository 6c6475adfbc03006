import { follow, type Placed, namesOf, resolvePointer } from "../document/pointer.ts";
import { type Json, type JsonObject, isObject } from "../json.ts";
import { convertSchema, type Direction, type Int64 } from "./convert-schema.ts";

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

interface Definition {
  schema: Json;
  length: number;
  references: string[];
}

const PREFIX = "#/$defs/";
/** A schema of this length costs no more in its place than a reference to it. */
const MAX_INLINE = 100;
const LEFT_OUT: JsonObject = { description: "Any value: its schema is left out, because the whole is large." };

/** Opens the library of a document. */
export function createSchemaLibrary(root: JsonObject, int64: Int64 = "number"): SchemaLibrary {
  const names = new Map<string, string>();
  const places = new Map<string, Placed>();
  const numbers = new Map<string, number>();
  const definitions: Record<Direction, Map<string, Definition>> = { input: new Map(), output: new Map() };

  const write = (schema: Placed, direction: Direction): Json =>
    convertSchema(schema, direction, (reference, from) => refer(reference, from, direction), int64);

  const refer = (reference: string, from: string, direction: Direction): Json => {
    const target = follow(root, resolvePointer(root, reference, from).value, reference);
    const known = names.get(target.pointer);
    if (known !== undefined) return { $ref: `${PREFIX}${known}` };
    const inline = writeSmall(target, direction);
    if (inline !== undefined) return inline;
    const name = makeUnique(nameOf(target.pointer), places, numbers);
    names.set(target.pointer, name);
    places.set(name, target);
    return { $ref: `${PREFIX}${name}` };
  };

  /** A text, number or choice without members is written where it is used. */
  const writeSmall = (target: Placed, direction: Direction): Json | undefined => {
    const { value } = target;
    if (!isObject(value)) return typeof value === "boolean" ? value : undefined;
    if (Object.hasOwn(value, "properties")) return undefined;
    const text = JSON.stringify(value);
    if (text.length > MAX_INLINE * 3 || text.includes('"$ref"')) return undefined;
    const converted = write(target, direction);
    return JSON.stringify(converted).length <= MAX_INLINE ? converted : undefined;
  };

  const define = (name: string, direction: Direction): Definition => {
    const known = definitions[direction].get(name);
    if (known !== undefined) return known;
    const schema = write(places.get(name) ?? { value: {}, pointer: "#" }, direction);
    const definition = { schema, length: JSON.stringify(schema).length, references: listReferences(schema) };
    definitions[direction].set(name, definition);
    return definition;
  };

  return {
    ...{ root, int64, write },
    open(schema, direction) {
      const [name] = isObject(schema) && typeof schema["$ref"] === "string" ? listReferences(schema) : [];
      return name === undefined ? schema : define(name, direction).schema;
    },
    close(schema, direction, maxLength) {
      let room = maxLength - JSON.stringify(schema).length;
      const found = new Map<string, Json>();
      const left = listReferences(schema);
      for (let index = 0; index < left.length; index += 1) {
        const name = left[index] ?? "";
        if (found.has(name)) continue;
        const definition = define(name, direction);
        room -= definition.length + name.length + 4;
        found.set(name, room < 0 ? LEFT_OUT : definition.schema);
        if (room >= 0) left.push(...definition.references);
      }
      return found.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(found) };
    },
  };
}

function listReferences(schema: Json): string[] {
  const found = new Set<string>();
  const visit = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    else if (isObject(value)) {
      const reference = value["$ref"];
      if (typeof reference === "string" && reference.startsWith(PREFIX)) found.add(reference.slice(PREFIX.length));
      // Examples and defaults are values: what looks like a reference there is none.
      for (const [name, child] of Object.entries(value)) if (name !== "examples" && name !== "default") visit(child);
    }
  };
  visit(schema);
  return [...found];
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
