import type { WebClasses } from "./endowments/web-classes.ts";
import { CODEMODE_GLOBALS, ENDOWED_GLOBALS, LANGUAGE_GLOBALS } from "./globals.ts";
import type { Compartment, SesGlobals } from "./ses-globals.ts";

/** What making a compartment takes. It is gone from the realm's global object before a script runs. */
export type StartPowers = Pick<SesGlobals, "Compartment" | "harden"> & {
  Function: FunctionConstructor;
  webClasses: WebClasses;
};

const ALLOWED: ReadonlySet<PropertyKey> = new Set([...LANGUAGE_GLOBALS, ...ENDOWED_GLOBALS, ...CODEMODE_GLOBALS]);

/** What can tell the time or make a number at random; a repeatable run has its own. */
export interface ChangingGlobals {
  Date: Pick<DateConstructor, "now">;
  Math: unknown;
  /** Undefined in a Node that was built without it. */
  Intl: unknown;
}

type Endowments = Record<(typeof ENDOWED_GLOBALS)[number], unknown> & ChangingGlobals;

/**
 * Makes the compartment of the script, with the globals of `globals.ts` and no others, each of them fixed. Fixed globals
 * protect the bindings from the script, and SES turns them into constants: looking one up is fifty times faster.
 */
export function makeCompartment({ Compartment, harden, Function }: StartPowers, endowments: Endowments): Compartment {
  const { Float16Array: float16 } = globalThis as { Float16Array?: unknown };
  const { Intl: intl, ...others } = endowments;
  const globals = harden({
    ...others,
    ...(intl !== undefined && { Intl: intl }),
    ...{ Float32Array, Float64Array },
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
