/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

/** A JSON object; a member that is missing is `undefined`. */
export interface JsonObject {
  [name: string]: Json | undefined;
}

/** Whether a value is a JSON object, and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own member of an object: a name such as `constructor` finds nothing else. */
export function member(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An own member that is an object. */
export function objectAt(object: JsonObject, name: string): JsonObject | undefined {
  const value = member(object, name);
  return isObject(value) ? value : undefined;
}

/** An own member that is a text. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = member(object, name);
  return typeof value === "string" ? value : undefined;
}

/** An own member that is an array; empty where it is none. */
export function arrayAt(object: JsonObject, name: string): Json[] {
  const value = member(object, name);
  return Array.isArray(value) ? value : [];
}

/** Own members, in the order of the object; also `__proto__` is a name like any other. */
export function fromMembers(members: Iterable<readonly [string, Json | undefined]>): JsonObject {
  return Object.fromEntries([...members].filter(([, value]) => value !== undefined));
}

type Defined<Value> = { [Key in keyof Value as undefined extends Value[Key] ? never : Key]: Value[Key] } & {
  [Key in keyof Value as undefined extends Value[Key] ? Key : never]?: Exclude<Value[Key], undefined>;
};

/** The same members without the undefined ones. */
export function defined<const Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Defined<Value>;
}
