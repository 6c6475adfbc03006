import { execFileSync } from "node:child_process";
import { runInThisContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { LANGUAGE_GLOBALS } from "../../../runtime/sandbox/realm/globals.ts";
import { chachaBlock } from "../../../runtime/sandbox/realm/endowments/random-bytes.ts";
import { ALL_NODE_VERSIONS, findNode } from "../../node-versions/find-node.ts";
import { resultOf, resultsOf, runScript } from "./run-script.ts";

/** Bodies of functions that must give here what they give in Node. */
const AS_IN_NODE: Record<string, string> = {
  "atob and btoa": `return [btoa("héllo"), atob("aGk="), atob(" a G k "), atob("aGk"), btoa(""), atob(""), btoa("\\xff\\0"), atob(btoa("\\xff\\0")).length, btoa(null), atob(null).length];`,
  "what they refuse": `
    return [() => atob("a"), () => atob("*"), () => atob("aGk=="), () => btoa("☃")].map((action) => {
      try { return action(); } catch (error) { return [error.name, error.code, error instanceof DOMException, error instanceof Error]; }
    });`,
  "a clone of plain data": `
    const data = { a: [1, , "b", null, undefined, NaN, -0, 10n], nested: { date: new Date(5), re: /a\\/b/gi }, toString: 1, ["__proto__"]: 2 };
    const made = structuredClone(data);
    return [made.a.length, 1 in made.a, Object.is(made.a[6], -0), typeof made.a[7], made.nested.date.getTime(), String(made.nested.re), made.toString,
      Object.hasOwn(made, "__proto__"), made !== data, made.nested !== data.nested, Object.getPrototypeOf(made) === Object.prototype];`,
  "a clone with cycles and shared parts": `
    const shared = { n: 1 };
    const data = { shared, again: shared, map: new Map([[shared, new Set([shared])]]) };
    data.self = data;
    const made = structuredClone(data);
    return [made.self === made, made.shared === made.again, made.map.get(made.shared).has(made.shared), made.shared === shared];`,
  "a clone of errors": `
    class Own extends TypeError { name = "Own"; extra = 1; }
    return [new TypeError("a"), new Own("b"), new Error("c", { cause: { n: 1 } }), new RangeError()].map((error) => {
      const made = structuredClone(error);
      return [made.name, made.message, made.constructor.name, made instanceof Error, made.extra, Object.hasOwn(made, "message"), made.stack === error.stack];
    });`,
  "a clone of bytes": `
    const buffer = Uint8Array.of(1, 2, 3, 4).buffer;
    const views = structuredClone([new Uint8Array(buffer, 1, 2), new DataView(buffer, 2), new Float64Array([1.5]), new BigInt64Array([1n]), buffer]);
    views[0][0] = 9;
    return [[...views[0]], views[1].byteLength, views[1].getUint8(0), views[2][0], String(views[3][0]), views[0].buffer === views[1].buffer,
      views[4] === views[0].buffer, [...new Uint8Array(buffer)], views[0].constructor.name];`,
  "a clone of boxed values and of classes": `
    class Point { x = 1; get y() { return 2; } #z = 3; }
    const [number, text, flag, big, point] = structuredClone([Object(1), Object("a"), Object(false), Object(2n), new Point()]);
    return [typeof number, number + 1, text.length, flag.valueOf(), typeof big, String(big), point.x, point.y, point instanceof Point];`,
  "what has no clone": `
    return [() => {}, Symbol("a"), { deep: [() => {}] }, new WeakMap(), new WeakSet(), Promise.resolve(1), Object(Symbol())].map((value) => {
      try { structuredClone(value); return "cloned"; } catch (error) { return [error.name, error.code]; }
    });`,
  "a clone of what getters change": `
    const map = new Map();
    map.set("a", { get b() { map.set("late", 1); return 2; } });
    return [...structuredClone(map).keys()];`,
  microtasks: `
    const order = [];
    queueMicrotask(() => order.push("first"));
    await Promise.resolve().then(() => order.push("second"));
    try { queueMicrotask(1); } catch (error) { order.push(error.name); }
    return order;`,
  events: `
    const target = new EventTarget(), heard = [];
    const note = (name) => function (event) { heard.push([name, event.type, this === target, event.target === target, event.currentTarget === target, event.eventPhase]); };
    const listener = note("one");
    target.addEventListener("a", listener); target.addEventListener("a", listener);
    target.addEventListener("a", () => heard.push("once"), { once: true });
    target.addEventListener("a", { handleEvent(event) { heard.push(["object", event.type]); } });
    target.addEventListener("b", (event) => event.preventDefault());
    target.addEventListener("c", (event) => { heard.push("stopping"); event.stopImmediatePropagation(); });
    target.addEventListener("c", () => heard.push("never"));
    const controller = new AbortController();
    target.addEventListener("d", () => heard.push("never"), { signal: controller.signal });
    controller.abort();
    const event = new Event("a");
    const outcomes = [target.dispatchEvent(event), target.dispatchEvent(new Event("a")), target.dispatchEvent(new Event("b", { cancelable: true })),
      target.dispatchEvent(new Event("b")), target.dispatchEvent(new Event("c")), target.dispatchEvent(new Event("d"))];
    target.removeEventListener("a", listener);
    target.dispatchEvent(new Event("a"));
    return [heard, outcomes, event.currentTarget, event.eventPhase, event.cancelable, event.defaultPrevented, event.composedPath().length];`,
  "an event that is dispatched in its own dispatch": `
    const target = new EventTarget();
    let name;
    target.addEventListener("a", (event) => { try { target.dispatchEvent(event); } catch (error) { name = error.name.length > 0; } });
    target.dispatchEvent(new Event("a"));
    try { target.dispatchEvent({ type: "a" }); } catch (error) { return [name, error.name]; }`,
  "abort signals": `
    const controller = new AbortController(), { signal } = controller, heard = [];
    signal.onabort = (event) => heard.push(["onabort", event.type]);
    signal.addEventListener("abort", (event) => heard.push(["listener", event.target === signal, signal.reason.name]));
    const before = [signal.aborted, signal.reason];
    signal.throwIfAborted();
    controller.abort(); controller.abort("again");
    let thrown;
    try { signal.throwIfAborted(); } catch (error) { thrown = [error.name, error.code, error === signal.reason, error instanceof DOMException]; }
    return [before, signal.aborted, heard, thrown, AbortSignal.abort().reason.name, AbortSignal.abort("why").reason, controller.signal === signal];`,
  "signals that depend on others": `
    const one = new AbortController(), two = new AbortController(), heard = [];
    const joint = AbortSignal.any([one.signal, two.signal]);
    const outer = AbortSignal.any([joint, new AbortController().signal]);
    outer.addEventListener("abort", () => heard.push(["outer", joint.aborted]));
    two.abort("two"); one.abort("one");
    return [joint.aborted, joint.reason, outer.reason, heard, AbortSignal.any([AbortSignal.abort("now"), joint]).reason, AbortSignal.any([]).aborted];`,
  "a signal that times out": `
    const signal = AbortSignal.timeout(5);
    const name = await new Promise((resolve) => signal.addEventListener("abort", () => resolve(signal.reason.name)));
    return [name, signal.aborted];`,
  "the constructor of a signal": `try { new AbortSignal(); } catch (error) { return error.name; }`,
  "random values": `
    const bytes = new Uint8Array(4), words = new BigUint64Array(2);
    return [crypto.getRandomValues(bytes) === bytes, crypto.getRandomValues(words) === words, crypto.randomUUID().length,
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID())];`,
  "random values that are refused": `
    return [new Float64Array(1), new Uint8Array(65537)].map((view) => { try { crypto.getRandomValues(view); } catch (error) { return [error.name, error.code]; } });`,
  "a DOMException": `
    const error = new DOMException("a", "AbortError"), other = new DOMException("b", { name: "DataCloneError", cause: 1 });
    return [error.name, error.message, error.code, String(error), error instanceof Error, other.name, other.code, other.cause, new DOMException().name, new DOMException().message,
      typeof error.stack, Object.prototype.toString.call(error)];`,
  "kinds of globals": `return [typeof performance.now(), performance.now() >= 0, Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 100,
    [AbortController, AbortSignal, Event, EventTarget, DOMException].map((one) => [one.name, typeof one]), atob.name, structuredClone.name];`,
};

const inSandbox = (body: string): string =>
  `globalThis.__codemode_result__ = await (async function () { ${body} }).call(undefined);`;

describe.each(ALL_NODE_VERSIONS)("on Node %s", (version) => {
  let pool: SandboxPool;
  let results: Record<string, unknown>;
  beforeAll(async () => {
    pool = makeSandboxPool({ node: findNode(version) });
    results = await resultsOf(AS_IN_NODE, { pool });
  }, 120_000);
  afterAll(() => pool.close());

  test.each(Object.entries(AS_IN_NODE))("%s as in Node", async (name, body) => {
    const inNode = (await runInThisContext(`(async function () { ${body} })`)()) as unknown;
    const expected = JSON.parse(JSON.stringify(inNode ?? null)) as unknown;
    expect(results[name] ?? null).toEqual(expected);
  });

  test("a buffer is transferred where the engine can, and refused with the reason where it cannot", async () => {
    const body = `
      const buffer = Uint8Array.of(1, 2).buffer;
      try {
        const made = structuredClone({ view: new Uint8Array(buffer) }, { transfer: [buffer] });
        return [[...made.view], buffer.byteLength, buffer.detached];
      } catch (error) { return [error.name, error.message.includes("Node 20")]; }`;
    expect(await resultOf(inSandbox(body), { pool })).toEqual(
      version === "20" ? ["DataCloneError", true] : [[1, 2], 0, true],
    );
  });

  test("no built-in object has a member that the engine does not have", async () => {
    const list = `${JSON.stringify(LANGUAGE_GLOBALS)}.filter((name) => Object(globalThis[name]) === globalThis[name] && name !== "globalThis")
      .flatMap((name) => [[name, globalThis[name]], [name + ".prototype", globalThis[name].prototype ?? {}]])
      .flatMap(([name, value]) => Reflect.ownKeys(value).map((key) => name + "." + String(key)))`;
    const engine = execFileSync(findNode(version), ["-p", `JSON.stringify(${list})`], { encoding: "utf8" });
    const known = new Set(JSON.parse(engine) as string[]);
    const found = (await resultOf(`globalThis.__codemode_result__ = ${list};`, { pool })) as string[];
    expect(found.filter((name) => !known.has(name))).toEqual([]);
    expect(found.length).toBeGreaterThan(500);
  });

  test("an error of a listener or a microtask is uncaught", async () => {
    for (const body of [
      "queueMicrotask(() => { throw new Error('of mine'); });",
      "const t = new EventTarget(); t.addEventListener('a', () => { throw new Error('of mine'); }); t.dispatchEvent(new Event('a'));",
    ]) {
      const { diagnostics } = await runScript(body, { pool });
      expect(diagnostics).toMatchObject([{ code: "UNCAUGHT_EXCEPTION", message: "Error: of mine" }]);
    }
  });

  test("a run that has its result does not wait for a signal that would time out", async () => {
    const startedAt = Date.now();
    const { diagnostics } = await runScript("AbortSignal.timeout(1500);", { pool });
    expect([diagnostics, Date.now() - startedAt < 1400]).toEqual([[], true]);
  });

  test("two runs draw different random values", async () => {
    const body = inSandbox("return [crypto.randomUUID(), [...crypto.getRandomValues(new Uint32Array(4))]];");
    expect(await resultOf(body, { pool })).not.toEqual(await resultOf(body, { pool }));
  });
});

test("random bytes are the key stream of ChaCha20 (RFC 8439, appendix A.1, vectors 1, 2 and 3)", () => {
  const zeros = Array.from({ length: 8 }, () => 0);
  const hex = (key: number[], counter: number) => Buffer.from(chachaBlock(key, counter)).toString("hex");
  expect(hex(zeros, 0)).toMatch(/^76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7.*586$/);
  expect(hex(zeros, 1)).toMatch(/^9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed/);
  expect(hex([...zeros.slice(1), 0x01000000], 1)).toMatch(
    /^3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a/,
  );
});
