import { expect, test } from "vitest";
import { findTooSlow, printTable } from "./report-costs.ts";

const row = (file: string, processorMs: number, project = "fast") => ({
  ...{ file, project, processorMs, wallMs: 2 * processorMs },
  ...{ processes: 3, engines: 1, sleptMs: 50 },
});

test("the slowest files are a table: seconds, processes, engines, and how long its tests sleep", () => {
  expect(printTable([row("a.test.ts", 12_340), row("long/b.test.ts", 900)])).toBe(
    [
      "slowest files   wall s  processor s  processes  engines  slept s",
      "a.test.ts         24.7         12.3          3        1      0.1",
      "long/b.test.ts     1.8          0.9          3        1      0.1",
    ].join("\n"),
  );
});

test("a fast file takes 5 s of processor time at most, and a long one as much as it needs", () => {
  const rows = [
    row("a.test.ts", 5_100),
    row("b.test.ts", 4_900),
    row("c.test.ts", 6_000, "fast-apart"),
    row("d.test.ts", 60_000, "long"),
  ];
  expect(findTooSlow(rows)).toEqual([
    "a.test.ts takes 5.1 s of processor time, and a fast file at most 5.0 s.",
    "c.test.ts takes 6.0 s of processor time, and a fast file at most 5.0 s.",
  ]);
});

test("where the machine is busy, and all files take more, a file may take more too", () => {
  const others = Array.from({ length: 100 }, (_, at) => row(`${at}.test.ts`, 3_000));
  expect(findTooSlow([...others, row("a.test.ts", 19_000)])).toEqual([]);
  expect(findTooSlow([...others, row("a.test.ts", 30_000)])).toHaveLength(1);
});
