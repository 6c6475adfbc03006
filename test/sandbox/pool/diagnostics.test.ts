import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { hintForError, MISSING_GLOBALS } from "../../../runtime/sandbox/pool/error-hints.ts";
import type { LogEntry } from "../../../schemas/run/answer.ts";
import { openPool } from "../realm/open-pool.ts";
import { runScript } from "../realm/run-script.ts";

const pool = openPool();

const run = (script: string) => runScript(script, { pool });

describe("an uncaught error", () => {
  test("is named with its line and column in the script [3.3.4/diagnostic] [3.3.3/fields]", async () => {
    const answer = await run(
      'console.log("before");\nconst fail = () => {\n  throw new TypeError("broken");\n};\nfail();',
    );

    expect(answer).toEqual({
      logs: [{ level: "log", message: "before", timeMs: expect.any(Number) }],
      result: null,
      diagnostics: [
        {
          severity: "error",
          code: "UNCAUGHT_EXCEPTION",
          message: "TypeError: broken",
          path: "script.ts:3:9",
          hint: expect.any(String),
        },
      ],
      toolTrace: [],
    });
  });

  test.each([
    ["after an await", 'await null;\nthrow new Error("late");', "script.ts:2:7"],
    [
      "in a timer",
      'setTimeout(() => {\n  throw new Error("tick");\n}, 1);\nawait new Promise((resolve) => setTimeout(resolve, 50));',
      "script.ts:2:9",
    ],
    ["in a callback of a built-in function", '[1].map(\n  () => { throw new Error("map"); });', "script.ts:2:17"],
    ["of a built-in function", "\nnull.value;", "script.ts:2:6"],
    ["of an endowed class", '\n\nnew URL("::");', "script.ts:3:1"],
    ["of a class of its own", 'class Mine extends Error {}\nthrow new Mine("own");', "script.ts:2:7"],
  ])("%s has its place", async (_name, script, path) => {
    expect((await run(script)).diagnostics).toEqual([expect.objectContaining({ code: "UNCAUGHT_EXCEPTION", path })]);
  });

  test.each([
    ["a text", 'throw "just text";', "just text"],
    ["null", "throw null;", "null"],
    ["an object", "throw { b: 1, a: 2 };", '{"a":2,"b":1}'],
    [
      "an error with a cause",
      'throw new Error("outer", { cause: new RangeError("inner") });',
      "Error: outer (caused by RangeError: inner)",
    ],
    ["a proxy that throws", "throw new Proxy({}, { get() { throw 1; } });", "[Unserializable Object]"],
  ])("can be %s", async (_name, script, message) => {
    expect((await run(script)).diagnostics).toEqual([expect.objectContaining({ code: "UNCAUGHT_EXCEPTION", message })]);
  });

  test("of the errors of codemode carries its class and its own hint", async () => {
    const script =
      'class ToolCallError extends Error { name = "ToolCallError"; hint = "Ask again."; }\nthrow new ToolCallError("no");';
    expect((await run(script)).diagnostics).toEqual([
      expect.objectContaining({ message: "ToolCallError: no", errorClass: "ToolCallError", hint: "Ask again." }),
    ]);
  });
});

describe("promises", () => {
  test("an unhandled rejection is an error, with its place", async () => {
    const answer = await run('Promise.reject(\n  new Error("dropped"));\nglobalThis.__codemode_result__ = 1;');
    expect(answer).toMatchObject({
      result: null,
      diagnostics: [
        { severity: "error", code: "UNHANDLED_REJECTION", message: "Error: dropped", path: "script.ts:2:3" },
      ],
    });
  });

  test("a rejection that is handled later is none", async () => {
    const script =
      'const failing = Promise.reject(new Error("early"));\nawait new Promise((resolve) => setTimeout(resolve, 20));\n' +
      "globalThis.__codemode_result__ = await failing.catch((error) => error.message);";
    expect(await run(script)).toMatchObject({ result: "early", diagnostics: [] });
  });

  test("a promise that nothing can settle ends the run at once, with a hint", async () => {
    const answer = await runScript("console.log(1);\nawait new Promise(() => {});", {
      pool,
      limits: { timeoutMs: 60_000 },
    });
    expect(answer).toMatchObject({
      logs: [{ message: "1" }],
      diagnostics: [
        {
          severity: "error",
          code: "SANDBOX_LIMIT",
          message: expect.stringContaining("nothing can settle"),
          hint: expect.any(String),
        },
      ],
    });
  });

  test("a promise that a swallowed error left open is explained by that error", async () => {
    const script = 'await new Promise(() => {\n  Promise.resolve().then(() => { throw new Error("inside"); });\n});';
    expect((await run(script)).diagnostics).toEqual([
      expect.objectContaining({ code: "UNHANDLED_REJECTION", message: "Error: inside" }),
    ]);
  });

  test("a main function without await is waited for, with a warning", async () => {
    const script =
      'async function main() {\n  await __codemode_call__("files", "read", "{}");\n  globalThis.__codemode_result__ = "done";\n}\nmain();';
    expect(await run(script)).toMatchObject({
      result: "done",
      diagnostics: [
        {
          severity: "warning",
          code: "MISSING_AWAIT",
          message: expect.stringContaining("files/read"),
          hint: expect.any(String),
        },
      ],
    });
  });

  test("a result that is a promise is awaited, with a warning", async () => {
    expect(await run("globalThis.__codemode_result__ = (async () => 5)();")).toMatchObject({
      result: 5,
      diagnostics: [{ severity: "warning", code: "MISSING_AWAIT" }],
    });
    expect(await run("globalThis.__codemode_result__ = new Promise(() => {});")).toMatchObject({
      result: null,
      diagnostics: [{ code: "SANDBOX_LIMIT" }],
    });
  });

  test("a main function without await may pause, and is waited for", async () => {
    const script =
      "async function main() {\n  await new Promise((resolve) => setTimeout(resolve, 30));\n  console.log('paused');\n}\nmain();";
    expect(await run(script)).toMatchObject({
      logs: [{ message: "paused" }],
      diagnostics: [{ code: "MISSING_AWAIT" }],
    });
  });

  test("a long timer that is left over, a guard, holds up no run", async () => {
    const script =
      "await Promise.race([null, new Promise((_, reject) => setTimeout(reject, 60_000))]);\nconsole.log('done');";
    expect(await run(script)).toMatchObject({ logs: [{ message: "done" }], diagnostics: [] });
  });

  test("a timer that is left over does not hold up a run that has its result", async () => {
    const script = "setTimeout(() => {}, 60_000);\nglobalThis.__codemode_result__ = 1;";
    expect(await run(script)).toMatchObject({ result: 1, diagnostics: [] });
  });
});

describe("hints", () => {
  const HINTS: [script: string, words: string][] = [
    ['fetch("http://a");', "network"],
    ["new Buffer(1);", "Uint8Array"],
    ["setInterval(() => {}, 1);", "setTimeout"],
    ["new CustomEvent('a');", "subclass"],
    ["JSON.parse({});", "object already"],
    ['JSON.parse("plain words");', "not JSON"],
    ["const rows = {}; rows.map(() => {});", "not an array"],
    ["undefined.value;", "shape"],
    ["for (const item of 5) {}", "not a list"],
    ["Array.prototype.last = 1;", "frozen"],
    ['new Function("return 1");', "The sandbox cannot create"],
    ["(function again() { again(); })();", "recursion"],
  ];
  /** The name and the message of the error of each script. */
  let errors: [name: string, message: string][];
  beforeAll(async () => {
    const attempts = HINTS.map(([script]) => `attempt(() => { ${script} })`);
    const { result } = await run(`
      const attempt = (fail) => { try { fail(); } catch ({ name, message }) { return [name, message]; } };
      globalThis.__codemode_result__ = [${attempts.join(", ")}];`);
    errors = result as typeof errors;
  });

  test.each(HINTS.map((row, index) => [...row, index] as const))("%s", (_script, words, index) => {
    const [name = "", message = ""] = errors[index] ?? [];
    expect(hintForError(name, message)).toContain(words);
  });

  test.each([
    ["process.exit();", "The sandbox has no Node API"],
    ['Buffer.from("a");', "TextEncoder"],
  ])("reach the answer of a run: %s", async (script, words) => {
    const { diagnostics } = await run(script);
    expect(diagnostics[0]).toMatchObject({ code: "UNCAUGHT_EXCEPTION", hint: expect.stringContaining(words) });
  });

  test("a return at the top level", () => {
    expect(hintForError("SyntaxError", "Illegal return statement")).toContain("__codemode_result__");
  });
});

describe("what an answer never says", () => {
  test("the files of the machine, in stacks that a script logs or returns", async () => {
    const script = `const errors = [];
      for (const action of [() => new URL("::"), () => null.x, () => [1].map(() => JSON.parse("{"))]) try { action(); } catch (error) { errors.push(error.stack); }
      console.error(errors.join());
      await new Promise((resolve) => setTimeout(() => { errors.push(new Error("tick").stack); resolve(); }, 1));
      globalThis.__codemode_result__ = errors;`;
    const answer = await run(script);

    expect(JSON.stringify(answer)).not.toMatch(/node:|boot|realm\.js|node_modules|\/home|\/work|\/tmp/);
    expect(answer.logs[0]?.message).toContain("script.ts:2:");
  });
});

describe("a run that the host cancels [7.4/terminate]", () => {
  test("ends at once, with its logs", async () => {
    const cancellation = new AbortController();
    const onLog = (_entry: LogEntry): void => cancellation.abort();
    const answer = await runScript('console.log("first"); for (;;);', { pool, signal: cancellation.signal, onLog });

    expect(answer).toMatchObject({
      logs: [{ message: "first" }],
      result: null,
      diagnostics: [{ severity: "error", code: "RUN_CANCELLED" }],
    });
  });
});

describe("the trace of tool calls", () => {
  test("names every call and how it went, and neither input nor output [3.3.2/fields] [3.3.2/redacted]", async () => {
    const script = `
      await __codemode_call__("files", "read", '{"path":"the input"}');
      await __codemode_call__("files", "fail", "{}");
      throw new Error("end");`;
    const answer = await runScript(script, {
      pool,
      answerCall: ({ toolName }) =>
        toolName === "read"
          ? { ok: true, value: "the output" }
          : { ok: false, error: { errorClass: "ToolCallError", message: "the output again", hint: "none" } },
    });

    expect(answer.toolTrace).toEqual([
      { serverId: "files", toolName: "read", durationMs: expect.any(Number), ok: true },
      {
        serverId: "files",
        toolName: "fail",
        durationMs: expect.any(Number),
        ok: false,
        error: expect.stringContaining("ToolCallError"),
      },
    ]);
    expect(Number.isInteger(answer.toolTrace[0]?.durationMs)).toBe(true);
    expect(JSON.stringify(answer)).not.toMatch(/the (?:in|out)put/);
  });
});

test("the page about the sandbox names every global that has a hint", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/sandbox.md"), "utf8");
  expect(Object.keys(MISSING_GLOBALS).filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});
