import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toEnding } from "../../../runtime/sandbox/pool/execute-run.ts";
import { countMemoryKills } from "../../../runtime/sandbox/pool/sandbox-process.ts";
import type { SandboxPool } from "../../../runtime/sandbox/pool/pool.ts";
import type { SandboxEnd } from "../../../runtime/sandbox/pool/sandbox-engine.ts";
import { DIAGNOSTIC_CODES } from "../../../schemas/run/answer.ts";
import { openPool } from "../realm/open-pool.ts";
import { runScript } from "../realm/run-script.ts";
import { testOnLinux } from "../../platforms/needs.ts";

const pool = openPool({ size: 1 });

const killed: SandboxEnd = {
  exitCode: null,
  signal: "SIGKILL",
  isOutOfMemory: false,
  wasKilled: false,
  isMemoryShort: true,
};

test("a process that the kernel took while memory was short is no fault of the script", () => {
  expect(toEnding(killed)).toEqual({ kind: "host-memory" });
  expect(toEnding({ ...killed, isMemoryShort: undefined }), "a kernel that does not count").toEqual({
    kind: "host-memory",
  });
  expect(DIAGNOSTIC_CODES.HOST_MEMORY).toBe("retry");
});

test("V8's own last words, and a signal that is not SIGKILL, are the script's limit", () => {
  const limit = { kind: "limit", limit: "maxMemoryBytes" };
  expect(toEnding({ ...killed, isOutOfMemory: true })).toEqual(limit);
  expect(toEnding({ ...killed, signal: "SIGTRAP", isMemoryShort: false })).toEqual(limit);
  expect(toEnding({ ...killed, signal: "SIGXCPU" })).toEqual({ kind: "limit", limit: "timeoutMs" });
});

testOnLinux("/proc")("the kernel ends a sandbox long before the host", async () => {
  const sandbox = await pool.take(undefined);
  const adjustment = (pid: number) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
  expect(adjustment(sandbox.pid)).toBe(Math.min(adjustment(process.pid) + 500, 1000));
  sandbox.kill();
});

testOnLinux("/proc")("a SIGKILL from outside is neither", async () => {
  expect(countMemoryKills()).toBeTypeOf("number");
  let pid = 0;
  const watched: SandboxPool = {
    ...pool,
    take: async (domain) => {
      const sandbox = await pool.take(domain);
      pid = sandbox.pid;
      return sandbox;
    },
  };
  const onLog = (): void => void process.kill(pid, "SIGKILL");
  const answer = await runScript('console.log("here"); await new Promise((r) => setTimeout(r, 60_000));', {
    pool: watched,
    onLog,
  });
  expect(answer.diagnostics).toMatchObject([
    { code: "SANDBOX_FAILURE", message: expect.stringContaining("killed from outside") },
  ]);
});
