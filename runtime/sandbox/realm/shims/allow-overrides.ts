const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;

/**
 * Lets ordinary code assign to what it inherits (`point.toString = …`, `Child.prototype.constructor = …`), which frozen prototypes
 * forbid. Each value becomes a pair of accessors whose setter defines an own property on the inheritor. SES can do so for the
 * commonest prototypes, with two functions for each property; here a name has one setter for all prototypes, because each function
 * adds to the time of every start. For the same reason, where assignments only occur in classes, only the names that this takes are
 * covered.
 */
export function allowOverrides(): void {
  for (const prototype of listAssigned()) allowOverridesOf(prototype);
  for (const prototype of listInherited()) {
    for (const key of ["constructor", "toString", "valueOf", "toLocaleString"]) allowOverride(prototype, key);
  }
  for (const key of ["apply", "bind", "call"]) allowOverride(Function.prototype, key);
}

/** The same for a class of our own that scripts inherit from. */
export function allowOverridesOf(prototype: object): void {
  for (const key of Reflect.ownKeys(prototype)) {
    if (!FIXED.has(key)) allowOverride(prototype, key);
  }
}

/** Properties that V8 or the language treat in a way of their own. */
const FIXED: ReadonlySet<PropertyKey> = new Set(["length", "caller", "arguments", "stack"]);

/** Prototypes of objects that code adds methods to. */
function listAssigned(): object[] {
  const generator = protoOf(protoOf((function* () {})()));
  const asyncGenerator = protoOf(protoOf((async function* () {})()));
  const iterator = protoOf(generator);
  const errors = [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError];
  const collections = [Object, Array, Map, Set, WeakMap, WeakSet, protoOf(Uint8Array) as ArrayConstructor];
  return [
    ...[...collections, Promise, Date, RegExp, ...errors].map((constructor) => constructor.prototype as object),
    ...[generator, asyncGenerator, iterator],
  ];
}

/** Prototypes of objects that code inherits from at the most. */
function listInherited(): object[] {
  const views = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
  const longViews = [Float32Array, Float64Array, BigInt64Array, BigUint64Array];
  const classes = [Function, Number, String, Boolean, BigInt, Symbol, ArrayBuffer, DataView, ...views, ...longViews];
  return [...classes.map((constructor) => constructor.prototype as object), protoOf(function* () {})];
}

function allowOverride(prototype: object, key: PropertyKey): void {
  const descriptor = getOwnPropertyDescriptor(prototype, key);
  if (descriptor === undefined || !("value" in descriptor) || descriptor.configurable !== true) return;
  const { value, enumerable = false } = descriptor as { value: unknown; enumerable?: boolean };
  // A concise method has no `prototype` and cannot be constructed.
  const { read } = {
    read(): unknown {
      return value;
    },
  };
  // `harden` does not call getters. Without this the value would be out of its sight, and stay mutable.
  defineProperty(read, "originalValue", { value });
  defineProperty(prototype, key, { get: read, set: findSetter(key), enumerable, configurable: true });
}

type Setter = (this: unknown, replacement: unknown) => void;

const setters = new Map<PropertyKey, Setter>();

function findSetter(key: PropertyKey): Setter {
  const known = setters.get(key);
  if (known !== undefined) return known;
  const { override } = {
    override(this: unknown, replacement: unknown): void {
      const isObject = (typeof this === "object" && this !== null) || typeof this === "function";
      const own = isObject ? getOwnPropertyDescriptor(this, key) : undefined;
      if (!isObject || own?.set === override) {
        throw new TypeError(`Cannot assign to the property '${String(key)}': the built-in objects are frozen`);
      }
      if (own !== undefined) Reflect.set(this, key, replacement);
      else defineProperty(this, key, { value: replacement, writable: true, enumerable: true, configurable: true });
    },
  };
  setters.set(key, override);
  return override;
}

function protoOf(value: object): object {
  return getPrototypeOf(value) as object;
}
