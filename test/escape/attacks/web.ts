import { toAttacks } from "../attack.ts";
import { CALL_ON_FULL_STACK } from "../full-stack.ts";

/** The globals that the sandbox has from the web. */
export const webAttacks = toAttacks({
  "objects of the web": `
    const objects = { atob, btoa, structuredClone, queueMicrotask, performance, crypto, AbortController, AbortSignal, Event, EventTarget, DOMException,
      controller: new AbortController(), signal: AbortSignal.timeout(1e6), event: new Event("a"), target: new EventTarget(), error: new DOMException("a") };
    for (const [name, value] of Object.entries(objects)) { const found = walk(value) || power(value); if (found) return name + ": " + found; }`,
  "errors of the web": `
    const actions = [() => atob("*"), () => btoa("☃"), () => structuredClone(() => {}), () => structuredClone(1, { transfer: [1] }), () => queueMicrotask(1),
      () => crypto.getRandomValues(1), () => crypto.getRandomValues(new Uint8Array(1e6)), () => new AbortSignal(), () => AbortSignal.timeout(-1), () => AbortSignal.any([1]),
      () => AbortSignal.abort().throwIfAborted(), () => new EventTarget().dispatchEvent(1), () => Event.prototype.type, () => AbortSignal.prototype.aborted];
    for (const action of actions) { const found = thrown(action); if (found) return String(action) + ": " + found; }`,
  "a DOMException that leads to the realm's own Error": `
    const Parent = Object.getPrototypeOf(DOMException);
    if (Parent !== Error.prototype.constructor) return "another Error";
    try { Parent.prepareStackTrace = (error, sites) => sites; } catch {}
    try { Parent.stackTraceLimit = 1; } catch {}
    return typeof new DOMException("a").stack !== "string" && "call sites";`,
  "text with traps for Base64": `
    let seen;
    const text = { toString() { seen = walk(arguments) || power(this); return "aGk="; } };
    atob(text); btoa(text);
    return seen;`,
  "what a clone calls": `
    let seen;
    const spy = (...args) => { seen ||= args.map((arg) => foreign(arg)).find(Boolean); };
    const traps = Object.fromEntries(Reflect.ownKeys(Reflect).filter((key) => typeof Reflect[key] === "function").map((key) => [key, (...args) => { spy(...args); return Reflect[key](...args); }]));
    structuredClone(new Proxy({ a: [1], get b() { spy(this); return 1; } }, traps));
    class Odd extends Map { entries() { seen = "called"; } [Symbol.iterator]() { seen = "called"; } get size() { seen = "called"; } }
    structuredClone(new Odd([[1, 2]]));
    class OddDate extends Date { getTime() { seen = "called"; } [Symbol.toPrimitive]() { seen = "called"; } }
    structuredClone(new OddDate(1));
    return seen;`,
  "what a clone is made of": `
    const made = structuredClone([{}, [], new Map(), new Set(), new Date(), /a/, new Error("a"), new TypeError("b"), new Uint8Array(1), new ArrayBuffer(1), Object(1), new DataView(new ArrayBuffer(1))]);
    return made.map((value) => walk(value, 300) || power(value)).find(Boolean);`,
  "a clone with a species": `
    let seen;
    const list = [1];
    list.constructor = { [Symbol.species]: function () { seen = "called"; return {}; } };
    const bytes = new Uint8Array(4);
    for (const key of ["buffer", "byteOffset", "byteLength", "length"]) Object.defineProperty(bytes, key, { get() { seen = "called"; return new ArrayBuffer(1); } });
    structuredClone([list]);
    return seen || structuredClone(bytes).length !== 4 ? seen || "it believed the view" : thrown(() => structuredClone(bytes));`,
  "a clone that is nested a hundred thousand times": `
    let deep = {};
    for (let level = 0; level < 1e5; level += 1) deep = { deep };
    return thrown(() => structuredClone(deep));`,
  "views that lie to crypto": `
    class Lie extends Uint8Array { get byteLength() { return 1e6; } get length() { return 1e6; } get buffer() { return new ArrayBuffer(1); } }
    const lie = new Lie(8);
    crypto.getRandomValues(lie);
    return thrown(() => crypto.getRandomValues(new Proxy(new Uint8Array(1), {}))) || thrown(() => crypto.getRandomValues({ buffer: new ArrayBuffer(8), [Symbol.toStringTag]: "Uint8Array" }));`,
  "random values that repeat": `
    const drawn = Array.from({ length: 1000 }, () => crypto.randomUUID());
    return new Set(drawn).size < 1000 && "two are the same";`,
  "listeners with traps": `
    let seen;
    const note = function (...args) { seen ||= args.map((arg) => foreign(arg) || power(arg)).find(Boolean) || (this !== undefined && (foreign(this) || power(this))); };
    const target = new EventTarget();
    target.addEventListener("a", note);
    target.addEventListener("a", { get handleEvent() { return note; } });
    target.addEventListener({ toString() { note(this); return "a"; } }, note, new Proxy({}, { get: (_, key) => { note(key); return undefined; } }));
    target.dispatchEvent(new Event("a"));
    const controller = new AbortController();
    controller.signal.onabort = note;
    controller.signal.addEventListener("abort", note);
    controller.abort({ get name() { seen = "read"; } });
    return seen;`,
  "a listener that throws the realm's errors": `
    const dive = () => dive();
    let found;
    const target = new EventTarget();
    target.addEventListener("a", () => { try { dive(); } catch (error) { found = walk(error) || power(error); } });
    target.dispatchEvent(new Event("a"));
    return found;`,
  "methods on receivers of others": `
    const receivers = [{}, new EventTarget(), Object.create(AbortSignal.prototype), new Proxy(new AbortController().signal, {}), null];
    const methods = [AbortSignal.prototype.throwIfAborted, AbortController.prototype.abort, EventTarget.prototype.dispatchEvent, Event.prototype.preventDefault,
      Object.getOwnPropertyDescriptor(AbortSignal.prototype, "reason").get, Object.getOwnPropertyDescriptor(DOMException.prototype, "code").get];
    for (const receiver of receivers) for (const method of methods) {
      const found = thrown(() => Reflect.apply(method, receiver, [new Event("a")]));
      if (found) return found;
    }`,
  "signals by the back door": `
    const { constructor } = new AbortController().signal;
    for (const make of [() => new constructor(), () => Reflect.construct(Object, [], constructor), () => new (class extends AbortSignal {})(), () => constructor.call({})]) {
      let made;
      try { made = make(); made.aborted; } catch { continue; }
      return "a signal that nothing made";
    }`,
  "changing what others get": `
    const targets = [performance, crypto, Event.prototype, EventTarget.prototype, AbortSignal, AbortSignal.prototype, DOMException.prototype, structuredClone, atob];
    for (const target of targets) {
      try { target.extra = 1; } catch {}
      try { Object.setPrototypeOf(target, { extra: 1 }); } catch {}
      if (target.extra) return "mutable";
    }
    const before = [performance.now, crypto.randomUUID, EventTarget.prototype.dispatchEvent];
    try { performance.now = () => -1; } catch {} try { crypto.randomUUID = () => "1"; } catch {} try { EventTarget.prototype.dispatchEvent = () => "fake"; } catch {}
    return [performance.now, crypto.randomUUID, EventTarget.prototype.dispatchEvent].some((method, index) => method !== before[index]) && "replaced";`,
  "a full stack inside the web's globals": `
    const actions = [() => atob("aGk="), () => btoa("a"), () => structuredClone({ a: [new Map([[1, new Error("a")]])] }), () => crypto.randomUUID(), () => performance.now(),
      () => new AbortController().abort(), () => AbortSignal.any([AbortSignal.abort()]), () => new EventTarget().dispatchEvent(new Event("a")), () => new DOMException("a", "AbortError").stack,
      () => queueMicrotask(() => {}), () => new Intl.Segmenter().segment("a")];
    ${CALL_ON_FULL_STACK}
    const prototype = Object.getPrototypeOf(new Intl.Segmenter().segment("a"));
    return found || (!Object.isFrozen(prototype) && "segments are mutable");`,
  "a clock that is finer than Date": `return Array.from({ length: 1000 }, () => performance.now()).some((time) => !Number.isInteger(time)) && "parts of a millisecond";`,
});
