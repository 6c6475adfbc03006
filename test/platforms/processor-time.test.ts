import { expect, test } from "vitest";
import { parseCpuTime, readProcessorTime } from "../../engine/process/answering-process.ts";
import { testOnPosix } from "./needs.ts";

test.each([
  ["  0:01.50", 1_500],
  ["3:04", 184_000],
  ["2:03:04", 7_384_000],
  ["1-00:00:01", 86_401_000],
  ["", undefined],
])("`ps` prints %j: %s ms", (text, time) => {
  expect(parseCpuTime(text)).toBe(time);
});

testOnPosix("Windows does not say it")("the processor time of a process grows with its work", () => {
  const before = readProcessorTime(process.pid) ?? Number.NaN;
  const start = process.cpuUsage();
  while (process.cpuUsage(start).user < 200_000);
  expect(readProcessorTime(process.pid)).toBeGreaterThan(before);
});

test("of no process nothing is known", () => {
  expect(readProcessorTime(undefined)).toBeUndefined();
  expect(readProcessorTime(process.pid, "win32")).toBeUndefined();
});
