import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readDataBytes, readResidentBytes } from "../../../runtime/sandbox/pool/process-memory.ts";
import { testOnLinux } from "../../platforms/needs.ts";

describe("the memory of a process", () => {
  testOnLinux("/proc")("is what the kernel says in its longer account", () => {
    const [resident, data] = [statusOf("VmRSS"), statusOf("VmData")];
    expect(readResidentBytes(process.pid) / resident).toBeCloseTo(1, 1);
    expect((readDataBytes(process.pid) ?? 0) / data).toBeCloseTo(1, 1);
  });

  testOnLinux("/proc")("is none when the process is gone", async () => {
    const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    await new Promise((resolve) => child.once("close", resolve));
    expect([readResidentBytes(child.pid as number), readDataBytes(child.pid as number)]).toEqual([0, undefined]);
  });
});

test("without /proc the memory of a process is none", async () => {
  vi.resetModules();
  vi.doMock("node:fs", () => ({
    readFileSync() {
      throw new Error("ENOENT");
    },
  }));
  onTestFinished(() => vi.doUnmock("node:fs"));
  const without = await import("../../../runtime/sandbox/pool/process-memory.ts");
  expect([without.readResidentBytes(process.pid), without.readDataBytes(process.pid)]).toEqual([0, undefined]);
});

function statusOf(field: string): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
}
