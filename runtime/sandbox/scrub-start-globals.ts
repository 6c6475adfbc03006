/** What the start of the realm needed, and nobody may find once scripts run. */
const POWERS = [
  ...["WebAssembly", "SharedArrayBuffer", "Atomics", "console", "eval", "Function", "WeakRef", "FinalizationRegistry"],
  ...[
    "Compartment",
    "ModuleSource",
    "lockdown",
    "repairIntrinsics",
    "hardenIntrinsics",
    "harden",
    "assert",
    "getStackString",
  ],
  ...["HandledPromise", "DisposableStack", "AsyncDisposableStack", "ShadowRealm"],
];

/** Takes the powers of the realm's own global object away: behind the compartment there is nothing to find either. */
export function scrubStartGlobals(): void {
  for (const name of POWERS) Reflect.deleteProperty(globalThis, name);
}
