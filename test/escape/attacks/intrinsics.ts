import { toAttacks } from "../attack.ts";

/** Built-in objects, changed so that the code around the script would work for the attacker. */
export const intrinsicAttacks = toAttacks({
  "everything is frozen": `
    const loose = [];
    const seen = new Set();
    const queue = Object.getOwnPropertyNames(globalThis).filter((name) => name !== "globalThis" && !name.startsWith("__")).map((name) => [name, globalThis[name]]);
    while (queue.length > 0) {
      const [path, value] = queue.pop();
      if (!isObject(value) || seen.has(value)) continue;
      seen.add(value);
      if (!Object.isFrozen(value)) loose.push(path);
      for (const key of Reflect.ownKeys(value)) {
        const descriptor = Object.getOwnPropertyDescriptor(value, key);
        for (const part of ["value", "get", "set"]) queue.push([path + "." + String(key), descriptor[part]]);
        if (descriptor.get) try { const got = descriptor.get.call(value); if (got === descriptor.get.call(value)) queue.push([path + "." + String(key), got]); } catch {}
      }
      queue.push([path + ".__proto__", Object.getPrototypeOf(value)]);
    }
    return loose.length > 0 && loose.slice(0, 5).join();`,
  "Object.prototype": `
    try { Object.prototype.polluted = 1; } catch {}
    try { ({}).__proto__.polluted = 1; } catch {}
    try { ({}).constructor.prototype.polluted = 1; } catch {}
    try { Object.defineProperty(Object.prototype, "polluted", { value: 1 }); } catch {}
    return ({}).polluted;`,
  "Array.prototype": `
    try { Array.prototype.push = () => "fake"; } catch {}
    try { Array.prototype[0] = "fake"; } catch {}
    try { Array.prototype[Symbol.iterator] = function* () { yield "fake"; }; } catch {}
    return [].push(1) === "fake" || [][0] === "fake" || [...[1]][0] === "fake";`,
  "Map, Set and WeakMap": `
    try { Map.prototype.get = () => "fake"; } catch {}
    try { Set.prototype.has = () => true; } catch {}
    try { WeakMap.prototype.get = () => "fake"; } catch {}
    return new Map().get(1) === "fake" || new Set().has(1) || new WeakMap().get({}) === "fake";`,
  "String and RegExp": `
    try { String.prototype.slice = () => "fake"; } catch {}
    try { RegExp.prototype.exec = () => null; } catch {}
    try { Object.defineProperty(RegExp, Symbol.species, { get: () => Array }); } catch {}
    return "abc".slice(1) === "fake" || /a/.exec("a") === null;`,
  "JSON and Reflect": `
    try { JSON.stringify = () => "fake"; } catch {}
    try { JSON.parse = () => "fake"; } catch {}
    try { Reflect.apply = () => "fake"; } catch {}
    return JSON.stringify({}) === "fake" || JSON.parse("1") === "fake" || Reflect.apply(() => 1, null, []) === "fake";`,
  "iterators and generators": `
    const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
    const generator = Object.getPrototypeOf(function* () {});
    const asynchronous = Object.getPrototypeOf(async () => {});
    for (const target of [iterator, generator, generator.prototype, asynchronous]) try { target.polluted = 1; } catch {}
    return iterator.polluted || generator.polluted || generator.prototype.polluted || asynchronous.polluted;`,
  "segments, which no name leads to": `
    const segments = new Intl.Segmenter().segment("a");
    const prototypes = [segments, segments[Symbol.iterator]()].map(Object.getPrototypeOf);
    for (const prototype of prototypes) {
      try { prototype.containing = prototype.next = () => "fake"; } catch {}
      if (prototype.containing?.name !== "containing" && prototype.next?.name !== "next") return "a method was replaced";
      if (!Object.isFrozen(prototype)) return "segments are mutable";
    }`,
  "a regular expression that others share": `
    if (RegExp.prototype.compile !== undefined) return "compile changes what is hardened";
    for (const name of ["$1", "$&", "input", "lastMatch", "lastParen", "leftContext", "rightContext"]) if (name in RegExp) return "RegExp." + name;`,
  "symbols as channels": `
    try { Symbol.polluted = 1; } catch {}
    try { Array.prototype[Symbol.unscopables].polluted = 1; } catch {}
    return Symbol.polluted || Array.prototype[Symbol.unscopables].polluted;`,
  "methods as channels": `
    for (const method of [Array.prototype.map, Function.prototype.call, Promise.prototype.then, Date.prototype.getTime, Error.prototype.toString]) {
      try { method.polluted = 1; } catch {}
      if (method.polluted) return method.name + " is mutable";
    }`,
  "static properties of RegExp": `/(a)/.exec("a"); return RegExp["$1"] !== undefined && "the last match is shared";`,
  "setters of overridable properties": `
    const { set } = Object.getOwnPropertyDescriptor(Object.prototype, "toString");
    try { set.call(Object.prototype, () => "fake"); } catch {}
    try { set.call(Array.prototype, () => "fake"); } catch {}
    try { set.call(globalThis, () => "fake"); } catch {}
    return ({}).toString() === "fake" || [].toString() === "fake" || power(set);`,
  "prototypes replaced": `
    for (const value of [Object.prototype, Function.prototype, Array.prototype, Promise.prototype, Math, JSON, console]) {
      try { Object.setPrototypeOf(value, { polluted: 1 }); } catch {}
      if (value.polluted) return "a prototype was replaced";
    }`,
});
