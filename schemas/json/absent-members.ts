import { isJsonObject, toJsonObject, type JsonObject, type JsonValue } from "./json.ts";

/*
 * Many programs write an optional member that they do not have as null. MCP has no optional member for which null is a value, so it is taken off
 * where a message is read, and everything behind asks for the member alone.
 */

/** An object without its members that are null; the object itself where it has none. */
export function withoutNulls(object: JsonObject): JsonObject {
  const entries = Object.entries(object);
  return entries.some(([, value]) => value === null)
    ? toJsonObject(entries.filter(([, value]) => value !== null))
    : object;
}

/** What a caller wrote for someone else, in which null is a value. */
const VALUES = new Set(["arguments"]);

/** Deeper than any member of MCP: what is nested more is a value. */
const MAX_DEPTH = 64;

/** A message of a client without such members at any depth, but for the arguments of tools. Its id stays as it is. */
export function withoutNullMembers(message: JsonObject): JsonObject {
  return toJsonObject(
    Object.entries(message).flatMap(([key, value]): [string, JsonValue][] => {
      if (key === "id") return [[key, value]];
      return value === null ? [] : [[key, withoutDeepNulls(value, MAX_DEPTH)]];
    }),
  );
}

function withoutDeepNulls(value: JsonValue, depth: number): JsonValue {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => withoutDeepNulls(item, depth - 1));
  if (!isJsonObject(value)) return value;
  return toJsonObject(
    Object.entries(value).flatMap(([key, member]): [string, JsonValue][] => {
      if (member === null) return [];
      return [[key, VALUES.has(key) ? member : withoutDeepNulls(member, depth - 1)]];
    }),
  );
}
