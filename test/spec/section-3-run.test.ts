import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { serveProject, text } from "./serve-project.ts";

const SECRET = "s3cret-of-the-input";
const { client, run, resultOf } = serveProject(() => ({
  servers: {
    notes: [
      { name: "read", inputSchema: { type: "object" }, "x-answer": text("s3cret-of-the-output") },
      { name: "fail", inputSchema: { type: "object" }, "x-answer": { ...text("no"), isError: true } },
    ],
  },
}));

test("exactly one tool is shown, and it runs code that calls tools [2/one-tool] [3.1/only-tool]", async () => {
  expect((await client().listTools()).tools.map(({ name }) => name)).toEqual(["codemode.run"]);
  const code = 'import { read } from "@codemode/servers/notes"; globalThis.__codemode_result__ = await read({});';
  expect(await resultOf(code)).toBe("s3cret-of-the-output");
});

test("each run starts in a fresh sandbox [1.4/fresh]", async () => {
  await run("globalThis.left = 1; Array.prototype.left = 1;");
  expect(await resultOf("globalThis.__codemode_result__ = ['left' in globalThis, 'left' in []];")).toEqual([
    false,
    false,
  ]);
});

describe("a request", () => {
  test.each([[{}], [{ code: 1 }], [{ code: ["1"] }], [{ source: "1" }]])(
    "must have code, a string; %j has none [3.2/request]",
    async (input) => {
      const result = await client().callTool({ name: "codemode.run", arguments: input });
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("code") }] });
    },
  );

  test("is an ES module that may import, export and await [3.2.1/modules] [3.2.1/top-level-await]", async () => {
    const code = `import { specVersion } from "@codemode/discovery";
export const later = await Promise.resolve(typeof specVersion);
globalThis.__codemode_result__ = [later, this === undefined, typeof require];`;
    expect(await resultOf(code)).toEqual(["string", true, "undefined"]);
  });

  test("sets its result, the last one counts, and without any it is null [3.2.2/global] [3.2.2/final-value] [3.3/result]", async () => {
    expect(await resultOf("globalThis.__codemode_result__ = '__codemode_result__' in globalThis;")).toBe(true);
    expect(await resultOf("__codemode_result__ = 1; globalThis.__codemode_result__ = { last: [2] };")).toEqual({
      last: [2],
    });
    expect(await run("export const unused = 1;")).toMatchObject({
      result: null,
      diagnostics: [{ severity: "info", code: "RESULT_MISSING" }],
    });
    expect(await run("const loop = {}; loop.loop = loop; globalThis.__codemode_result__ = loop;")).toMatchObject({
      result: null,
      diagnostics: [{ severity: "error" }],
    });
  });

  test("may name capabilities as hints; what is not there is said, also where the code does without [3.2.3/lazy] [3.2.3/no-claims]", async () => {
    const answer = await run("globalThis.__codemode_result__ = 1;", { requestedCapabilities: ["notes", "calendar"] });
    expect(answer).toMatchObject({
      result: 1,
      diagnostics: [{ code: "SERVER_UNAVAILABLE", message: expect.stringContaining("calendar") }],
    });
    expect(answer.diagnostics).toHaveLength(1);
  });

  test("that uses an unavailable capability gets a structured error [3.2.3/structured-error]", async () => {
    const code = 'import { add } from "@codemode/servers/calendar"; await add({});';
    expect(await run(code, { requestedCapabilities: ["calendar"] })).toMatchObject({
      result: null,
      diagnostics: expect.arrayContaining([
        expect.objectContaining({ severity: "error", message: expect.stringContaining("calendar") }),
      ]),
    });
  });

  test("may hold unknown limits [3.2.4/unknown-keys]", async () => {
    const limits = { colour: "red", timeoutMs: 5_000, maxColours: 1 };
    expect(await run("globalThis.__codemode_result__ = 1;", { limits })).toMatchObject({ result: 1, diagnostics: [] });
  });
});

test("restrictions, capabilities, limits and globals are documented [3.2.1/documented] [3.2.3/documented] [3.2.4/documented] [3.5/documented]", () => {
  const instructions = client().getInstructions() ?? "";
  for (const key of Object.keys(DEFAULTS.limits)) expect(instructions).toContain(key);
  expect(instructions).toMatch(/requestedCapabilities.*server ids?/i);
  expect(instructions).toMatch(/(?:no|nothing) (?:other|else).*import/is);
  expect(instructions).toMatch(/no fetch/i);
});

describe("a response", () => {
  test("has logs with levels, times and messages, in order [3.3/fields] [3.3.1/entry] [9/methods]", async () => {
    const answer = await run("for (const level of ['debug', 'log', 'warn', 'error']) console[level](level);");
    expect(answer).toMatchObject({ result: null, diagnostics: [] });
    expect(answer.logs.map(({ level, message }) => [level, message])).toEqual([
      ["debug", "debug"],
      ["log", "log"],
      ["warn", "warn"],
      ["error", "error"],
    ]);
    for (const { timeMs } of answer.logs) expect(Number.isInteger(timeMs) && timeMs >= 0).toBe(true);
  });

  test.each([
    ["'a', 1, true, null, undefined, 10n, Symbol('s'), -0", "a 1 true null undefined 10 Symbol(s) 0"],
    ["{ b: [1, { d: 1, c: 2 }], a: 'x' }", '{"a":"x","b":[1,{"c":2,"d":1}]}'],
  ])("prints %s as text [3.3.1/concatenated] [3.3.1/primitives] [3.3.1/stable-json]", async (values, message) => {
    expect((await run(`console.log(${values});`)).logs).toMatchObject([{ message }]);
  });

  test("prints what JSON cannot say as a word [3.3.1/fallback]", async () => {
    const { logs, diagnostics } = await run("const ring = {}; ring.ring = ring; console.log('see', ring);");
    expect(diagnostics).toEqual([]);
    expect(logs).toEqual([expect.objectContaining({ message: expect.stringMatching(/^see .*\S/) })]);
  });

  test("says where logs were cut, and at which limit [3.3.1/truncation] [9/truncation]", async () => {
    const { logs } = await run("for (let i = 0; i < 500; i += 1) console.log('x'.repeat(50));", {
      limits: { maxLogBytes: 2_000 },
    });
    expect(logs.length).toBeLessThan(100);
    expect(logs.at(-1)).toMatchObject({ level: "warn", message: expect.stringContaining("2000") });
  });

  test("has a trace of the calls, without what went in or out [3.3.2/fields] [3.3.2/redacted]", async () => {
    const { toolTrace } = await run(`import { fail, read } from "@codemode/servers/notes";
await read({ token: "${SECRET}" });
await fail({ token: "${SECRET}" }).catch(() => {});`);
    expect(toolTrace).toMatchObject([
      { serverId: "notes", toolName: "read", durationMs: expect.any(Number), ok: true },
      { serverId: "notes", toolName: "fail", ok: false },
    ]);
    for (const { durationMs } of toolTrace ?? []) expect(Number.isInteger(durationMs)).toBe(true);
    expect(JSON.stringify(toolTrace)).not.toMatch(/s3cret/);
  });

  test.each([
    ["a syntax error", "const a = ;", "SYNTAX_ERROR"],
    ["an import that is not there", 'import fs from "node:fs"; fs.x;', "IMPORT_FAILURE"],
  ])(
    "comes for %s [3.3.4/always-answer] [3.3.4/diagnostic] [3.3.4/null-result] [3.3.3/fields]",
    async (_name, code, diagnosticCode) => {
      expect(await run(code)).toMatchObject({
        logs: [],
        result: null,
        diagnostics: [{ severity: "error", code: diagnosticCode, message: expect.stringMatching(/./) }],
      });
    },
  );

  test("for an uncaught error keeps what was logged, and no result [3.3.4/logs] [3.3.4/null-result] [3.3.4/always-answer]", async () => {
    const code = "console.log('before'); globalThis.__codemode_result__ = 1; throw new TypeError('no luck');";
    expect(await run(code)).toMatchObject({
      logs: [{ message: "before" }],
      result: null,
      diagnostics: [{ severity: "error", code: "UNCAUGHT_EXCEPTION", message: expect.stringContaining("no luck") }],
    });
  });
});

describe("the sandbox", () => {
  test("reaches no network [3.4/network] [3.4/side-effects]", async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const ways = [`await fetch("${url}")`, `new WebSocket("${url}")`, `await import("${url}")`, "process.exit(3)"];
    const answers = await Promise.all(ways.map((way) => run(`${way};`)));
    await new Promise((settle) => server.close(settle));
    expect(answers.map(({ diagnostics }) => diagnostics[0]?.severity)).toEqual(ways.map(() => "error"));
    expect(requests).toBe(0);
  });

  test("has every global of the list, and none of the others [3.5/provided] [3.5/not-provided]", async () => {
    const provided =
      `JSON Math Date URL URLSearchParams Promise Map Set WeakMap WeakSet Symbol Proxy Reflect RegExp Error Array
Object String Number Boolean BigInt parseInt parseFloat isNaN isFinite TextEncoder TextDecoder ArrayBuffer DataView Uint8Array
Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array setTimeout clearTimeout console`.split(
        /\s+/,
      );
    const missing = `export default ${JSON.stringify(provided)}.filter((name) => typeof globalThis[name] === "undefined");`;
    expect(await resultOf(missing)).toEqual([]);
    expect(await resultOf("export default [Infinity > 1, Number.isNaN(NaN), undefined === void 0];")).toEqual([
      true,
      true,
      true,
    ]);

    const others = "fetch XMLHttpRequest WebSocket EventSource setInterval process require Buffer global module".split(
      " ",
    );
    const present = `export default ${JSON.stringify(others)}.filter((name) => typeof globalThis[name] !== "undefined");`;
    expect(await resultOf(present)).toEqual([]);
  });

  test("makes no code of strings [3.5/no-code] [11/no-code]", async () => {
    const ways = [
      "(0, globalThis.eval)('1')",
      "new Function('return 1')()",
      "Function('return 1')()",
      "(() => {}).constructor('return 1')()",
      "(async () => {}).constructor('return 1')()",
      "(function* () {}).constructor('return 1')()",
    ];
    const tried = ways.map((way) => `(() => { try { return ${way}; } catch { return "refused"; } })()`);
    expect(await resultOf(`export default [${tried.join(", ")}];`)).toEqual(ways.map(() => "refused"));
  });
});
