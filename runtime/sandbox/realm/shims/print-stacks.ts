import { BUNDLE_URL } from "../../../../schemas/run/bundle.ts";

/** The parts of V8's stack trace interface that are used here. */
interface V8Error extends ErrorConstructor {
  stackTraceLimit: number;
  captureStackTrace(target: object, above?: unknown): void;
  prepareStackTrace(error: unknown, callSites: CallSite[]): string;
}

interface CallSite {
  getScriptNameOrSourceURL(): string | null;
  getFunctionName(): string | null;
  isConstructor(): boolean;
  toString(): string;
}

const MAX_FRAMES = 50;

/**
 * Makes `error.stack` a string with the frames of the script and nothing else: frames of this program and of Node would name
 * files of the machine. A script can neither replace the printing nor see a call site, which would hand it functions.
 */
export function printStacks(feralError: ErrorConstructor, isProxy: (value: object) => boolean): void {
  const { toHeadline, classNames } = makeErrorReader(isProxy);
  const v8Error = feralError as V8Error;
  const { captureStackTrace } = v8Error;
  v8Error.stackTraceLimit = MAX_FRAMES;
  v8Error.prepareStackTrace = (error, callSites) =>
    toHeadline(error) + withoutConstructors(classNames(error), callSites.filter(isOfScript)).map(printFrame).join("");

  const shared = Error.prototype.constructor as V8Error;
  const methods = {
    captureStackTrace(target: object, above?: unknown): void {
      const carrier = { stack: "" };
      Reflect.apply(captureStackTrace, feralError, [
        carrier,
        typeof above === "function" ? above : methods.captureStackTrace,
      ]);
      const { stack } = carrier;
      const frames = stack.includes("\n") ? stack.slice(stack.indexOf("\n")) : "";
      const value = toHeadline(target) + frames;
      Object.defineProperty(target, "stack", { value, writable: true, enumerable: false, configurable: true });
    },
  };
  Object.defineProperty(shared, "captureStackTrace", {
    value: methods.captureStackTrace,
    writable: false,
    enumerable: false,
    configurable: true,
  });
}

function isOfScript(callSite: CallSite): boolean {
  return callSite.getScriptNameOrSourceURL() === BUNDLE_URL;
}

/** Leaves out the frames of the error's own class and its parents: where it was made is the line that says `new`. */
function withoutConstructors(names: ReadonlySet<unknown>, frames: CallSite[]): CallSite[] {
  const first = frames.findIndex((frame) => !(frame.isConstructor() && names.has(frame.getFunctionName())));
  return first < 0 ? frames : frames.slice(first);
}

function printFrame(callSite: CallSite): string {
  return `\n    at ${callSite.toString()}`;
}

/** What a stack says of its error. */
interface ErrorReader {
  /** `name: message`, as `Error.prototype.toString` has it. */
  toHeadline(error: unknown): string;
  /** The names of the error's class and its parents. */
  classNames(error: unknown): ReadonlySet<unknown>;
}

/**
 * Reads errors without running code of the script. V8 prints a stack that is read while another one is printed itself, with frames of this program and of
 * Node: no getter, no `toString` and no trap of a proxy may run meanwhile.
 */
function makeErrorReader(isProxy: (value: object) => boolean): ErrorReader {
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
