import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../schemas/json/json.ts";
import { makeSandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { type RunGlobals, selectRunGlobals } from "../../../runtime/sandbox/realm/assemble-realm.ts";
import { ALL_NODE_VERSIONS, findNode } from "../../node-versions/find-node.ts";
import { resultOf } from "./run-script.ts";

const GROUPS: readonly RunGlobals[] = [
  { names: ["console"], make: () => ({}) },
  { names: ["setTimeout", "clearTimeout"], make: () => ({}) },
  { names: ["Event", "EventTarget"], make: () => ({}) },
];

const selectNames = (program: string): string[] => selectRunGlobals(GROUPS, program).flatMap(({ names }) => names);
const ALL = ["console", "setTimeout", "clearTimeout", "Event", "EventTarget"];

describe("of the globals of a run, those are made that the program can reach:", () => {
  test.each<[string, string, string[]]>([
    ["none where it names none", "globalThis.__codemode_result__ = 1 + 1;", []],
    ["one that it names", "console.log(1);", ["console"]],
    ["with all that are made together", "clearTimeout(1);", ["setTimeout", "clearTimeout"]],
    ["one in a text, which is as good as a name", "const name = 'EventTarget';", ["Event", "EventTarget"]],
    ["all where it has the global object", "const all = globalThis;", ALL],
    ["all where it reads a computed member of it", "globalThis['con' + 'sole'].log(1)", ALL],
    ["all where it reads the global object in two ways", "globalThis.__codemode_result__ = [globalThis][0];", ALL],
    ["all where it has the global object behind a comment", "globalThis/**/.__codemode_result__ = 1;", ALL],
    ["all where a name may be written with escapes", String.raw`c\u006fnsole.log(1);`, ALL],
    ["all where it is long", " ".repeat(20_001), ALL],
  ])("%s", (_case, program, names) => {
    expect(selectNames(program)).toEqual(names);
  });
});

/** Ways to the same global, each in a program of its own: what is not named is not made. */
const WAYS: Readonly<Record<string, string>> = {
  "by its name": "new Event('a').type",
  "by a name with an escape": String.raw`new Ev\u0065nt('a').type`,
  "by a computed name": "new globalThis['Ev' + 'ent']('a').type",
  "as a member of what holds the global object": "(({ ...all }) => new all['Ev' + 'ent']('a').type)(globalThis)",
  "as what another class extends": "Object.getPrototypeOf(AbortSignal).name",
  "by its absence": "typeof Evant",
  "by the numbers of Math": "Math.max(1, 2)",
  "by a key of Math": "Reflect.ownKeys(Math).length",
  "by a timer that is stopped": "(clearTimeout(setTimeout(() => {}, 1000)), typeof setTimeout)",
  "by the list of all names": "Reflect.ownKeys(globalThis).map(String)",
  "by their descriptors":
    "Object.entries(Object.getOwnPropertyDescriptors(globalThis)).map(([name, { writable, configurable }]) => [name, writable, configurable])",
};

describe.each(ALL_NODE_VERSIONS)(
  "on Node %s, a later run of a process finds a global as the first one does",
  (version) => {
    test.each(Object.entries(WAYS))("%s", { timeout: 60_000 }, async (_way, expression) => {
      const pool = makeSandboxPool({
        node: findNode(version),
        reuse: { times: 10, renew: "compartment" },
        refill: false,
      });
      const pids = new Set<number>();
      const take: typeof pool.take = async (trustDomain) => {
        const sandbox = await pool.take(trustDomain);
        pids.add(sandbox.pid);
        return sandbox;
      };
      const script = `const found = ${expression}; globalThis.__codemode_result__ = found;`;
      const find = (): Promise<JsonValue> => resultOf(script, { pool: { ...pool, take }, trustDomain: "one" });
      try {
        const found = [await find(), await find(), await find()];
        expect(pids.size).toBe(1);
        expect(found[0]).not.toBeNull();
        expect(found).toEqual([found[0], found[0], found[0]]);
      } finally {
        await pool.close();
      }
    });
  },
);
