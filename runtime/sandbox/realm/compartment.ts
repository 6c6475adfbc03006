import { CODEMODE_GLOBALS, ENDOWED_GLOBALS, LANGUAGE_GLOBALS } from "./globals.ts";
import { sesGlobals, type Compartment } from "./ses-globals.ts";

const ALLOWED: ReadonlySet<PropertyKey> = new Set([...LANGUAGE_GLOBALS, ...ENDOWED_GLOBALS, ...CODEMODE_GLOBALS]);

/**
 * Makes the compartment of the script, with the globals of `globals.ts` and no others, each of them fixed. Fixed globals
 * protect the bindings from the script, and SES turns them into constants: looking one up is fifty times faster.
 */
export function makeCompartment(endowments: Record<(typeof ENDOWED_GLOBALS)[number], unknown>): Compartment {
  const { Compartment, harden } = sesGlobals();
  const { Intl: intl, Float16Array: float16 } = globalThis as { Intl?: unknown; Float16Array?: unknown };
  const globals = harden({
    ...endowments,
    ...{ Date, Math, Float32Array, Float64Array },
    ...(intl !== undefined && { Intl: intl }),
    ...(float16 !== undefined && { Float16Array: float16 }),
    Function: Function.prototype.constructor,
  });
  const compartment = new Compartment({ __options__: true, name: "script", globals });
  const scope = compartment.globalThis;
  for (const key of Reflect.ownKeys(scope)) {
    if (ALLOWED.has(key)) fixGlobal(scope, key);
    else if (!Reflect.deleteProperty(scope, key)) fixGlobal(scope, key);
  }
  return compartment;
}

/** Adds a global of the codemode interface. Only `__codemode_result__` is for the script to write. */
export function addGlobal(
  compartment: Compartment,
  name: (typeof CODEMODE_GLOBALS)[number],
  value: unknown,
  writable: boolean,
): void {
  Object.defineProperty(compartment.globalThis, name, { value, writable, enumerable: false, configurable: false });
}

function fixGlobal(scope: object, key: PropertyKey): void {
  const descriptor = Object.getOwnPropertyDescriptor(scope, key);
  if (descriptor === undefined || !("value" in descriptor)) return;
  Object.defineProperty(scope, key, { writable: false, configurable: false });
}
