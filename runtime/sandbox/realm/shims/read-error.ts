/** What a stack says of its error. */
export interface ErrorReader {
  /** `name: message`, as `Error.prototype.toString` has it. */
  toHeadline(error: unknown): string;
  /** The names of the error's class and its parents. */
  classNames(error: unknown): ReadonlySet<unknown>;
}

/**
 * Reads errors without running code of the script. V8 prints a stack that is read while another one is printed itself, with frames of this program and of
 * Node: no getter, no `toString` and no trap of a proxy may run meanwhile.
 */
export function makeErrorReader(isProxy: (value: object) => boolean): ErrorReader {
  /** The descriptors of a property along the prototypes, up to the first proxy. */
  const find = (value: unknown, key: PropertyKey): PropertyDescriptor[] => {
    const found: PropertyDescriptor[] = [];
    let owner = value as object | null;
    while (((typeof owner === "object" && owner !== null) || typeof owner === "function") && !isProxy(owner)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(owner, key);
      if (descriptor !== undefined) found.push(descriptor);
      owner = Reflect.getPrototypeOf(owner);
    }
    return found;
  };
  const nameOfClass = (descriptor: PropertyDescriptor): unknown => {
    const constructor: unknown = valueOf(descriptor);
    if (typeof constructor !== "function" || isProxy(constructor)) return undefined;
    return Reflect.getOwnPropertyDescriptor(constructor, "name")?.value;
  };
  const readText = (error: unknown, key: "name" | "message"): string | undefined => {
    const [descriptor] = find(error, key);
    return descriptor === undefined ? undefined : toText(valueOf(descriptor));
  };
  const readName = (error: unknown): string => {
    const [constructor] = find(error, "constructor");
    return readText(error, "name") ?? toText(constructor && nameOfClass(constructor)) ?? "Error";
  };
  return {
    toHeadline(error) {
      if (typeof error !== "object" && typeof error !== "function") return String(error);
      const [name, message] = [readName(error), readText(error, "message") ?? ""];
      return name === "" || message === "" ? name + message : `${name}: ${message}`;
    },
    classNames: (error) => new Set(find(error, "constructor").map(nameOfClass)),
  };
}

/** The value of a property, also where it is one of the accessors that let inheritors assign it (`allow-overrides.ts`). */
function valueOf({ value, get }: PropertyDescriptor): unknown {
  if (get === undefined) return value;
  return Reflect.getOwnPropertyDescriptor(get, "originalValue")?.value;
}

/** Undefined for objects, whose text would be their own code's. */
function toText(value: unknown): string | undefined {
  const isPlain = value !== undefined && !["object", "function", "symbol"].includes(typeof value);
  return isPlain || value === null ? String(value) : undefined;
}
