import type { MakeRuntime } from "../../../schemas/run/bridge.ts";
import type { WebClasses } from "./endowments/web-classes.ts";
import { CODEMODE_GLOBALS, ENDOWED_GLOBALS, LANGUAGE_GLOBALS } from "./globals.ts";
import type { Compartment, SesGlobals } from "./ses-globals.ts";

/** What making a compartment takes. It is gone from the realm's global object before a script runs. */
export type StartPowers = Pick<SesGlobals, "Compartment" | "harden"> & {
  Function: FunctionConstructor;
  Proxy: ProxyConstructor;
  /** Absent where programs bring their runtime with them. */
  makeRuntime?: MakeRuntime;
  webClasses: WebClasses;
};

/** Without `Math`, which makes numbers at random and so belongs to one run. */
const SHARED: ReadonlySet<PropertyKey> = new Set(
  [...LANGUAGE_GLOBALS, ...ENDOWED_GLOBALS, ...CODEMODE_GLOBALS].filter((name) => name !== "Math"),
);

/** All shared globals are values, none has a getter. */
const FIXED: PropertyDescriptor = { writable: false, configurable: false };

/** What can tell the time; a repeatable run has its own. */
export interface ClockGlobals {
  Date: Pick<DateConstructor, "now">;
  /** Undefined in a Node that was built without it. */
  Intl: unknown;
}

/** Globals that hold nothing of a run, hardened. */
export type SharedGlobals = Readonly<Record<string, unknown>>;

/** Gathers what compartments have in common beyond the intrinsics. */
export function gatherSharedGlobals(
  { harden, Function, Proxy, webClasses }: StartPowers,
  { Date, Intl: intl }: ClockGlobals,
): SharedGlobals {
  const { Float16Array: float16 } = globalThis as { Float16Array?: unknown };
  return harden({
    ...webClasses,
    Date,
    ...(intl !== undefined && { Intl: intl }),
    ...{ Float32Array, Float64Array },
    ...(float16 !== undefined && { Float16Array: float16 }),
    Function: Function.prototype.constructor,
    Proxy,
  });
}

/**
 * Makes the compartment of a script, with the shared globals of `globals.ts` and no others, each of them fixed. Fixed globals
 * protect the bindings from the script, and SES turns them into constants: looking one up is fifty times faster.
 */
export function makeCompartment({ Compartment }: StartPowers, globals: SharedGlobals): Compartment {
  const compartment = new Compartment({ __options__: true, name: "script", globals });
  const scope = compartment.globalThis;
  for (const key of Reflect.ownKeys(scope)) {
    if (SHARED.has(key)) Object.defineProperty(scope, key, FIXED);
    else if (!Reflect.deleteProperty(scope, key)) fixGlobal(scope, key);
  }
  return compartment;
}

/** Adds globals that the run has for itself, fixed as well. SES makes constants of globals that are there before the first program. */
export function addRunGlobals(compartment: Compartment, globals: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(compartment.globalThis, name, {
      ...{ value, writable: false, enumerable: true, configurable: false },
    });
  }
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
  Object.defineProperty(scope, key, FIXED);
}
