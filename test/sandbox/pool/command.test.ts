import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listUntrusted } from "../../../runtime/mcp/trust/assert-trusted.ts";
import { signalOfExitCode, listBelow } from "../../../runtime/sandbox/pool/prefixed-process.ts";
import { makeSandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import { toConfig } from "../../../schemas/config/to-config.ts";
import { runScript } from "../realm/run-script.ts";

// A shell that stays, as `runsc do` and `bwrap` do: its process is not Node's.
const STAYING = ["/bin/sh", "-c", '"$@"; exit $?', "sh"];

test("a command starts the sandbox, hears its frames and is killed with all below it", async () => {
  const pool = makeSandboxPool({ command: STAYING });
  onTestFinished(() => pool.close());
  const source = `console.log("in");
    const reply = await globalThis.__codemode_call__("server", "echo", '{"a":1}');
    globalThis.__codemode_result__ = JSON.parse(reply).value;`;
  const answer = await runScript(source, { pool });

  expect(answer).toMatchObject({ result: { a: 1 }, diagnostics: [], logs: [{ message: "in" }] });

  const sandbox = await pool.take();
  const [node] = listBelow(sandbox.pid);
  expect(node).toBeGreaterThan(0);
  expect(sandbox.residentBytes()).toBeGreaterThan(20 * 1024 * 1024);
  sandbox.kill();
  expect((await sandbox.ended).wasKilled).toBe(true);
  expect(() => process.kill(node as number, 0)).toThrow(/ESRCH/);
});

test("a command that is slow to clear up after its sandbox gets the time to", async () => {
  const folder = await mkdtemp(join(tmpdir(), "command-"));
  const program = `
    const [folder, file, ...args] = process.argv.slice(1);
    require("node:child_process").spawnSync(file, args, { stdio: "inherit" });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
    require("node:fs").rmSync(folder, { recursive: true });`;
  const pool = makeSandboxPool({ command: [process.execPath, "-e", program, folder] });
  onTestFinished(() => pool.close());
  const sandbox = await pool.take();
  sandbox.kill();
  await sandbox.ended;
  expect(existsSync(folder)).toBe(false);
});

test("memory beyond the limit is seen below the command, and V8's own end is known by the exit code of the command", async () => {
  const pool = makeSandboxPool({ command: STAYING });
  onTestFinished(() => pool.close());
  const fill = (what: string) =>
    runScript(`const kept = []; for (;;) { kept.push(${what}); await undefined; }`, { pool });
  const [buffers, heap] = await Promise.all([fill("new Uint8Array(4e6).fill(1)"), fill("new Array(1e4).fill({})")]);

  for (const { diagnostics } of [buffers, heap]) expect(diagnostics[0]?.message).toContain("maxMemoryBytes");
  expect([134, 137, 1, null].map(signalOfExitCode)).toEqual(["SIGABRT", "SIGKILL", null, null]);
});

test("a command that is none is one clear error", async () => {
  const pool = makeSandboxPool({ command: ["/no/such/program"] });
  onTestFinished(() => pool.close());

  await expect(pool.take()).rejects.toMatchObject({
    code: "SANDBOX_START",
    hint: expect.stringContaining("sandbox.command"),
  });
});

test("a command of the configuration needs the account's approval, as the programs of servers do", () => {
  const config = toConfig(
    { mcpServers: {}, sandbox: { command: ["bwrap", "--unshare-all"] } },
    "/p/codemode.config.json",
    "/p",
  );

  expect(listUntrusted(config)).toMatchObject([
    { name: "sandbox.command", subject: { transport: "stdio", command: "bwrap", args: ["--unshare-all"] } },
  ]);
});
