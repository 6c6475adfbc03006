/** Globals that the start of the realm needs and that scripts must not find. */
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
  ...["HandledPromise", "DisposableStack", "AsyncDisposableStack", "ShadowRealm", "gc"],
];

/** Takes the powers of the realm's own global object away: behind the compartment there is nothing to find either. */
export function scrubStartGlobals(): void {
  for (const name of POWERS) Reflect.deleteProperty(globalThis, name);
}
