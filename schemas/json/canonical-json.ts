import { escapeInvisible } from "./escape-invisible.ts";
import type { JsonValue } from "./json.ts";

// Goes when Node 20 is no longer supported: the libraries for RFC 8785 that are kept up need Node 22.

/** Canonical JSON (RFC 8785): keys sorted by UTF-16 code units, no white space, members without a value left out. Equal values give equal text. */
export function canonicalJson(value: JsonValue): string {
  // What comes from a lockfile is sorted already, and the engine prints it many times faster.
  return isSorted(value) ? JSON.stringify(value) : print(value, "", "");
}

function isSorted(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isSorted);
  let previous: string | undefined;
  for (const key of Object.keys(value)) {
    if ((previous !== undefined && previous >= key) || !isSorted(value[key] as JsonValue)) return false;
    previous = key;
  }
  return true;
}

/** The same value with its keys in canonical order, so that derived data does not depend on the writer. */
export function sortKeys<Value extends JsonValue>(value: Value): Value {
  return JSON.parse(canonicalJson(value)) as Value;
}

/** The readable sibling of `canonicalJson`: the same key order, two-space indent, final newline, and nothing in it that a reader cannot see. */
export function sortedJson(value: JsonValue): string {
  return `${escapeInvisible(print(value, "  ", "\n"))}\n`;
}

/** `indent` is empty for the compact form; `newline` carries the indentation reached so far. */
function print(value: JsonValue, indent: string, newline: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = newline + indent;
  if (Array.isArray(value)) {
    return value.length === 0
      ? "[]"
      : `[${value.map((item) => inner + print(item, indent, inner)).join(",")}${newline}]`;
  }
  const colon = indent === "" ? ":" : ": ";
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted(byCodeUnits)
    .map((key) => inner + JSON.stringify(key) + colon + print(value[key] as JsonValue, indent, inner));
  return members.length === 0 ? "{}" : `{${members.join(",")}${newline}}`;
}

/** The order of every sorted list in codemode: UTF-16 code units, the same in each locale. */
export function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
