import { shapeOf, typedArrayName } from "../serialize/value-shape.ts";
import type { DomExceptionClass } from "./dom-exception.ts";
import { isBuffer, readView } from "./view-bytes.ts";

/** Makes a copy of a value that shares nothing with it. */
export type StructuredClone = (value: unknown, options?: { transfer?: Iterable<unknown> }) => unknown;

const { apply } = Reflect;
const mapEntries = Map.prototype.entries;
const setValues = Set.prototype.values;
const dateTime = Date.prototype.getTime;
const sliceBuffer = ArrayBuffer.prototype.slice;
/** Not in Node 20: always there when that is no longer supported. */
const { transfer: transferBuffer } = ArrayBuffer.prototype as { transfer?: () => ArrayBuffer };

/** `valueOf` of what boxes a primitive: throws on every other object. */
const UNBOX: readonly (() => unknown)[] = [
  Boolean.prototype.valueOf,
  Number.prototype.valueOf,
  String.prototype.valueOf,
  BigInt.prototype.valueOf,
];
/** Reads of objects that have no copy: each throws on every other object. */
const UNCLONEABLE: readonly (readonly [string, (value: object) => unknown])[] = [
  ["WeakMap", (value) => apply(WeakMap.prototype.has, value, [value])],
  ["WeakSet", (value) => apply(WeakSet.prototype.has, value, [value])],
  ["Symbol", (value) => apply(Symbol.prototype.valueOf, value, [])],
];
const ERRORS = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const VIEWS = {
  ...{ Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array },
  ...{ Float32Array, Float64Array, BigInt64Array, BigUint64Array },
};
/** Not in Node 20 and 22: always there when those are no longer supported. */
const { Float16Array: float16 } = globalThis as { Float16Array?: typeof Float32Array };

interface ViewClass {
  new (buffer: ArrayBuffer, byteOffset: number, length: number): object;
  BYTES_PER_ELEMENT?: number;
}
type Keep = <Made extends object>(made: Made) => Made;

/**
 * Makes `structuredClone` (WHATWG HTML, "StructuredSerializeInternal"): for plain objects, arrays, boxed primitives, dates, regular expressions,
 * maps, sets, errors, buffers and views, with cycles. Objects of classes become plain. A proxy is copied as what it shows, because only the
 * engine can tell that it is one.
 */
export function makeStructuredClone(DOMException: DomExceptionClass): StructuredClone {
  // A concise method has no `prototype` and cannot be constructed.
  const { structuredClone } = {
    structuredClone(value: unknown, options?: { transfer?: Iterable<unknown> }): unknown {
      const cloner = new Cloner(DOMException);
      const transferred = cloner.listTransfers(options?.transfer ?? []);
      const made = cloner.copy(value);
      for (const buffer of transferred) apply(transferBuffer as () => ArrayBuffer, buffer, []);
      return made;
    },
  };
  return structuredClone;
}

class Cloner {
  readonly #DOMException: DomExceptionClass;
  /** What has been copied, with its copy: a cycle ends there. */
  readonly #copies = new Map<object, object>();

  constructor(DOMException: DomExceptionClass) {
    this.#DOMException = DOMException;
  }

  #refuse(what: string): Error {
    return new this.#DOMException(`${what} could not be cloned`, "DataCloneError");
  }

  copy(value: unknown): unknown {
    if (typeof value === "symbol") throw this.#refuse(String(value));
    if (typeof value === "function") throw this.#refuse("A function");
    if (typeof value !== "object" || value === null) return value;
    return this.#copies.get(value) ?? this.#copyObject(value);
  }

  #copyObject(value: object): object {
    const keep = <Made extends object>(made: Made): Made => {
      this.#copies.set(value, made);
      return made;
    };
    switch (shapeOf(value)) {
      case "array":
        return this.#copyMembers(value, keep(makeHoles((value as unknown[]).length)));
      case "date":
        return keep(new Date(apply(dateTime, value, [])));
      case "regexp":
        return keep(new RegExp((value as RegExp).source, (value as RegExp).flags));
      case "map":
        return this.#copyMap(value, keep(new Map()));
      case "set":
        return this.#copySet(value, keep(new Set()));
      case "error":
        return this.#copyError(value as Error, keep);
      case "promise":
        throw this.#refuse("A promise");
      case "typed-array":
        return keep(this.#copyView(value, viewClass(typedArrayName(value))));
      case "plain":
        return this.#copyPlain(value, keep);
    }
  }

  #copyPlain(value: object, keep: Keep): object {
    const prototype = Object.getPrototypeOf(value) as unknown;
    if (prototype === Object.prototype || prototype === null) return this.#copyMembers(value, keep({}));
    if (isBuffer(value)) return keep(this.#copyBuffer(value));
    if (ArrayBuffer.isView(value)) return keep(this.#copyView(value, DataView));
    for (const valueOf of UNBOX) {
      const primitive = attempt(() => apply(valueOf, value, []));
      if (primitive !== undefined) return keep(Object(primitive) as object);
    }
    const kind = UNCLONEABLE.find(([, read]) => attempt(() => [read(value)]) !== undefined)?.[0];
    if (kind !== undefined) throw this.#refuse(`A ${kind}`);
    return this.#copyMembers(value, keep({}));
  }

  #copyMembers(value: object, made: object): object {
    for (const key of Object.keys(value)) {
      const member = this.copy((value as Record<string, unknown>)[key]);
      if (key in made) Object.defineProperty(made, key, { value: member, ...PLAIN });
      else (made as Record<string, unknown>)[key] = member;
    }
    return made;
  }

  #copyMap(value: object, made: Map<unknown, unknown>): object {
    // Copying a member may run getters, which may change the map.
    for (const [key, member] of [...(apply(mapEntries, value, []) as Iterable<[unknown, unknown]>)]) {
      made.set(this.copy(key), this.copy(member));
    }
    return made;
  }

  #copySet(value: object, made: Set<unknown>): object {
    for (const member of [...(apply(setValues, value, []) as Iterable<unknown>)]) made.add(this.copy(member));
    return made;
  }

  #copyError(error: Error, keep: (made: Error) => Error): Error {
    const { name } = error;
    const message = Object.getOwnPropertyDescriptor(error, "message")?.value as unknown;
    const Class = Object.hasOwn(ERRORS, name) ? ERRORS[name as keyof typeof ERRORS] : Error;
    const made = keep(new Class(...(message === undefined ? [] : [String(message)])));
    Object.defineProperty(made, "stack", { value: String(error.stack), ...HIDDEN });
    if (Object.hasOwn(error, "cause"))
      Object.defineProperty(made, "cause", { value: this.copy(error.cause), ...HIDDEN });
    return made;
  }

  #copyBuffer(buffer: ArrayBuffer): ArrayBuffer {
    const bytes = attempt(() => apply(sliceBuffer, buffer, [0]));
    if (bytes === undefined) throw this.#refuse("A detached ArrayBuffer");
    const { resizable, maxByteLength } = buffer as { resizable?: boolean; maxByteLength?: number };
    if (resizable !== true || maxByteLength === undefined) return bytes;
    const made = new (ArrayBuffer as new (length: number, options: object) => ArrayBuffer)(bytes.byteLength, {
      maxByteLength,
    });
    new Uint8Array(made).set(new Uint8Array(bytes));
    return made;
  }

  #copyView(view: object, View: ViewClass): object {
    const parts = readView(view);
    if (parts === undefined) throw this.#refuse("A view of a detached ArrayBuffer");
    const { buffer, byteOffset, byteLength } = parts;
    return new View(this.copy(buffer) as ArrayBuffer, byteOffset, byteLength / (View.BYTES_PER_ELEMENT ?? 1));
  }

  listTransfers(transfer: Iterable<unknown>): ArrayBuffer[] {
    const buffers = [...transfer].map((item) => {
      if (!isBuffer(item)) throw this.#refuse("What is not an ArrayBuffer cannot be transferred: it");
      return item;
    });
    if (new Set(buffers).size < buffers.length) throw this.#refuse("An ArrayBuffer that is transferred twice");
    if (buffers.length > 0 && transferBuffer === undefined) {
      throw this.#refuse("Node 20 has no way to transfer an ArrayBuffer (22 has): leave `transfer` out; it");
    }
    return buffers;
  }
}

/** Of the typed array with this name. */
function viewClass(name: string): ViewClass {
  const Class = name === "Float16Array" ? float16 : VIEWS[name as keyof typeof VIEWS];
  return Class as ViewClass;
}

function makeHoles(length: number): unknown[] {
  const holes: unknown[] = [];
  holes.length = length;
  return holes;
}

const PLAIN = { writable: true, enumerable: true, configurable: true };
const HIDDEN = { writable: true, enumerable: false, configurable: true };

function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
