import { expect, test } from "vitest";
// @ts-expect-error -- the benchmarks are JavaScript
import { interleave, isSettled } from "../../bench/suite/measure.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { printFloors } from "../../bench/suite/print-floors.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { printResults } from "../../bench/suite/print-results.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { makeProgress } from "../../bench/suite/progress.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { findSlope } from "../../bench/suite/slope.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { listFigures, makeComparison, makeTable } from "../../bench/suite/tables.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { evaluateTargets } from "../../bench/suite/targets.js";

interface Verdict {
  title: string;
  measured: number | undefined;
  cpu: number | undefined;
  isMet: boolean | undefined;
}

function verdictOn(title: string, figures: Record<string, number>): Verdict | undefined {
  const values = new Map(Object.entries(figures).map(([id, value]) => [id, { value }]));
  return (evaluateTargets(values) as Verdict[]).find((target) => target.title === title);
}

test("what each further call costs is a slope: the start of a run is not in it", () => {
  const points = [1, 10, 100].map((calls) => [calls, 7 + 0.5 * calls]);
  expect(findSlope(points)).toBeCloseTo(0.5, 10);
  expect(findSlope([[1, 7.5]])).toBeUndefined();
  expect(findSlope([points[0], [10, undefined], points[2]])).toBeCloseTo(0.5, 10);
});

/** Figures of hot runs with one call and with 100: what a run takes, and what each call takes. */
function furtherCalls(slug: string, runMs: number, callMs: number): Record<string, number> {
  const calls = { seen: 1, turn100: 100 };
  return Object.fromEntries(
    Object.entries(calls).map(([table, count]) => [`hot.${table}.${slug}`, runMs + callMs * count]),
  );
}

test("a target of further calls compares the slope with the floor's of the same level, in time and in processor time", () => {
  const figures = {
    ...furtherCalls("codemode-library-compartment.ms", 50, 0.3),
    ...furtherCalls("codemode-library-compartment.cpuMs", 20, 0.8),
    ...furtherCalls("floor-compartment.ms", 1, 0.2),
    ...furtherCalls("floor-compartment.cpuMs", 1, 0.2),
    ...furtherCalls("floor-realm.ms", 1, 9),
  };
  const verdict = verdictOn("compartment, library: each further call, hot, against the floor", figures);
  expect(verdict?.measured).toBeCloseTo(1.5, 5);
  expect(verdict?.cpu).toBeCloseTo(4, 5);
  expect(verdict?.isMet).toBe(false);
});

test("a target says whether it is met, and whether it was measured", () => {
  const id = "throughput.call.codemode-serve-realm.perSecond";
  const title = "realm, serve: runs a second with one call";
  expect(verdictOn(title, { [id]: 200 })?.isMet).toBe(true);
  expect(verdictOn(title, { [id]: 199 })?.isMet).toBe(false);
  expect(verdictOn(title, {})?.isMet).toBeUndefined();
  const seen = "process, library: seen script against Executor";
  const figures = { "warm.seen.codemode-library-process.ms": 6, "warm.seen.executor-quickjs.ms": 5 };
  expect(verdictOn(seen, figures)).toMatchObject({ measured: 1.2, isMet: false });
  expect(verdictOn(seen, { "warm.seen.codemode-library-process.ms": 6 })?.isMet).toBeUndefined();
});

test("what `serve` adds to the library is a difference, and more runs a second than another program are a ratio", () => {
  const difference = "compartment: seen script, `serve` minus library";
  const times = { "warm.seen.codemode-serve-compartment.ms": 4.5, "warm.seen.codemode-library-compartment.ms": 3 };
  expect(verdictOn(difference, times)).toMatchObject({ measured: 1.5, isMet: false });
  const rate = "compartment, library: runs a second with one call against Executor";
  const rates = {
    "throughput.call.codemode-library-compartment.perSecond": 1400,
    "throughput.call.executor-quickjs.perSecond": 1000,
  };
  expect(verdictOn(rate, rates)).toMatchObject({ measured: 1.4, isMet: true });
});

test("the table of floors has each level as a multiple of its own floor, and says where there is none", () => {
  const row = (name: string, ms: number): object => ({
    name,
    values: { ms: { value: ms }, cpuMs: { value: 2 * ms } },
  });
  const columns = ["ms", "cpuMs"].map((key) => ({ key, unit: "ms" }));
  const rows = [
    ...[row("floor, realm", 2), row("codemode serve, realm", 5)],
    ...[row("floor, compartment", 1), row("codemode library, compartment", 3)],
  ];
  const sections = [{ tables: [{ id: "warm.seen", columns, rows }] }];
  const table: string = printFloors({ sections });
  expect(table).toContain(
    "| time / CPU, in floors | process, library | process, serve | realm, library | realm, serve |",
  );
  expect(table).toContain("| run with one call, after pauses |  |  |  | 2.50 / 2.50 | 3.00 / 3.00 |  |");
  expect(printFloors({ sections: [] })).toBe("No run of the benchmarks has measured the floors yet.");
});

test("contenders take turns; one that fails is named, and its meter counts what it does between its turns", async () => {
  const order: string[] = [];
  let used = 0;
  const contenders = new Map<string, (round: number) => unknown>([
    ["one", (round) => (order.push(`one ${round}`), { ms: 5 + (round % 2) * 10 })],
    ["two", (round) => (order.push(`two ${round}`), (used += 3), { ms: 1 + (round % 2) })],
    [
      "broken",
      () => {
        throw new Error("no server\nat x");
      },
    ],
  ]);
  const meters = new Map([["two", () => used]]);
  const outcomes = await interleave(contenders, { rounds: 4, warmUps: 1, meters, seldom: ["one"] });
  expect(order).toEqual(["one -1", "two -1", "one 0", "two 0", "two 1", "one 2", "two 2", "two 3"]);
  expect(outcomes.get("two")).toEqual({ ms: { value: 2, low: 1, high: 2, samples: 4 }, cpuMs: { value: 3 } });
  expect(outcomes.get("one")).toEqual({ ms: { value: 5, low: 5, high: 5, samples: 2 }, cpuMs: undefined });
  expect(outcomes.get("broken")).toEqual({ error: "no server" });
});

test("a contender whose quartiles are close is done after half of its samples", () => {
  expect(isSettled([10, 10.1, 10.2], 4)).toBe(false);
  expect(isSettled([10, 10.1, 10.2, 10.1], 4)).toBe(true);
  expect(isSettled([10, 11, 12, 13], 4)).toBe(false);
});

test("a figure has the id of its table, row and column; a row that failed has none, and is printed with the reason", () => {
  const outcomes = new Map<string, unknown>([
    ["codemode library, realm", { ms: { value: 5, low: 4, high: 6, samples: 20 }, cpuMs: { value: 9 } }],
    ["UTCP, isolated-vm", { error: "it ended: a|b" }],
  ]);
  const columns = [{ key: "pss", head: "proportional", unit: "MB" }];
  const tables = [
    makeComparison("warm.seen", "Seen script", outcomes),
    makeTable("memory.rest", "At rest", columns, [{ name: "host", values: { pss: 43 } }]),
  ];
  const sections = [
    { title: "Warm runs", tables },
    { title: "Growth", error: "it failed", tables: [] },
  ];
  const results = { date: "2026-01-01", commit: "abc", machine: "M", minutes: 1, isQuick: false, sections };
  expect([...listFigures(results)]).toEqual([
    ["warm.seen.codemode-library-realm.ms", { value: 5, low: 4, high: 6, samples: 20, unit: "ms" }],
    ["warm.seen.codemode-library-realm.cpuMs", { value: 9, unit: "ms" }],
    ["memory.rest.host.pss", { value: 43, unit: "MB" }],
  ]);
  const page: string = printResults(results);
  expect(page).toContain("|  | median ms | p25–p75 | ratio | CPU ms | ratio | samples |");
  expect(page).toContain("| codemode library, realm | 5.00 | 4.00–6.00 | 1.00 × | 9.00 | 1.00 × | 20 |");
  expect(page).toContain("| UTCP, isolated-vm | left out | it ended: a\\|b |  |  |  |  |");
  expect(page).toContain("## Growth\n\nNot measured: it failed");
});

test("the time left follows the pace so far", () => {
  let minutes = 0;
  const parts = [
    { name: "first", minutes: 2 },
    { name: "second", minutes: 3 },
  ];
  const progress = makeProgress(parts, 1, () => minutes * 60_000);
  expect(progress.describe("first")).toBe("1 of 2: first … 0 s gone, about 5.0 min left");
  minutes = 4;
  expect(progress.describe("second")).toBe("2 of 2: second … 4.0 min gone, about 6.0 min left");
});
