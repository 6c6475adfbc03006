// What the rest of codemode has in `schemas/json/json.ts`; repeated here because this package stands alone.

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

/** The value of an own property, or undefined; a key such as `constructor` finds nothing inherited. */
export function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Builds an object from entries so that `__proto__` becomes a plain own property and can never replace the prototype. */
export function toJsonObject(entries: Iterable<readonly [string, JsonValue]>): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return object;
}

/** The members that may be undefined are optional, and never undefined where they are there. */
type WithoutUndefined<Value> = { [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key] } & {
  [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined>;
};

/** The same members without those that are undefined, for data that is sent or laid over other data. */
export function withoutUndefined<const Value extends object>(value: Value): WithoutUndefined<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as WithoutUndefined<Value>;
}
