import { beforeAll, describe, expect, test } from "vitest";
import { makeSandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import type { LogEntry } from "../../../schemas/run/answer.ts";
import { openPool } from "./open-pool.ts";
import { runScript } from "./run-script.ts";

const pool = openPool();

type Rows = [args: string, message: string][];
const PRIMITIVES: Rows = [
  ['"text", "more"', "text more"],
  ["1, -0, NaN, Infinity, 10n", "1 0 NaN Infinity 10"],
  ["true, null, undefined", "true null undefined"],
  ['Symbol("mark")', "Symbol(mark)"],
  ['"100 %s", 5', "100 %s 5"],
  ["", ""],
];
const OBJECTS: Rows = [
  ["{ b: 1, a: [1, { d: 1, c: 2 }] }", '{"a":[1,{"c":2,"d":1}],"b":1}'],
  ["[undefined, null, NaN]", '[null,null,"NaN"]'],
  ["{ a: undefined, b: 1 }", '{"b":1}'],
  ["new Date(0)", '"1970-01-01T00:00:00.000Z"'],
  ["{ toJSON: () => ({ z: 1 }) }", '{"z":1}'],
  ["new Map([[1, { a: 2 }]])", '{"[Map]":[[1,{"a":2}]]}'],
  ["new Set([1])", '{"[Set]":[1]}'],
  ["new Uint8Array([1, 2])", '{"[Uint8Array]":[1,2]}'],
  ['Object.assign(new TypeError("bad"), { code: 7 })', '{"code":7,"message":"bad","name":"TypeError"}'],
  ["{ run() {}, mark: Symbol('a'), big: 1n }", '{"big":"1n","mark":"Symbol(a)","run":"[Function run]"}'],
];
const NO_JSON: Rows = [
  ["(() => { const a = {}; a.self = a; return a; })()", '{"self":"[Circular]"}'],
  ["{ get a() { throw new Error('no'); }, b: 1 }", '{"a":"[Threw]","b":1}'],
  ["new Proxy({}, { ownKeys() { throw new Error('no'); } })", "[Unserializable Object]"],
  [
    "(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()",
    "[Unserializable Object]",
  ],
  ["{ toJSON() { throw new Error('no'); } }", "[Unserializable Object]"],
  ["Promise.resolve(1)", "[Promise: use await]"],
  ["Object.create(null)", "{}"],
  ["(() => {})", "[Function]"],
  ["/a+/g", "/a+/g"],
];
const DEEP = "JSON.parse('['.repeat(5000) + ']'.repeat(5000))";

describe("a message", () => {
  const messages = new Map<string, string>();
  beforeAll(async () => {
    const all = [...[...PRIMITIVES, ...OBJECTS, ...NO_JSON].map(([args]) => args), DEEP];
    const { logs } = await runScript(all.map((args) => `console.log(${args});`).join("\n"), { pool });
    for (const [index, args] of all.entries()) messages.set(args, logs[index]?.message ?? "nothing");
  });

  test.each(PRIMITIVES)(
    "of primitives is what String makes of them: %s [3.3.1/primitives] [3.3.1/concatenated]",
    (args, expected) => expect(messages.get(args)).toBe(expected),
  );

  test.each(OBJECTS)("of objects is JSON with sorted keys: %s [3.3.1/stable-json]", (args, expected) =>
    expect(messages.get(args)).toBe(expected),
  );

  test.each(NO_JSON)("of values that JSON cannot say is a word for them: %s [3.3.1/fallback]", (args, expected) =>
    expect(messages.get(args)).toBe(expected),
  );

  test("of a deep tree ends, however deep it is", () => expect(messages.get(DEEP)).toContain('"[Object]"'));
});

test("every level of the specification is there, and the other methods are on the nearest one [9/methods] [3.3.1/entry]", async () => {
  const script = `for (const level of ["debug", "log", "warn", "error", "info", "trace", "dir", "table"]) console[level](level);
    console.group("group"); console.groupEnd(); console.assert(true, "no"); console.assert(false, "yes");`;
  const { logs, diagnostics } = await runScript(script, { pool });

  expect(diagnostics).toEqual([]);
  expect(logs.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    ...[
      "debug: debug",
      "log: log",
      "warn: warn",
      "error: error",
      "log: info",
      "debug: trace",
      "log: dir",
      "log: table",
    ],
    ...["log: group", "error: Assertion failed yes"],
  ]);
  expect(logs.every(({ timeMs }) => Number.isInteger(timeMs) && timeMs >= 0)).toBe(true);
});

test("entries reach the host while the script runs, not at its end", async () => {
  const seen: LogEntry[] = [];
  const script = 'console.log("first"); await __codemode_call__("server", "tool", "{}"); console.log("second");';
  const { logs } = await runScript(script, {
    pool,
    onLog: (entry) => seen.push(entry),
    answerCall: () => {
      expect(seen.map(({ message }) => message)).toEqual(["first"]);
      return { ok: true, value: null };
    },
  });

  expect(seen).toEqual(logs);
  expect(logs.map(({ message }) => message)).toEqual(["first", "second"]);
});

test("100 MB of text, logged under a memory limit that allows it, is one cut message", async () => {
  const spacious = makeSandboxPool({ maxMemoryBytes: 768 * 1024 * 1024, refill: false });
  try {
    const { logs } = await runScript('console.log("x".repeat(1e8));', {
      pool: spacious,
      limits: { maxLogBytes: 1000, maxMemoryBytes: 768 * 1024 * 1024 },
    });
    expect(logs.map(({ level, message }) => [level, message.length])).toEqual([
      ["log", 1000],
      ["warn", expect.any(Number)],
    ]);
  } finally {
    await spacious.close();
  }
});
