import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonValue } from "../../schemas/json/json.ts";
import type { Renewal } from "../../schemas/run/protocol.ts";
import { makeSandboxPool, type SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { ALL_NODE_VERSIONS, findNode } from "../node-versions/find-node.ts";
import { resultOf, type ScriptOptions } from "../sandbox/realm/run-script.ts";
import { INSTANCES } from "./instances.ts";

/**
 * Makes every instance twice and walks both, along own members, accessors, what accessors give, and prototypes. What both lead to was there
 * before them: it outlives the script, so it must hold no state. What is not is named by its path from the instance.
 */
const FIND_MUTABLE = `
const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
const attempt = (action) => { try { return action(); } catch { return undefined; } };
const reach = (start, name) => {
  const paths = new Map();
  const queue = [[start, name]];
  while (queue.length > 0) {
    const [value, path] = queue.pop();
    if (!isObject(value) || paths.has(value) || value === globalThis) continue;
    paths.set(value, path);
    for (const key of Reflect.ownKeys(value)) {
      const { value: member, get, set } = attempt(() => Object.getOwnPropertyDescriptor(value, key)) ?? {};
      const place = path + "." + String(key);
      queue.push([member, place], [get, "get " + place], [set, "set " + place]);
      if (get) queue.push([attempt(() => Reflect.apply(get, start, [])), place + "()"], [attempt(() => value[key]), place + "()"]);
    }
    queue.push([attempt(() => Object.getPrototypeOf(value)), path + ".__proto__"]);
  }
  return paths;
};
/** Frozen objects of these kinds still have a state that their methods change. */
const STATES = [
  (value) => Map.prototype.has.call(value), (value) => Set.prototype.has.call(value), (value) => WeakMap.prototype.has.call(value), (value) => WeakSet.prototype.has.call(value),
  (value) => Date.prototype.getTime.call(value), (value) => new DataView(value), (value) => DataView.prototype.getInt8.call(value, 0),
  (value) => { if (!ArrayBuffer.isView(value)) throw new TypeError(); }, (value) => RegExp.prototype.compile.call(value, "a"),
];
const hasState = (value) => value !== Date.prototype && STATES.some((read) => attempt(() => (read(value), true)) === true);

const made = new Set();
const mutable = new Set();
let shared = 0;
const instances = [...Reflect.ownKeys(globalThis).filter((name) => !String(name).startsWith("__codemode")).map((name) => () => globalThis[name]), ...${INSTANCES}];
for (const make of instances) {
  const pair = [attempt(make), attempt(make)];
  const [first, second] = pair.map((instance) => reach(instance, make.toString()));
  for (const [value, path] of first) {
    if (!second.has(value) || made.has(value)) continue;
    made.add(value);
    shared += 1;
    if (!Object.isFrozen(value) || hasState(value)) mutable.add(path);
  }
}
globalThis.__codemode_result__ = { shared, mutable: [...mutable] };`;

/** How many shared objects the walk must find at least: it has to get somewhere. */
const MIN_SHARED = 1000;

describe.each(ALL_NODE_VERSIONS)("on Node %s", (version) => {
  let pools: Record<Renewal, SandboxPool>;
  beforeAll(() => {
    const make = (renew: Renewal): SandboxPool =>
      makeSandboxPool({ node: findNode(version), reuse: { times: 10, renew }, refill: false });
    pools = { realm: make("realm"), compartment: make("compartment") };
  }, 120_000);
  afterAll(() => Promise.all([pools.realm.close(), pools.compartment.close()]));

  test.each<[string, Renewal, Omit<ScriptOptions, "pool">]>([
    ["an ordinary run", "compartment", {}],
    ["a recorded run", "compartment", { isRecorded: true }],
    ["a run that leaves its process to another", "compartment", { trustDomain: "one" }],
    ["the run after it", "compartment", { trustDomain: "one" }],
    ["the first realm of a process", "realm", { trustDomain: "one" }],
    ["a later realm", "realm", { trustDomain: "one" }],
  ])("all that outlives a script is frozen in %s", { timeout: 60_000 }, async (_kind, renew, options) => {
    const pool = pools[renew];
    const { shared, mutable } = (await resultOf(FIND_MUTABLE, { pool, ...options })) as Record<string, JsonValue>;

    expect(mutable).toEqual([]);
    expect(shared).toBeGreaterThan(MIN_SHARED);
  });
});
