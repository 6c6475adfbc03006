import { expect, test } from "vitest";
import type { ToolTraceEntry } from "../../../schemas/run/answer.ts";
import { sumTrace } from "../../../serve/make-view.ts";

const call = (toolName: string, error?: string): ToolTraceEntry => ({
  ...{ serverId: "files", toolName, durationMs: 3, ok: error === undefined },
  ...(error !== undefined && { error }),
});
const calls = (count: number, toolName: string, error?: string) =>
  Array.from({ length: count }, () => call(toolName, error));

test("up to 20 calls are shown one by one, and more as totals with the failures first", () => {
  const few = [...calls(19, "read"), call("write", "denied")];
  expect(sumTrace(few, "auto")).toEqual(few);
  const many = [...calls(398, "read"), call("read", "denied"), ...calls(2, "write")];
  expect(sumTrace(many, "auto")).toEqual([
    { serverId: "files", toolName: "read", durationMs: 3, ok: false, error: "denied" },
    { serverId: "files", toolName: "read", durationMs: 1194, ok: true, calls: 398 },
    { serverId: "files", toolName: "write", durationMs: 6, ok: true, calls: 2 },
  ]);
});

test("the configuration can ask for calls, totals or nothing", () => {
  const many = calls(30, "read");
  expect(sumTrace(many, "calls")).toEqual(many);
  expect(sumTrace(many.slice(0, 2), "totals")).toEqual([{ ...call("read"), durationMs: 6, calls: 2 }]);
  expect(sumTrace(many, "none")).toEqual([]);
});

test("no run has more than 20 entries, however many tools it calls", () => {
  const tools = Array.from({ length: 100 }, (_, index) => call(`tool-${index}`));
  const summed = sumTrace([...tools, ...calls(5, "tool-99")], "auto");
  expect(summed).toHaveLength(20);
  expect(summed[0]).toEqual({ ...call("tool-99"), durationMs: 18, calls: 6 });
  expect(summed.at(-1)).toEqual({ serverId: "*", toolName: "*", durationMs: 243, ok: true, calls: 81 });
  const failing = sumTrace(
    tools.map(({ toolName }) => call(toolName, "denied")),
    "auto",
  );
  expect(failing.at(-1)).toMatchObject({ toolName: "*", ok: false, calls: 81, error: "81 of them failed" });
});
