import { toAttacks } from "../attack.ts";

/** What the global object has, and what can be done to it. */
export const globalAttacks = toAttacks({
  "names of Node and of browsers": `
    const names = ["process", "require", "module", "exports", "global", "Buffer", "__dirname", "__filename", "fetch", "XMLHttpRequest",
      "WebSocket", "EventSource", "navigator", "setInterval", "setImmediate", "TextDecoderStream", "CustomEvent", "CryptoKey",
      "MessageChannel", "BroadcastChannel", "Worker", "importScripts", "Blob", "localStorage", "window", "self", "gc", "v8"];
    const found = names.filter((name) => name in globalThis || globalThis[name] !== undefined);
    return found.length > 0 && found.join();`,
  "names of SES": `
    const found = ["Compartment", "lockdown", "harden", "repairIntrinsics", "hardenIntrinsics", "ModuleSource", "assert", "getStackString"]
      .filter((name) => name in globalThis);
    return (found.length > 0 && found.join()) || (Object[Symbol.for("harden")] !== undefined && "harden");`,
  "shared memory and WebAssembly": `
    if (typeof WebAssembly !== "undefined") return "WebAssembly";
    if (typeof SharedArrayBuffer !== "undefined" || typeof Atomics !== "undefined") return "shared memory";`,
  "weak references": `return (typeof WeakRef !== "undefined" || typeof FinalizationRegistry !== "undefined") && "the collector can be watched";`,
  "a compartment of one's own": `return typeof Compartment !== "undefined" && power(new Compartment());`,
  "a walk over everything": `return walk(globalThis, 30000);`,
  "accessors on the global object": `
    for (const key of Reflect.ownKeys(globalThis)) {
      const { get, set } = Object.getOwnPropertyDescriptor(globalThis, key);
      const found = power(get) || power(set);
      if (found) return String(key) + ": " + found;
    }`,
  "the prototype of the global object": `return power(Object.getPrototypeOf(globalThis)) || walk(Object.getPrototypeOf(globalThis));`,
  // A script may do so, and fool itself; what the traps are given must be its own.
  "another prototype for the global object": `
    let seen;
    const trap = (...args) => { seen ||= args.map((arg) => arg !== globalThis && foreign(arg)).find(Boolean); return undefined; };
    try { Object.setPrototypeOf(globalThis, new Proxy({}, { has: (...args) => trap(...args) ?? true, get: trap, getOwnPropertyDescriptor: trap })); } catch {}
    void someUnknownName;
    typeof anotherUnknownName;
    return seen;`,
  "unscopables on the global object": `
    try { globalThis[Symbol.unscopables] = { console: true, __codemode_call__: true }; } catch {}
    return power(console) || (typeof __codemode_call__ !== "function" && "a global was hidden");`,
  "replacing what bindings use": `
    const before = [JSON, Promise, Object, __codemode_call__];
    for (const name of ["JSON", "Promise", "Object", "__codemode_call__"]) {
      try { globalThis[name] = () => "fake"; } catch {}
      try { Object.defineProperty(globalThis, name, { value: "fake" }); } catch {}
      try { delete globalThis[name]; } catch {}
    }
    return [JSON, Promise, Object, __codemode_call__].some((item, index) => item !== before[index]) && "a global was replaced";`,
  "deleting globals to see behind them": `
    for (const name of ["console", "setTimeout", "URL"]) try { delete globalThis[name]; } catch {}
    return power(console) || power(setTimeout) || power(URL);`,
  "an accessor as the result": `
    try {
      Object.defineProperty(globalThis, "__codemode_result__", { get() { return "trapped"; } });
      return "the result is an accessor";
    } catch {}`,
  "an implicit global": `try { someName = 1; } catch {} return globalThis.someName !== undefined && "sloppy mode";`,
  with: `return maker((source) => Function("with ({}) {" + source + "}"));`,
  "arguments of the evaluator": `return typeof arguments === "object" && arguments.length > 0 && "the arguments of something else";`,
  "symbols on the global object": `
    const symbols = Object.getOwnPropertySymbols(globalThis).filter((symbol) => symbol !== Symbol.toStringTag && symbol !== Symbol.unscopables);
    return walk(symbols.map((symbol) => globalThis[symbol]));`,
});
