import { toAttacks } from "../attack.ts";

/** Promises, thenables and species: places where the engine calls the script on behalf of other code. */
export const promiseAttacks = toAttacks({
  "Promise.prototype.then replaced": `
    let seen;
    try { Promise.prototype.then = function (...args) { seen = walk(args) || "then was called"; }; } catch {}
    await call("echo");
    return seen;`,
  "species of a promise": `
    let seen;
    let depth = 0;
    const dive = (from) => { depth += 1; if (depth > from) new Error().stack; dive(from); };
    try { dive(Infinity); } catch {}
    // A printed stack at each depth would take seconds; the last tenth fills the stack while one is printed as well.
    const overflow = async () => { const from = depth * 0.9; depth = 0; dive(from); };
    const promise = overflow();
    class Fake { constructor(executor) { executor((value) => value, (error) => { seen = walk(error) || power(error); }); } }
    try { promise.constructor = { [Symbol.species]: Fake }; } catch {}
    try { promise.then(); } catch {}
    await promise.catch(() => {});
    return seen;`,
  "a thenable that is awaited": `let seen; await { then(resolve, reject) { seen = walk(resolve) || walk(reject); resolve(1); } }; return seen;`,
  "a thenable that resolves itself": `const loop = { count: 0, then(resolve) { this.count += 1; resolve(this.count < 50 ? loop : "end"); } }; return (await loop) !== "end";`,
  resolvers: `const made = Promise.withResolvers?.(); return made && walk(made);`,
  "the promise of a call": `const promise = __codemode_call__("server", "echo", "{}"); return walk(promise) || power(await promise) || promise.constructor !== Promise;`,
  "a promise with its own then": `
    let seen;
    const promise = __codemode_call__("server", "echo", "{}");
    try { promise.then = (...args) => { seen = walk(args); }; } catch {}
    try { promise.constructor = class { constructor(executor) { seen = walk(executor); } }; } catch {}
    await Promise.race([promise, sleep(20)]);
    return seen;`,
  "an async generator": `
    const generator = (async function* () { try { yield 1; } finally { yield 2; } })();
    await generator.next();
    return walk(generator) || walk(await generator.return({ then(resolve) { resolve(globalThis); } }), 10);`,
  "Array.fromAsync and iterator helpers": `
    if (Array.fromAsync) { const found = walk(await Array.fromAsync([1])); if (found) return found; }
    if (typeof Iterator === "function" && [1].values().map) return walk([1].values().map((item) => item));`,
  "an unhandled rejection with traps": `
    const reason = new Proxy({}, { get(_, key) { return key === "then" ? undefined : globalThis; }, getPrototypeOf() { throw new Error("trap"); } });
    Promise.reject(reason).catch(() => {});
    return undefined;`,
});
