import { describe, expect, test } from "vitest";
import { LANGUAGE_GLOBALS } from "../../runtime/sandbox/realm/globals.ts";
import { ALL_NODE_VERSIONS } from "../node-versions/find-node.ts";
import { runWithHole } from "./start-with-hole.ts";

/** Gives the script a function of the main realm, made of this text while nothing is frozen yet, that returns a text. */
const fromMainRealm = (code: string): [hole: Record<string, string>, holeInBoot: Record<string, string>] => [
  { "console: makeConsole(log.log)": "console: { ask: () => bridge.ask(), log() {} }" },
  { "useUtc,": `useUtc, ask: ${code},` },
];

/** Everything of the language in the main realm: global objects, what no name leads to, their prototypes and members. */
const LOOSE_INTRINSICS = `(() => {
  const names = ${JSON.stringify(LANGUAGE_GLOBALS)}.concat(
    ["WeakRef", "FinalizationRegistry", "Atomics", "SharedArrayBuffer", "SuppressedError", "DisposableStack", "AsyncDisposableStack"]);
  const hidden = [function* () {}, async function* () {}, async () => {}, (function* () {}).prototype, (async function* () {}).prototype, [].values(), new Map().values(),
    new Set().values(), ""[Symbol.iterator](), "".matchAll(/a/g), new Uint8Array()];
  const isKept = (value) => (typeof value === "function" ? "prototype" in value || value === Proxy : typeof value === "object");
  const roots = new Map(names.filter((name) => isKept(globalThis[name]) && globalThis[name] !== globalThis).map((name) => [name, globalThis[name]]));
  for (const sample of hidden) {
    for (let proto = Object.getPrototypeOf(sample), name = String(sample); proto !== null; proto = Object.getPrototypeOf(proto)) roots.set(name += ".__proto__", proto);
  }
  for (const [name, root] of [...roots]) {
    for (const key of ["prototype", "constructor"]) if (Object(root[key]) === root[key]) roots.set(name + "." + key, root[key]);
  }
  const { isFrozen, isExtensible } = Object, { stringify } = JSON, { ownKeys, getOwnPropertyDescriptor } = Reflect, text = String;
  return () => {
    const loose = [];
    for (const [name, root] of roots) {
      // Node sets the limit of stack traces there.
      if (root === roots.get("Error") ? isExtensible(root) : !isFrozen(root)) loose.push(name);
      for (const key of ownKeys(root)) {
        const { value, get, set } = getOwnPropertyDescriptor(root, key);
        let got;
        try { got = get?.call(root); } catch {}
        for (const part of [value, get, set, got]) if (typeof part === "function" && part !== roots.get("Error") && !isFrozen(part)) loose.push(name + "." + text(key));
      }
    }
    return stringify({ roots: roots.size, loose });
  };
})()`;

/** Assigns as classes, errors and iterators of Node do, when all is frozen. */
const ASSIGN = `((Object, Error, TypeError, stringify, iterators) => () => {
  const own = Object.getOwnPropertyDescriptor;
  const plain = {};
  plain.toString = 1;
  const before = own(plain, "toString");
  plain.toString = 2;
  const replaced = Object.defineProperty({}, "valueOf", { value: 0, writable: true, enumerable: false, configurable: true });
  replaced.valueOf = 3;
  const error = new Error("x");
  error.name = "Other";
  const typeError = new TypeError("x");
  typeError.message = "";
  typeError.toString = "text";
  function Old() {}
  Old.prototype = Object.create(Object.prototype);
  Old.prototype.constructor = null;
  const iterator = Object.create(iterators);
  iterator.next = 4;
  const called = () => 0;
  called.toString = 6;
  const plainer = {};
  plainer.valueOf = 7;
  let isThrown = false;
  try { Object.prototype.toString = 5; } catch { isThrown = true; }
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 3;
  const limited = [Error.stackTraceLimit, own(Error, "stackTraceLimit").configurable];
  Error.stackTraceLimit = limit;
  const enumerable = [];
  for (const key in {}) enumerable.push(key);
  return stringify({
    plain: before, again: own(plain, "toString"), replaced: own(replaced, "valueOf"), error: own(error, "name"), typeError: own(typeError, "toString"),
    ofClass: own(Old.prototype, "constructor"), next: own(iterator, "next"), called: own(called, "toString"), plainer: own(plainer, "valueOf"), isThrown, push: "value" in own([].constructor.prototype, "push"), onPrototype: typeof Object.prototype.toString,
    inherited: [typeof {}.valueOf, new Error().name, [].length, plain.hasOwnProperty("toString")], enumerable, limit: limited, prepare: own(Error, "prepareStackTrace"),
  });
})(Object, Error, TypeError, JSON.stringify, Object.getPrototypeOf([].values()))`;

describe.each(ALL_NODE_VERSIONS)("on Node %s", (version) => {
  test("a script that has got a function of the main realm can make no code there and change nothing", async () => {
    const hole = { "console: makeConsole(log.log)": "console: { leak: bridge.send, log() {} }" };
    const script = `
      const MainFunction = console.leak.constructor;
      const MainObject = Object.getPrototypeOf(MainFunction.prototype);
      const attempts = {
        code: () => MainFunction("return process")(),
        pollution: () => { MainObject.polluted = 1; return MainObject.polluted; },
        methods: () => { const before = MainFunction.prototype.call; try { MainFunction.prototype.call = () => 1; } catch {} return MainFunction.prototype.call !== before; },
      };
      const outcome = {};
      for (const [name, attempt] of Object.entries(attempts)) {
        try { outcome[name] = attempt() ? "done" : "refused"; } catch { outcome[name] = "refused"; }
      }
      globalThis.__codemode_result__ = { isForeign: MainFunction.prototype !== Object.getPrototypeOf(() => {}), ...outcome };`;

    expect(await runWithHole(version, hole, script)).toMatchObject({
      kind: "result",
      value: { isForeign: true, code: "refused", pollution: "refused", methods: "refused" },
    });
  });

  test("the global object of the main realm has what cannot be deleted, and nothing else", async () => {
    const [hole, holeInBoot] = fromMainRealm(
      "(({ ownKeys }, { stringify }, text, main) => () => stringify(ownKeys(main).map((key) => text(key))))(Reflect, JSON, String, globalThis)",
    );
    const ending = await runWithHole(version, hole, "globalThis.__codemode_result__ = console.ask();", holeInBoot);
    expect(ending).toMatchObject({ kind: "result" });
    const names = JSON.parse((ending as { value: string }).value) as string[];
    expect(names.toSorted()).toEqual(["Infinity", "NaN", "undefined"]);
  });

  test("every intrinsic of the main realm is frozen", async () => {
    const [hole, holeInBoot] = fromMainRealm(LOOSE_INTRINSICS);
    const ending = await runWithHole(version, hole, "globalThis.__codemode_result__ = console.ask();", holeInBoot);
    expect(ending).toMatchObject({ kind: "result" });
    const { roots, loose } = JSON.parse((ending as { value: string }).value) as { roots: number; loose: string[] };
    expect(loose).toEqual([]);
    expect(roots).toBeGreaterThan(100);
  });

  test("what Node's own code assigns to objects of its own is still assigned, and to nothing that others inherit", async () => {
    const [hole, holeInBoot] = fromMainRealm(ASSIGN);
    const ending = await runWithHole(version, hole, "globalThis.__codemode_result__ = console.ask();", holeInBoot);
    expect(ending).toMatchObject({ kind: "result" });
    const plain = { value: 1, writable: true, enumerable: true, configurable: true };
    expect(JSON.parse((ending as { value: string }).value)).toEqual({
      plain,
      again: { ...plain, value: 2 },
      replaced: { value: 3, writable: true, enumerable: false, configurable: true },
      error: { ...plain, value: "Other" },
      typeError: { ...plain, value: "text" },
      ofClass: { ...plain, value: null },
      next: { ...plain, value: 4 },
      called: { ...plain, value: 6 },
      plainer: { ...plain, value: 7 },
      isThrown: false,
      push: true,
      onPrototype: "function",
      inherited: ["function", "Error", 0, true],
      enumerable: [],
      limit: [3, false],
      prepare: { writable: false, enumerable: false, configurable: false },
    });
  });
});
