import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { makeSandboxPool, type SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import { runScript } from "../realm/run-script.ts";

const MEBIBYTE = 1024 * 1024;
const ENDED = { severity: "error", code: "SANDBOX_LIMIT", errorClass: "SandboxLimitError" };

let pool: SandboxPool;
/** For scripts that end by themselves: its runs share a process. */
let shared: { pool: SandboxPool; trustDomain: string };
beforeAll(() => {
  pool = makeSandboxPool();
  const reused = makeSandboxPool({ refill: false, reuse: { times: 1000, renew: "compartment" } });
  shared = { pool: reused, trustDomain: "tests" };
});
afterAll(() => Promise.all([pool.close(), shared.pool.close()]));

describe("a script that does not end", () => {
  const scripts = {
    "a loop": "for (;;);",
    "a loop of promises":
      "const spin = () => { void Promise.resolve().then(spin); }; spin(); await new Promise(() => {});",
    "a loop of awaits": "for (;;) await null;",
    "a loop of timers": "for (;;) await new Promise((resolve) => setTimeout(resolve, 0));",
    "a regular expression": '/^(a+)+$/.test("a".repeat(50) + "b");',
    "a getter of the result": "globalThis.__codemode_result__ = { toJSON() { for (;;); } };",
    "a getter of a logged value": "console.log({ get value() { for (;;); } });",
  };

  test.concurrent.each(Object.entries(scripts))(
    "%s ends at timeoutMs [7.4/limit-error] [7.4/logs]",
    async (_name, script) => {
      const answer = await runScript(`console.log("first");\n${script}`, { pool, limits: { timeoutMs: 400 } });

      expect(answer).toMatchObject({ logs: [{ level: "log", message: "first" }], result: null, diagnostics: [ENDED] });
      expect(answer.diagnostics[0]?.message).toContain("timeoutMs (400 ms)");
      expect(answer.diagnostics[0]?.hint).toBeTruthy();
    },
  );
});

describe("a script that takes memory, at 96 MiB [11/resources]", () => {
  // Objects, maps and typed arrays: memory-bombs.test.ts.
  const bombs = {
    "one buffer of 1.5 GB": "const bytes = new Uint8Array(1.5e9); bytes.fill(1);",
    "one buffer of 1.5 GB that is not touched": "new Uint8Array(1.5e9);",
    strings: 'const all = []; for (let i = 0; ; i += 1) all.push(("x".repeat(1 << 20) + i).toUpperCase());',
    "a string that doubles": 'let text = "xxxxxxxx"; for (;;) { text += text; text.charCodeAt(5); }',
    BigInts: "const all = []; for (;;) all.push(1n << 2n ** 26n);",
    "an array of a billion": "new Array(1e9).fill(0);",
  };

  test.each(Object.entries(bombs))("%s ends in SANDBOX_LIMIT with the first line kept", async (_name, script) => {
    const before = process.memoryUsage().rss;
    const answer = await runScript(`console.log("first");\n${script}`, {
      pool,
      limits: { maxMemoryBytes: 96 * MEBIBYTE },
    });
    const grownBy = process.memoryUsage().rss - before;

    expect(answer.diagnostics).toEqual([expect.objectContaining(ENDED)]);
    expect(answer).toMatchObject({ logs: [{ message: "first" }], result: null });
    expect(grownBy).toBeLessThan(64 * MEBIBYTE);
  });

  test("the host answers the next run", async () => {
    expect(await runScript("globalThis.__codemode_result__ = 1;", { pool })).toMatchObject({
      result: 1,
      diagnostics: [],
    });
  });

  test.each([
    ["one of many", 1000],
    ["the last", 2],
  ])("what earlier runs have left in a process is not counted in %s: a realm that waits", async (_which, times) => {
    const reused = makeSandboxPool({ refill: false, reuse: { times, renew: "realm" } });
    onTestFinished(() => reused.close());
    const fill = (megabytes: number) => `
      globalThis.filled = Array.from({ length: ${megabytes} }, () => new Array(125_000).fill(1));
      globalThis.__codemode_result__ = filled.length;`;
    for (const megabytes of [1, 35, 60])
      expect(await runScript(fill(megabytes), { pool: reused, trustDomain: "one" })).toMatchObject({
        result: megabytes,
        diagnostics: [],
      });
  });

  test("a limit below what an idle process takes still lets a small script run", async () => {
    expect(
      await runScript("globalThis.__codemode_result__ = 1;", { pool, limits: { maxMemoryBytes: MEBIBYTE } }),
    ).toMatchObject({
      result: 1,
      diagnostics: [],
    });
  });
});

describe("a script that calls too often", () => {
  test("the call after the last one ends the run; those before are in the trace", async () => {
    const script = 'for (;;) await __codemode_call__("server", "tool", "{}");';
    const answer = await runScript(script, { pool, limits: { maxToolCalls: 3 } });

    expect(answer.diagnostics).toEqual([expect.objectContaining(ENDED)]);
    expect(answer.diagnostics[0]?.message).toContain("maxToolCalls (3)");
    expect(answer.toolTrace).toHaveLength(3);
  });

  test("a flood of calls at once is held too", async () => {
    const script = 'await Promise.all(Array.from({ length: 1e5 }, () => __codemode_call__("server", "tool", "{}")));';
    expect(await runScript(script, { pool, limits: { maxToolCalls: 100 } })).toMatchObject({ diagnostics: [ENDED] });
  });

  test("the calls in flight at the end of a run are cancelled [7.4/terminate]", async () => {
    const aborted = new Promise<void>((resolve) => {
      void runScript('await __codemode_call__("server", "slow", "{}");', {
        pool,
        limits: { timeoutMs: 300 },
        answerCall: (_call, signal) =>
          new Promise((settle) => {
            signal.addEventListener("abort", () => {
              resolve();
              settle({ ok: true, value: null });
            });
          }),
      });
    });

    await expect(aborted).resolves.toBeUndefined();
  });

  test("a call that was cut off is in the trace as failed", async () => {
    const answer = await runScript('__codemode_call__("server", "slow", "{}"); for (;;);', {
      pool,
      limits: { timeoutMs: 300 },
      answerCall: () => new Promise(() => {}),
    });
    expect(answer.toolTrace).toEqual([
      {
        serverId: "server",
        toolName: "slow",
        durationMs: expect.any(Number),
        ok: false,
        error: expect.stringContaining("ended"),
      },
    ]);
  });
});

describe("a script that logs too much", () => {
  test("keeps what fits, says so at the end of the log, and goes on [3.3.1/truncation] [9/truncation]", async () => {
    const script =
      'for (let i = 0; i < 1000; i += 1) console.log("x".repeat(99)); globalThis.__codemode_result__ = "done";';
    const answer = await runScript(script, { ...shared, limits: { maxLogBytes: 1000 } });

    expect(answer.result).toBe("done");
    expect(answer.logs.at(-1)).toMatchObject({
      level: "warn",
      message: expect.stringContaining("maxLogBytes (1000 bytes)"),
    });
    expect(
      answer.logs
        .slice(0, -1)
        .map(({ message }) => message.length)
        .reduce((sum, length) => sum + length),
    ).toBe(1000);
    expect(answer.diagnostics).toEqual([expect.objectContaining({ ...ENDED, severity: "warning" })]);
  });

  test.each([
    ["one text of 30 MB", 'console.log("x".repeat(3e7));'],
    ["many empty lines", "for (let i = 0; i < 1e6; i += 1) console.log();"],
    ["a list of ten million", "console.log(Array.from({ length: 1e6 }, () => 1));"],
  ])("%s stays within the limit", async (_name, script) => {
    const answer = await runScript(script, { ...shared, limits: { maxLogBytes: 10_000 } });

    expect(JSON.stringify(answer.logs).length).toBeLessThan(60_000);
    expect(answer.logs.at(-1)?.message).toContain("truncated");
  });
});

describe("a result that is too large", () => {
  const run = (script: string) => runScript(script, { ...shared, limits: { maxResultBytes: 1000 } });

  test("lists keep whole items, and the counts are reported", async () => {
    const answer = await run(
      "globalThis.__codemode_result__ = { total: 5000, items: Array.from({ length: 5000 }, (_, id) => ({ id })) };",
    );
    const { items, total } = answer.result as { items: { id: number }[]; total: number };

    expect(total).toBe(5000);
    expect(items.at(-1)).toEqual({ id: items.length - 1 });
    expect(answer.diagnostics).toEqual([
      expect.objectContaining({
        severity: "warning",
        code: "RESULT_TRUNCATED",
        errorClass: "SandboxLimitError",
        message: expect.stringContaining(`/items: ${items.length} of 5000 items`),
        hint: expect.any(String),
      }),
    ]);
  });

  test("objects keep whole keys, and the counts are reported", async () => {
    const answer = await run(
      "globalThis.__codemode_result__ = Object.fromEntries(Array.from({ length: 900 }, (_, id) => ['key' + id, id]));",
    );
    const kept = Object.keys(answer.result as object).length;

    expect(kept).toBeGreaterThan(10);
    expect(answer.diagnostics[0]?.message).toContain(`${kept} of 900 keys`);
  });

  test("a text is cut, and the counts are reported", async () => {
    const answer = await run('globalThis.__codemode_result__ = "é".repeat(5000);');
    expect(answer.diagnostics[0]?.message).toContain(`${(answer.result as string).length} of 5000 characters`);
    expect(Buffer.byteLength(JSON.stringify(answer.result))).toBeLessThanOrEqual(1000);
  });

  test.each([
    ["an endless proxy", "new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 - 1 : 'x'.repeat(100)) })"],
    ["ten million items", "Array.from({ length: 2e6 }, (_, id) => id)"],
    [
      "a deep tree of lists",
      "(function grow(depth) { return depth === 0 ? 'leaf'.repeat(100) : [grow(depth - 1), grow(depth - 1)]; })(8)",
    ],
  ])("%s stays within the limit", async (_name, expression) => {
    const answer = await run(`globalThis.__codemode_result__ = ${expression};`);
    expect(Buffer.byteLength(JSON.stringify(answer.result))).toBeLessThanOrEqual(1000);
    expect(answer.diagnostics[0]?.code).toBe("RESULT_TRUNCATED");
  });
});

describe("what a caller asks for", () => {
  test("is never more memory than the processes of the pool were started with", async () => {
    const script = "const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1));";
    expect(await runScript(script, { pool, limits: { maxMemoryBytes: 4096 * MEBIBYTE } })).toMatchObject({
      diagnostics: [{ ...ENDED, message: expect.stringContaining(String(DEFAULTS.limits.maxMemoryBytes)) }],
    });
  });
});
