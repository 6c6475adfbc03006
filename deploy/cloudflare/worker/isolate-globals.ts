import { ENDOWED_GLOBALS } from "../../../runtime/sandbox/realm/globals.ts";

interface RejectionEvent {
  promise: Promise<unknown>;
  reason: unknown;
  preventDefault(): void;
}

/** What the adapter itself needs of the runtime, taken before the script's globals are all that there is. */
export interface Native {
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  addEventListener(type: string, listener: (event: RejectionEvent) => void): void;
  TextEncoder: typeof TextEncoder;
  Math: Math;
  /** Those of a script that the runtime has itself. */
  webClasses: Readonly<Record<(typeof NATIVE_CLASSES)[number], unknown>>;
}

const NATIVE_CLASSES = [
  ...["URL", "URLSearchParams", "TextEncoder", "TextDecoder"],
  ...["DOMException", "structuredClone", "atob", "btoa"],
] as const;

export function takeNative(): Native {
  const { setTimeout, clearTimeout, TextEncoder: encoder } = globalThis;
  const { addEventListener } = globalThis as unknown as Native;
  const classes = NATIVE_CLASSES.map((name) => [name, (globalThis as Record<string, unknown>)[name]]);
  return {
    setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
    clearTimeout: (timer) => clearTimeout(timer as never),
    addEventListener: (type, listener) => addEventListener.call(globalThis, type, listener),
    TextEncoder: encoder,
    Math,
    webClasses: Object.fromEntries(classes) as Native["webClasses"],
  };
}

/** What stands for SES's Compartment: the isolate itself, whose one script `evaluate` starts. It keeps nothing that a script of a sandbox process does not have. */
export function scopeOf(evaluate: () => unknown): new (options: { globals: object }) => object {
  return class {
    readonly globalThis = globalThis;
    readonly evaluate = evaluate;
    constructor({ globals }: { globals: object }) {
      const kept = new Set<PropertyKey>(NATIVE_CLASSES);
      // What each run makes for itself is added later.
      for (const name of ENDOWED_GLOBALS) if (!kept.has(name)) Reflect.deleteProperty(globalThis, name);
      for (let proto = parentOf(globalThis); proto !== null && proto !== Object.prototype; proto = parentOf(proto)) {
        for (const key of Reflect.ownKeys(proto)) Reflect.deleteProperty(proto, key);
      }
      for (const [name, value] of Object.entries(globals)) {
        Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
      }
    }
  };
}

function parentOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}
