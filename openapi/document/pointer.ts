import { type Json, type JsonObject, isObject } from "../json.ts";
import { OpenApiError } from "../openapi-error.ts";

/** A value of a document with its place there. */
export interface Placed<Value extends Json = Json> {
  value: Value;
  /** A JSON pointer with `#` before it. */
  pointer: string;
}

/** The pointer of a member. */
export function pointTo(pointer: string, ...names: (string | number)[]): string {
  return [pointer, ...names.map((name) => String(name).replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
}

/** The names that a pointer goes through. */
export function namesOf(pointer: string): string[] {
  const fragment = pointer.replace(/^#/, "");
  if (fragment === "") return [];
  return fragment
    .slice(1)
    .split("/")
    .map((name) => decode(name).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** An error about a place of the document. */
export function invalidAt(pointer: string, cause: string, hint: string): OpenApiError {
  return new OpenApiError("DOCUMENT_INVALID", `${pointer}: ${cause}`, hint);
}

const MAX_HOPS = 50;

/** Follows `$ref` until there is none. Everything that another file has was bundled before. */
export function follow(root: JsonObject, value: Json, pointer: string): Placed {
  let at: Placed = { value, pointer };
  for (let hop = 0; hop < MAX_HOPS; hop += 1) {
    const reference = isObject(at.value) ? at.value["$ref"] : undefined;
    if (typeof reference !== "string") return at;
    at = resolvePointer(root, reference, at.pointer);
  }
  throw invalidAt(pointer, "$ref leads back to itself", "Let the reference end at a value.");
}

/** What follows `$ref` must be an object. */
export function followObject(
  root: JsonObject,
  value: Json | undefined,
  pointer: string,
  what: string,
): Placed<JsonObject> {
  const found = follow(root, value ?? null, pointer);
  if (isObject(found.value)) return { value: found.value, pointer: found.pointer };
  throw invalidAt(found.pointer, `${what} must be an object`, "Write it as the OpenAPI specification says.");
}

/** The value that a local reference stands for; `from` is where the reference is. */
export function resolvePointer(root: JsonObject, reference: string, from: string): Placed {
  if (!/^#(?:\/|$)/.test(reference)) {
    throw invalidAt(from, `$ref "${reference}" is no path within the document`, "Write it as #/components/….");
  }
  let value: Json | undefined = root;
  for (const name of namesOf(reference)) {
    value = typeof value === "object" && value !== null && Object.hasOwn(value, name) ? member(value, name) : undefined;
    if (value === undefined)
      throw invalidAt(from, `$ref "${reference}" leads to nothing`, "Define it, or correct the reference.");
  }
  return { value, pointer: reference };
}

function member(value: JsonObject | Json[], name: string): Json | undefined {
  return Array.isArray(value) ? value[Number(name)] : value[name];
}
