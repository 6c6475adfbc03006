import { type Json, type JsonObject, isObject } from "../json.ts";
import { isStrictSchema, loosen, outline } from "./loosen.ts";
import { listSubschemas } from "./walk-schema.ts";

/** A named schema that was converted. */
export interface Definition {
  schema: Json;
  length: number;
  references: string[];
  /** Whether it accepts more than the document says, by itself. */
  isWider: boolean;
  /** Whether it has keywords that would refuse more where another schema accepts more. */
  isStrict: boolean;
}

/** What references to named schemas begin with. */
export const CLOSED_PREFIX = "#/$defs/";
/** What stands for schemas that are left out may take this part of the whole. */
const OUTLINES = 0.25;

/** Adds what a schema refers to, nearest first, while there is room; of the rest stays what tells it apart. */
export function closeSchema(schema: JsonObject, maxLength: number, define: (name: string) => Definition): JsonObject {
  let room = maxLength - JSON.stringify(schema).length;
  let roomForOutlines = maxLength * OUTLINES;
  const found = new Map<string, Json>();
  const wider = new Set<string>();
  let isStrict = false;
  const left = listReferences(schema);
  for (let index = 0; index < left.length; index += 1) {
    const name = left[index] ?? "";
    if (found.has(name)) continue;
    const definition = define(name);
    room -= definition.length + name.length + 4;
    const isKept = room >= 0;
    if (isKept) left.push(...definition.references);
    const kept = isKept ? definition.schema : outline(definition.schema, roomForOutlines);
    if (!isKept) roomForOutlines -= JSON.stringify(kept).length;
    found.set(name, kept);
    if (!isKept || definition.isWider) wider.add(name);
    isStrict ||= isKept && definition.isStrict;
  }
  if (found.size === 0) return schema;
  const isOpen = !isStrict && !isStrictSchema(schema);
  if (isOpen || wider.size === 0) return { ...schema, $defs: Object.fromEntries(found) };
  const isWider = findWider(found, wider);
  const kept = [...found].map(([name, definition]) => [name, loosen(definition, isWider)] as const);
  return { ...(loosen(schema, isWider) as JsonObject), $defs: Object.fromEntries(kept) };
}

/** Whether what a reference leads to accepts more than the document says: itself, or by what it refers to. */
function findWider(found: ReadonlyMap<string, Json>, own: ReadonlySet<string>): (reference: string) => boolean {
  const wider = new Set(own);
  const references = [...found].map(([name, schema]) => [name, listReferences(schema)] as const);
  for (let before = own.size === 0 ? 0 : -1; before < wider.size;) {
    before = wider.size;
    for (const [name, others] of references) if (others.some((other) => wider.has(other))) wider.add(name);
  }
  return (reference) => wider.has(reference.slice(CLOSED_PREFIX.length));
}

/** The names of the schemas that a schema refers to. */
export function listReferences(schema: Json): string[] {
  const found = new Set<string>();
  const visit = (value: JsonObject): void => {
    const reference = value["$ref"];
    if (typeof reference === "string" && reference.startsWith(CLOSED_PREFIX))
      found.add(reference.slice(CLOSED_PREFIX.length));
    for (const child of listSubschemas(value)) visit(child);
  };
  if (isObject(schema)) visit(schema);
  return [...found];
}
