import { toAttacks, type Attack } from "../attack.ts";
import { CALL_ON_FULL_STACK } from "../full-stack.ts";

const attacks = toAttacks({
  "prepareStackTrace for call sites": `
    let seen;
    try { Error.prepareStackTrace = (error, sites) => { for (const site of sites) seen ||= power(site.getThis?.()) || power(site.getFunction?.()) || "call sites"; return ""; }; } catch {}
    try { null.x; } catch (error) { void error.stack; }
    void new Error("x").stack;
    return seen;`,
  "a stack that is read while another one is printed": `
    const seen = [];
    const early = new Error("early");
    const look = () => { try { null.x; } catch (error) { seen.push(error.stack, early.stack); } return "h"; };
    const traps = { getOwnPropertyDescriptor() { look(); }, getPrototypeOf() { look(); return null; }, get() { look(); }, has() { look(); } };
    const hooks = [
      (error) => { error.toString = look; },
      (error) => { error.name = { toString: look }; error.message = { toString: look }; },
      (error) => { Object.defineProperty(error, "message", { get: look }); Object.defineProperty(error, "name", { get: look }); },
      (error) => { Object.setPrototypeOf(error, new Proxy({}, traps)); },
      (error) => { Object.setPrototypeOf(error, Proxy.revocable(Object.getPrototypeOf(error), traps).proxy); },
      (error) => { error.constructor = new Proxy(function () {}, traps); },
      (error) => { Object.setPrototypeOf(error, { get name() { return look(); }, [Symbol.toPrimitive]: look, [Symbol.toStringTag]: "x" }); },
    ];
    for (const hook of hooks) {
      const error = new TypeError("a");
      hook(error);
      try { void error.stack; } catch {}
      try { Error.captureStackTrace(error); void error.stack; } catch {}
    }
    return seen.find((text) => /node:|codemode:(?!\\/\\/\\/bundle)|data:|file:/.test(String(text)));`,
  "prepareStackTrace on other errors": `
    let seen;
    for (const Class of [TypeError, RangeError, Object.getPrototypeOf(Error), Error.prototype.constructor]) {
      try { Object.defineProperty(Class, "prepareStackTrace", { value: () => { seen = "called"; return ""; } }); } catch {}
    }
    void new TypeError("x").stack;
    return seen;`,
  "captureStackTrace for call sites": `const target = {}; Error.captureStackTrace(target); return typeof target.stack !== "string" && walk(target.stack);`,
  "captureStackTrace on a trap": `
    let seen;
    const trap = new Proxy({}, { defineProperty(_, key, descriptor) { seen = walk(descriptor); return true; }, get(_, key, receiver) { seen ||= foreign(receiver); } });
    try { Error.captureStackTrace(trap); } catch (error) { seen ||= walk(error); }
    return seen;`,
  "the accessor of a stack": `
    const target = {};
    Error.captureStackTrace(target);
    const { get } = Object.getOwnPropertyDescriptor(new Error("x"), "stack") ?? {};
    const { get: captured } = Object.getOwnPropertyDescriptor(target, "stack") ?? {};
    return power(get) || power(captured);`,
  "paths in a stack": `
    const stacks = [];
    try { null.x; } catch (error) { stacks.push(error.stack); }
    try { new URL("::"); } catch (error) { stacks.push(error.stack); }
    try { [1].map(() => JSON.parse("{")); } catch (error) { stacks.push(error.stack); }
    await sleep(1);
    stacks.push(new Error("x").stack);
    const captured = {};
    Error.captureStackTrace(captured);
    stacks.push(captured.stack);
    return stacks.find((stack) => /node:|\\.cjs|codemode:(?!\\/\\/\\/bundle)|\\/[a-z]+\\/[a-z]+\\//i.test(stack));`,
  "a name that is a symbol": `
    const error = new Error("x");
    error.name = Symbol("name");
    return thrown(() => error.stack) || thrown(() => String(error)) || thrown(() => console.log(error));`,
  "a stack limit with traps": `
    let seen;
    try { Error.stackTraceLimit = Infinity; } catch {}
    try { Object.defineProperty(Error, "stackTraceLimit", { get() { seen = power(this); return 10; } }); } catch {}
    void new Error("x").stack;
    return seen;`,
  "errors of built-in functions": `
    const actions = [() => new Array(-1), () => "x".repeat(-1), () => new ArrayBuffer(1e18), () => (1).toFixed(101), () => BigInt(1.5),
      () => "x".normalize("q"), () => new Intl.NumberFormat("not a locale"), () => decodeURI("%"), () => JSON.parse("{"), () => new RegExp("("),
      () => null.x, () => (void 0)(), () => Reflect.construct(1), () => new Date(NaN).toISOString(), () => Symbol() + 1, () => new Proxy(1, 1)];
    for (const action of actions) { const found = thrown(action); if (found) return String(action) + ": " + found; }`,
  "a full stack inside a host call": `
    const actions = [() => console.log({ a: 1 }), () => new URL("http://a/?b").searchParams.get("b"), () => new URLSearchParams("a=1").toString(),
      () => new TextDecoder("utf-16le").decode(new Uint8Array(4)), () => new TextEncoder().encode("a"), () => clearTimeout(setTimeout(() => {}, 1e6)),
      () => new Error("x").stack, () => Error.captureStackTrace({}), () => new Intl.NumberFormat("de").format(1), () => __codemode_call__("s", "t", "{}").then(() => {}, () => {})];
    ${CALL_ON_FULL_STACK}
    return found;`,
  "a full stack while a stack is printed": `
    let found, count = 0;
    const dive = () => {
      try { dive(); } catch (error) {
        if (count++ < 30) try { found ||= foreign(error) || foreign(error.stack); } catch (inner) { found ||= foreign(inner); }
        throw error;
      }
    };
    for (let round = 0; round < 5; round += 1) { count = 0; try { dive(); } catch (error) { found ||= power(error); } }
    return found;`,
  "a full stack in proxy traps": `
    const proxy = new Proxy(function () {}, { get: (target, key) => proxy[key], apply: () => proxy() });
    return thrown(() => proxy.x) || thrown(() => proxy());`,
  "an aggregate error": `try { await Promise.any([Promise.reject(1)]); } catch (error) { return walk(error); }`,
  "an error thrown by a getter of an error": `
    const error = new Error("x");
    Object.defineProperty(error, "message", { get() { throw new Error("deeper"); } });
    Object.defineProperty(error, "stack", { get() { throw { toString: null }; } });
    console.log(error, { error });
    return thrown(() => { throw error; });`,
  "memory errors": `return thrown(() => new ArrayBuffer(2 ** 40)) || thrown(() => "x".repeat(2 ** 30));`,
});

/**
 * Node notes in JavaScript which rejections have a handler. On a full stack, it can fail to note the handler, and then
 * the script ends with its own error.
 */
const onFullStack: Attack = {
  name: "a full stack in an async function",
  code: `
    const dive = async () => { await dive(); };
    try { await dive(); } catch (error) { return foreign(error) || power(error); }`,
  mayEndWith: "RangeError: Maximum call stack size exceeded",
};

/** Errors that the host's code causes, and the stack traces that V8 attaches to them. */
export const errorAttacks = [...attacks, onFullStack];
