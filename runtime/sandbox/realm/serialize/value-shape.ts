/** What an object is, for those kinds whose plain JSON would say nothing. Subclasses and objects of other kinds are "plain". */
export type ValueKind = "array" | "date" | "error" | "map" | "plain" | "promise" | "regexp" | "set" | "typed-array";

const { apply } = Reflect;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

/** Getters and methods that throw on every object but their own kind. They are the language's own, taken before any script ran. */
const BRANDS: readonly (readonly [ValueKind, () => unknown])[] = [
  ["date", Date.prototype.getTime],
  ["map", getter(Map.prototype, "size")],
  ["set", getter(Set.prototype, "size")],
  ["regexp", getter(RegExp.prototype, "source")],
];
const typedArrayTag = getter(getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);

/** Tells what an object is without believing what it says. May throw what a proxy's trap throws. */
export function shapeOf(value: object): ValueKind {
  if (Array.isArray(value)) return "array";
  const prototype = getPrototypeOf(value) as unknown;
  if (prototype === Object.prototype || prototype === null || typeof value === "function") return "plain";
  if (value instanceof Error) return "error";
  if (value instanceof Promise) return "promise";
  if (apply(typedArrayTag, value, []) !== undefined) return "typed-array";
  return BRANDS.find(([, read]) => isBranded(read, value))?.[0] ?? "plain";
}

/** The name of a typed array's class, for instance `Uint8Array`. */
export function typedArrayName(value: object): string {
  return String(apply(typedArrayTag, value, []));
}

/** The fields of an error for a reader: `name`, `message` and the ones of its class, without the stack. */
export function errorFields(error: object): Record<string, unknown> {
  const { name, message, cause } = error as { name?: unknown; message?: unknown; cause?: unknown };
  return { name, message, ...(cause !== undefined && { cause }), ...error };
}

function isBranded(read: () => unknown, value: object): boolean {
  try {
    apply(read, value, []);
    return true;
  } catch {
    return false;
  }
}

function getter(prototype: object, key: PropertyKey): () => unknown {
  return getOwnPropertyDescriptor(prototype, key)?.get as () => unknown;
}
