import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { CODEMODE_GLOBALS, ENDOWED_GLOBALS, LANGUAGE_GLOBALS } from "../../../runtime/sandbox/realm/globals.ts";
import { findNode, ALL_NODE_VERSIONS } from "../../node-versions/find-node.ts";
import { resultOf, runScript } from "./run-script.ts";

const REQUIRED = [
  ...[
    "JSON",
    "Math",
    "Date",
    "URL",
    "URLSearchParams",
    "Promise",
    "Map",
    "Set",
    "WeakMap",
    "WeakSet",
    "Symbol",
    "Proxy",
  ],
  ...[
    "Reflect",
    "RegExp",
    "Error",
    "Array",
    "Object",
    "String",
    "Number",
    "Boolean",
    "BigInt",
    "parseInt",
    "parseFloat",
  ],
  ...["isNaN", "isFinite", "Infinity", "NaN", "undefined", "TextEncoder", "TextDecoder", "ArrayBuffer", "DataView"],
  ...[
    "Uint8Array",
    "Int8Array",
    "Uint16Array",
    "Int16Array",
    "Uint32Array",
    "Int32Array",
    "Float32Array",
    "Float64Array",
  ],
  ...["setTimeout", "clearTimeout", "console"],
];

describe.each(ALL_NODE_VERSIONS)("on Node %s", (version) => {
  let pool: SandboxPool;
  beforeAll(() => {
    pool = makeSandboxPool({ node: findNode(version) });
  }, 120_000);
  afterAll(() => pool.close());

  test("a script finds every global of the specification [3.5/provided] [3.2.2/global]", async () => {
    const script = `globalThis.__codemode_result__ = ${JSON.stringify(REQUIRED)}.filter((name) => !(name in globalThis));`;
    expect(await resultOf(script, { pool })).toEqual([]);
  });

  test("and none that is not on the list [3.5/not-provided]", async () => {
    const known: readonly string[] = [...LANGUAGE_GLOBALS, ...ENDOWED_GLOBALS, ...CODEMODE_GLOBALS];
    const names = await resultOf("globalThis.__codemode_result__ = Object.getOwnPropertyNames(globalThis);", { pool });
    expect((names as string[]).filter((name) => !known.includes(name))).toEqual([]);
  });

  test("no network, no interval, nothing of Node [3.5/not-provided] [3.4/network]", async () => {
    const names = [
      "fetch",
      "XMLHttpRequest",
      "WebSocket",
      "EventSource",
      "setInterval",
      "eval",
      "process",
      "require",
      "Buffer",
      "global",
    ];
    const script = `globalThis.__codemode_result__ = ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== "undefined");`;
    expect(await resultOf(script, { pool })).toEqual([]);
  });

  test.each([
    "Function('return 1')",
    "new Function('return 1')",
    "(() => {}).constructor('return 1')",
    "(async () => {}).constructor('')",
  ])("no code from text: %s [3.5/no-code] [11/no-code]", async (expression) => {
    const { result, diagnostics } = await runScript(`globalThis.__codemode_result__ = typeof ${expression};`, { pool });
    expect({ result, code: diagnostics[0]?.code }).toEqual({ result: null, code: "UNCAUGHT_EXCEPTION" });
  });
});
