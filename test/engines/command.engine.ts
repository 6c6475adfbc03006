import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandboxPool, type SandboxPool } from "../../runtime/sandbox/pool/pool.ts";
import { ATTACKS } from "../escape/attacks/all.ts";
import { HELD, outcomeOf } from "../escape/outcome-of.ts";
import { COMMANDS } from "./commands.ts";
import { resultOf, runScript, type ScriptOptions } from "../sandbox/realm/run-script.ts";

const FOLDERS_BEFORE = listFolders();

describe.each(Object.entries(COMMANDS))("under %s", (_name, command) => {
  let pool: SandboxPool;
  beforeAll(() => {
    pool = makeSandboxPool({ size: 2, command });
    return pool.warm();
  });
  afterAll(() => pool.close());
  const limitOf = async (source: string, limits: ScriptOptions["limits"] = {}) =>
    (await runScript(source, { pool, limits })).diagnostics.map(({ code, message }) => [code, message]);

  test.each(Object.entries(ATTACKS))("nothing gets out by %s", { timeout: 300_000 }, async (_theme, attacks) => {
    for (const attack of attacks) expect([attack.name, await outcomeOf(attack, { pool })]).toEqual([attack.name, HELD]);
  });

  test("calls, logs, errors and large values are as they are in a process", async () => {
    const call = 'await globalThis.__codemode_call__("server", "echo", JSON.stringify({ text: "x".repeat(300_000) }))';
    expect(await resultOf(`globalThis.__codemode_result__ = (${call}).length;`, { pool })).toBeGreaterThan(300_000);
    const failed = await runScript('console.log("before");\nthrow new TypeError("no");', { pool });
    expect(failed.logs).toMatchObject([{ message: "before" }]);
    expect(failed.diagnostics).toMatchObject([{ code: "UNCAUGHT_EXCEPTION", path: "script.ts:2:7" }]);
  });

  test("an endless loop, a full heap and buffers outside of it end at their limits, with their logs", async () => {
    const loop = await runScript('console.log("in"); for (;;);', { pool, limits: { timeoutMs: 1500 } });
    expect(loop.logs).toMatchObject([{ message: "in" }]);
    expect(loop.diagnostics[0]?.message).toContain("timeoutMs");
    const memory = [["SANDBOX_LIMIT", expect.stringContaining("maxMemoryBytes")]];
    expect(await limitOf("const kept = []; for (;;) kept.push(new Array(1000).fill({}));")).toEqual(memory);
    const buffers = "const kept = []; for (;;) { kept.push(new Uint8Array(4e6).fill(1)); await undefined; }";
    expect(await limitOf(buffers)).toEqual(memory);
  });

  test("processes that serve again do so under it too", async () => {
    const reusing = makeSandboxPool({ command, reuse: { times: 10, renew: "compartment" }, refill: false });
    try {
      for (let run = 1; run <= 3; run += 1) {
        const options = { pool: reusing, trustDomain: "one" };
        expect(await resultOf(`globalThis.__codemode_result__ = ${run};`, options)).toBe(run);
      }
    } finally {
      await reusing.close();
    }
  });

  test("nothing is left when the pool is closed", async () => {
    const own = makeSandboxPool({ size: 2, command });
    await own.warm();
    const running = runScript("for (;;);", { pool: own });
    // sleeps: until the sandbox is at work
    await new Promise((resolve) => setTimeout(resolve, 300));
    await own.close();
    expect((await running).diagnostics[0]?.code).toBe("RUN_CANCELLED");
  });
});

test("no process and no folder of a command is left", async () => {
  // sleeps: until the system has ended what was killed
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const left = execFileSync("ps", ["-eo", "ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.trim().startsWith(`${process.pid} `) && /runsc|bwrap/.test(line));
  expect(left).toEqual([]);
  expect(listFolders().filter((name) => !FOLDERS_BEFORE.includes(name))).toEqual([]);
});

/** The folders of `runsc do`, also if other programs of this machine have left them. */
function listFolders(): string[] {
  const folders = new Set(["/tmp", tmpdir()].filter(existsSync));
  return [...folders].flatMap((folder) => readdirSync(folder)).filter((name) => name.startsWith("runsc-do"));
}
