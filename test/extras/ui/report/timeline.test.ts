import { expect, test } from "vitest";
import { formatBytes, formatDuration } from "../../../../extras/ui/report/format/format-amounts.ts";
import { markup } from "../../../../extras/ui/report/html/markup.ts";
import { addSizes, NOTHING } from "../../../../extras/ui/report/run-report.ts";
import { printSources } from "../../../../extras/ui/report/sections/print-diagnostics.ts";
import { planTimeline, timeTicks } from "../../../../extras/ui/report/timeline/plan-timeline.ts";
import { callAt, HOSTILE, reportOf } from "./reports.ts";

function planOf(...calls: ReturnType<typeof callAt>[]): ReturnType<typeof planTimeline> {
  return planTimeline(reportOf({ calls }));
}

test("calls that follow each other share a lane, and calls at the same time do not", () => {
  const { bands } = planOf(callAt(1, 0, 40), callAt(2, 10, 30), callAt(3, 50, 90));
  const [first, second, third] = bands[0]?.bars ?? [];
  expect(first?.y).toBe(third?.y);
  expect(second?.y).toBeGreaterThan(first?.y ?? Infinity);
});

test("each server has a band, in the order of their first calls", () => {
  const { bands } = planOf(callAt(1, 0, 1, "b"), callAt(2, 1, 2, "a"), callAt(3, 2, 3, "b"));
  expect(bands.map(({ serverId, bars }) => [serverId, bars.length])).toEqual([
    ["b", 2],
    ["a", 1],
  ]);
});

test("bars lie within the plot, and can be seen however short they are", () => {
  const { bands } = planOf(callAt(1, 100, 100), callAt(2, -5, 0), callAt(3, 1e300, Infinity), callAt(4, 20, 10));
  for (const { x, width } of bands[0]?.bars ?? []) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(width).toBeGreaterThan(0.1);
    expect(x + width).toBeLessThanOrEqual(100.001);
  }
});

test("an unfinished call goes on to the end", () => {
  const { endMs: _end, ...open } = callAt(1, 40, 40);
  const [bar] = planOf(open).bands[0]?.bars ?? [];
  expect([bar?.x, bar?.width]).toEqual([40, 60]);
});

test("a thousand calls at once take no more room than a screen", () => {
  const calls = Array.from({ length: 1000 }, (_item, index) => callAt(index + 1, 0, 100));
  expect(planOf(...calls).bands[0]?.height).toBeLessThanOrEqual(480);
});

test.each([
  [1, [0, 1]],
  [7, [0, 2, 4, 6]],
  [95, [0, 20, 40, 60, 80]],
  [30_000, [0, 5000, 10_000, 15_000, 20_000, 25_000, 30_000]],
])("the axis to %d ms has round times", (endMs, expected) => {
  expect(timeTicks(endMs)).toEqual(expected);
});

test("sizes and times are printed as people read them", () => {
  expect([1, 999, 1000, 99_960, 1_250_000].map(formatBytes)).toEqual([
    "1 byte",
    "999 bytes",
    "1.0 kB",
    "100 kB",
    "1.3 MB",
  ]);
  expect([0.4, 999, 1000, 12_340, 125_000].map(formatDuration)).toEqual([
    "0 ms",
    "999 ms",
    "1.00 s",
    "12.3 s",
    "2 min 5 s",
  ]);
});

test("what is put into markup is text, also in attributes", () => {
  const { html } = markup`<p title="${HOSTILE}">${[HOSTILE, markup`<b>${"<"}</b>`]}</p>`;
  expect(html).not.toMatch(/<img|\u202e|" on|' on/);
  expect(html).toContain("<b>&lt;</b></p>");
});

test("of a long source the lines around what is said of it are shown", () => {
  const text = Array.from({ length: 5000 }, (_item, index) => `line ${index + 1};`).join("\n");
  const { html } = printSources({
    sources: [{ name: "script.ts", text }],
    diagnostics: [{ severity: "error", code: "SYNTAX_ERROR", message: "Wrong", path: "script.ts:4000:6" }],
  });
  expect(html).toContain("line <mark>4000</mark>;");
  expect([...html.matchAll(/id="line-/g)]).toHaveLength(750 + 41);
  expect(html).toContain("3\u00a0229 lines left out");
});

test("sizes are added part by part", () => {
  expect(addSizes({ bytes: 5, tokens: 2 }, { bytes: 1, tokens: 7 })).toEqual({ bytes: 6, tokens: 9 });
  expect(addSizes(NOTHING, NOTHING)).toEqual({ bytes: 0, tokens: 0 });
});
