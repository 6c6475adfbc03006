const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;

/**
 * Lets ordinary code assign to what it inherits (`point.toString = …`, `Child.prototype.constructor = …`), which frozen prototypes
 * forbid. Each value becomes a pair of accessors whose setter defines an own property on the inheritor. SES does so for the
 * commonest prototypes; this covers the others. Each pair adds to the time of every start: where assignments only occur in classes, only
 * the names that this takes are covered.
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
  const errors = [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError];
  return [
    ...[Array, Promise, Date, RegExp, WeakMap, WeakSet, ...errors].map(
      (constructor) => constructor.prototype as object,
    ),
    generator,
    asyncGenerator,
    protoOf(generator),
  ];
}

/** Prototypes of objects that code inherits from at the most. */
function listInherited(): object[] {
  const views = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array];
  const longViews = [Float32Array, Float64Array, BigInt64Array, BigUint64Array];
  const classes = [Function, Number, String, Boolean, BigInt, Symbol, ArrayBuffer, DataView, ...views, ...longViews];
  return classes.map((constructor) => constructor.prototype as object);
}

function allowOverride(prototype: object, key: PropertyKey): void {
  const descriptor = getOwnPropertyDescriptor(prototype, key);
  if (descriptor === undefined || !("value" in descriptor) || descriptor.configurable !== true) return;
  const { value, enumerable = false } = descriptor as { value: unknown; enumerable?: boolean };
  // Concise methods have no `prototype` and cannot be constructed.
  const { read, override } = {
    read(): unknown {
      return value;
    },
    override(this: unknown, replacement: unknown): void {
      if (this === prototype || this === null || (typeof this !== "object" && typeof this !== "function")) {
        throw new TypeError(`Cannot assign to the property '${String(key)}': the built-in objects are frozen`);
      }
      if (hasOwn(this, key)) Reflect.set(this, key, replacement);
      else defineProperty(this, key, { value: replacement, writable: true, enumerable: true, configurable: true });
    },
  };
  // `harden` does not call getters. Without this the value would be out of its sight, and stay mutable.
  defineProperty(read, "originalValue", { value });
  defineProperty(prototype, key, { get: read, set: override, enumerable, configurable: true });
}

function protoOf(value: object): object {
  return getPrototypeOf(value) as object;
}
