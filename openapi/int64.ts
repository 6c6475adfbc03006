import { randomUUID } from "node:crypto";
import { findKinds } from "./document/kinds.ts";
import { follow, type Placed, pointTo } from "./document/pointer.ts";
import { arrayAt, fromMembers, type Json, type JsonObject, isObject, member, objectAt, textAt } from "./json.ts";

/*
 * JavaScript has no integers beyond 2^53, and APIs have ids there. JSON text is read and written here without changing one: a large integer stands
 * as a text with a mark that no text of an API has, until it is known what it becomes.
 */

const MARK = randomUUID();
const LARGE = /^-?\d{16,}$/;
const NUMBER = /-?\d[\d.eE+-]*/y;

/** A number of an answer that JavaScript reads as another one. */
export interface ChangedNumber {
  [name: string]: Json;
  pointer: string;
  written: string;
  read: string;
}

/** Parses JSON; an integer that a number would change is a marked text. Throws a `SyntaxError`. */
export function parseMarked(text: string): Json {
  return JSON.parse(/\d{16}/.test(text) ? markLarge(text) : text) as Json;
}

function markLarge(json: string): string {
  const parts: string[] = [];
  let kept = 0;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at] as string;
    if (sign === '"') at = endOfText(json, at) - 1;
    else if (sign === "-" || (sign >= "0" && sign <= "9")) {
      NUMBER.lastIndex = at;
      const written = NUMBER.exec(json)?.[0] ?? sign;
      if (isChanged(written)) {
        parts.push(json.slice(kept, at), `"${MARK}${written}"`);
        kept = at + written.length;
      }
      at += written.length - 1;
    }
  }
  return kept === 0 ? json : [...parts, json.slice(kept)].join("");
}

function isChanged(written: string): boolean {
  if (!LARGE.test(written) || written.length > 400) return false;
  const read = Number(written);
  return !Number.isFinite(read) || BigInt(read) !== BigInt(written);
}

function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === "\\") at += 1;
    else if (json[at] === '"') return at + 1;
  }
  return json.length;
}

/** A marked value with numbers in the place of marks, and the first of them that is another number now. */
export function toNumbers(marked: Json, base = ""): { value: Json; changed?: ChangedNumber } {
  let changed: ChangedNumber | undefined;
  const convert = (value: Json, pointer: string): Json => {
    if (typeof value === "string" && value.startsWith(MARK)) {
      const written = value.slice(MARK.length);
      changed ??= { pointer, written: written.slice(0, 400), read: String(Number(written)) };
      return Number(written);
    }
    return mapValue(value, (child, name) => convert(child, pointTo(pointer, name)));
  };
  const value = convert(marked, base);
  return changed === undefined ? { value } : { value, changed };
}

function mapValue(value: Json, map: (child: Json, name: string | number) => Json): Json {
  if (Array.isArray(value)) return value.map(map);
  if (!isObject(value)) return value;
  return fromMembers(
    Object.entries(value).map(([name, child]) => [name, child === undefined ? child : map(child, name)]),
  );
}

/** Whether a schema describes an integer that may be large. */
export function isInt64(schema: JsonObject): boolean {
  const types = [member(schema, "type")].flat();
  return types.includes("integer") && ["int64", "uint64"].includes(textAt(schema, "format") ?? "");
}

/** A marked answer with a text for each `int64` of its schemas. Other marks stay. */
export function int64ToTexts(marked: Json, schemas: Placed[], root: JsonObject): Json {
  return atInt64(marked, schemas, root, (value) => {
    if (typeof value === "number") return String(value);
    return typeof value === "string" && value.startsWith(MARK) ? value.slice(MARK.length) : value;
  });
}

/** JSON text of an input in which a text of digits is a number where the schema has an `int64`. */
export function printInt64(input: Json, schema: Placed, root: JsonObject): string {
  const marked = atInt64(input, [schema], root, (value) =>
    typeof value === "string" && /^-?\d{1,30}$/.test(value) ? `${MARK}${value}` : value,
  );
  const json = JSON.stringify(marked);
  return json
    .split(`"${MARK}`)
    .map((part, index) => (index === 0 ? part : part.replace('"', "")))
    .join("");
}

/** Changes the values for which one of the schemas is an `int64`. */
function atInt64(value: Json, schemas: Placed[], root: JsonObject, change: (value: Json) => Json): Json {
  const open = listBranches(schemas, root);
  if (Array.isArray(value))
    return value.map((item, index) =>
      atInt64(
        item,
        open.flatMap((one) => itemsOf(one, index)),
        root,
        change,
      ),
    );
  if (isObject(value))
    return mapValue(value, (child, name) =>
      atInt64(
        child,
        open.flatMap((one) => memberOf(one, String(name))),
        root,
        change,
      ),
    );
  return open.some(({ value: schema }) => isInt64(schema)) ? change(value) : value;
}

/** The schemas themselves, behind their references, with all branches of their compositions, and all kinds of a base. */
function listBranches(schemas: Placed[], root: JsonObject): Placed<JsonObject>[] {
  const found = new Map<string, Placed<JsonObject>>();
  const left = [...schemas];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, pointer } = follow(root, next.value, next.pointer);
    if (!isObject(value) || found.has(pointer)) continue;
    found.set(pointer, { value, pointer });
    left.push(...(findKinds(root, { value, pointer })?.kinds ?? []).map(({ schema }) => schema));
    for (const name of ["allOf", "anyOf", "oneOf"])
      left.push(
        ...arrayAt(value, name).map((branch, index) => ({ value: branch, pointer: pointTo(pointer, name, index) })),
      );
  }
  return [...found.values()];
}

function itemsOf({ value, pointer }: Placed<JsonObject>, index: number): Placed[] {
  const own = arrayAt(value, "prefixItems")[index];
  if (own !== undefined) return [{ value: own, pointer: pointTo(pointer, "prefixItems", index) }];
  const items = member(value, "items");
  return items === undefined ? [] : [{ value: items, pointer: pointTo(pointer, "items") }];
}

function memberOf({ value, pointer }: Placed<JsonObject>, name: string): Placed[] {
  const own = member(objectAt(value, "properties") ?? {}, name);
  if (own !== undefined) return [{ value: own, pointer: pointTo(pointer, "properties", name) }];
  const others = member(value, "additionalProperties");
  return others === undefined ? [] : [{ value: others, pointer: pointTo(pointer, "additionalProperties") }];
}
