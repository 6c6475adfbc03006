import { toAttacks } from "../attack.ts";

/** What was put into the sandbox on purpose. */
export const endowmentAttacks = toAttacks({
  "the console": `return walk(console) || power(console.log);`,
  "custom inspection": `
    let seen;
    const inspect = Symbol.for("nodejs.util.inspect.custom");
    console.log({ [inspect](...args) { seen = walk(args) || power(this) || "the console calls inspectors"; return "x"; } });
    return seen;`,
  "patterns of the console": `
    let seen;
    console.log("%o %O %j %s %c", { get x() { seen = walk(this); return 1; } }, { toJSON(...args) { seen ||= walk(args); return 1; } });
    return seen;`,
  "values that throw when they are logged": `
    const hostile = [Object.create(null), { toString() { throw 1; } }, { get a() { throw 2; } }, { toJSON() { throw 3; } },
      new Proxy({}, { ownKeys() { throw 4; } }), new Proxy([], { get() { throw 5; } }), new Proxy({}, { getPrototypeOf() { throw 6; } })];
    for (const value of hostile) try { console.log(value); } catch (error) { return walk(error) || "the console threw"; }`,
  "a revoked proxy in the console": `
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    try { console.log(proxy, [proxy], { proxy }); } catch (error) { return walk(error) || "the console threw"; }`,
  "the value of setTimeout": `const id = setTimeout(() => {}, 1); return typeof id !== "number" && walk(id);`,
  "setTimeout with text": `
    try { setTimeout("globalThis.stolen = this", 0); } catch (error) { const found = walk(error); if (found) return found; }
    await sleep(5);
    return globalThis.stolen;`,
  "this of a timer": `return new Promise((resolve) => setTimeout(function () { resolve(this !== undefined && power(this)); }, 1));`,
  "callers of a timer": `
    return new Promise((resolve) => setTimeout(function tick() {
      try { resolve(power(tick.caller) || power(arguments.callee.caller)); } catch { resolve(undefined); }
    }, 1));`,
  "a delay with traps": `
    let seen;
    clearTimeout(setTimeout(() => {}, { valueOf() { seen = power(this) || foreign(arguments); return 1; } }));
    clearTimeout({ valueOf() { seen ||= power(this); return 1; } });
    return seen;`,
  "objects of URL": `const url = new URL("http://u:p@host:1/p?q=1#h"); return walk(url) || walk(url.searchParams) || power(URL) || walk(URL);`,
  "errors of URL": `return thrown(() => new URL("::")) || thrown(() => { new URL("http://a").href = "::"; });`,
  "text with traps for URL": `
    let seen;
    const text = { toString() { seen = power(this) || foreign(arguments); return "http://a/"; } };
    new URL(text, text).search = text;
    new URLSearchParams({ [text]: text }).append(text, text);
    return seen;`,
  "subclasses of endowments": `
    let seen;
    for (const Base of [URL, URLSearchParams, TextEncoder, TextDecoder]) {
      class Child extends Base { constructor() { super("http://a"); seen ||= walk(this); } }
      try { new Child(); } catch (error) { seen ||= walk(error); }
    }
    return seen;`,
  "symbols on endowed objects": `
    const objects = [new URL("http://a"), new URLSearchParams("a"), new TextEncoder(), new TextDecoder(), console];
    return objects.some((object) => Object.getOwnPropertySymbols(object).length > 0) && "symbols of a host";`,
  "prototypes of endowed classes": `
    for (const Class of [URL, URLSearchParams, TextEncoder, TextDecoder]) {
      try { Class.prototype.extra = 1; Class.extra = 1; } catch {}
      if (Class.prototype.extra || Class.extra) return Class.name + " is mutable";
    }`,
  "foreign receivers": `
    const trap = new Proxy({}, { get(_, key, receiver) { return foreign(receiver) ? "foreign" : undefined; } });
    const methods = [console.log, setTimeout, clearTimeout, URL.prototype.toString, TextDecoder.prototype.decode, TextEncoder.prototype.encode];
    for (const method of methods) { const found = thrown(() => Reflect.apply(method, trap, [trap, trap])); if (found) return found; }`,
  "TextEncoder and TextDecoder": `
    const bytes = new TextEncoder().encode("x");
    return walk(new TextEncoder()) || walk(new TextDecoder()) || power(bytes) || power(bytes.buffer);`,
  "errors of TextDecoder": `
    return thrown(() => new TextDecoder("no such encoding")) || thrown(() => new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255])))
      || thrown(() => new TextDecoder().decode({ buffer: new ArrayBuffer(8), byteOffset: 0, byteLength: 8 }));`,
  "a detached buffer in TextDecoder": `
    const bytes = new Uint8Array(8);
    if (bytes.buffer.transfer) bytes.buffer.transfer();
    return thrown(() => new TextDecoder().decode(bytes));`,
  "buffers shared with the host": `
    const bytes = new TextEncoder().encode("a");
    return bytes.buffer.byteLength !== 1 && "a slice of a larger pool: " + bytes.buffer.byteLength;`,
  Date: `return power(new Date()) || power(Date) || walk(Date);`,
  "Math and Date made to lie": `
    try { Math.random = () => 4; } catch {}
    try { Date.now = () => 1; } catch {}
    try { Date.prototype.getTime = () => 1; } catch {}
    return (Math.random() === 4 || Date.now() === 1 || new Date().getTime() === 1) && "they lie";`,
});
