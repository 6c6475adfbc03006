import { toAttacks } from "../attack.ts";

/** Ways to a function that makes code from text, through what every function and object carries. */
export const constructorAttacks = toAttacks({
  "constructor of an arrow function": `return maker((() => {}).constructor);`,
  "constructor of an async function": `return maker((async () => {}).constructor);`,
  "constructor of a generator": `return maker((function* () {}).constructor);`,
  "constructor of an async generator": `return maker((async function* () {}).constructor);`,
  "constructor of a bound function": `return maker((() => {}).bind().constructor);`,
  "constructor of a class": `return maker(class {}.constructor) || maker(Object.getPrototypeOf(class extends Array {}).constructor.constructor);`,
  "constructor of a method, a getter and a setter": `
    const { get, set } = Object.getOwnPropertyDescriptor({ get a() { return 1; }, set a(value) {} }, "a");
    return maker(get.constructor) || maker(set.constructor) || maker({ m() {} }.m.constructor);`,
  "Function by name": `return maker(Function) || maker(globalThis.Function) || maker(Function.prototype.constructor);`,
  "Function with new": `return thrown(() => new Function("return this")) || thrown(() => Reflect.construct(Function, ["return this"]));`,
  "Function constructed as another class": `
    for (const target of [Object, Array, class extends Function {}]) {
      try { const made = Reflect.construct(Function, ["return this"], target); if (maker(() => made)) return "made"; } catch {}
    }`,
  "the getter behind an overridable constructor": `
    const descriptor = Object.getOwnPropertyDescriptor(Function.prototype, "constructor");
    return maker(descriptor.value) || (descriptor.get && (maker(descriptor.get.call(() => {})) || maker(descriptor.get.originalValue)));`,
  "accessors of Object.prototype": `
    for (const key of ["__defineGetter__", "__lookupGetter__", "__proto__"]) {
      const descriptor = Object.getOwnPropertyDescriptor(Object.prototype, key);
      const found = descriptor && (power(descriptor.value) || power(descriptor.get) || power(descriptor.set));
      if (found) return found;
    }`,
  "the sloppy this": `return (function () { return this; })() || (0, function () { return this; })() || maker(this);`,
  "this at the top of the script": `return isObject(this) && power(this);`,
  "arguments.callee and caller": `
    function outer() { try { return outer.caller || arguments.callee; } catch {} }
    return power(outer()) || (Object.getOwnPropertyDescriptor(Function.prototype, "caller") && "Function.prototype.caller is there");`,
  "a class that returns the global object": `
    class Base { constructor() { return globalThis; } }
    class Child extends Base { #mark = 1; static has(value) { return #mark in value; } }
    new Child();
    return !Child.has(globalThis) && "the private field went elsewhere";`,
  "super from an object literal": `const value = { get up() { return super.constructor; } }; return maker(value.up.constructor);`,
  "the iterator's constructor": `return power([][Symbol.iterator]()) || power(new Map().entries()) || power("a".matchAll(/a/g));`,
  "the constructor of Intl objects": `return maker(Intl.Collator.constructor) || walk(Intl) || power(new Intl.NumberFormat("de"));`,
  "toString of built-in functions": `
    const sources = [console.log, setTimeout, URL, TextDecoder, __codemode_call__].map((item) => Function.prototype.toString.call(item));
    return sources.some((source) => /require\\(|process\\.|node:/.test(source)) && "the source names parts of Node";`,
});
