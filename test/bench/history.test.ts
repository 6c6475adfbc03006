import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
// @ts-expect-error -- the benchmarks are JavaScript
import { addEntries, formatHistory, parseHistory, toEntries } from "../../bench/suite/history.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { printHistory } from "../../bench/suite/print-history.js";
// @ts-expect-error -- the benchmarks are JavaScript
import { printResults } from "../../bench/suite/print-results.js";
// @ts-expect-error -- scripts are JavaScript
import { formatMarkdown } from "../../scripts/readme/format-markdown.js";
// @ts-expect-error -- scripts are JavaScript
import { quoteFigures } from "../../scripts/readme/quote-figures.js";

interface Entry {
  date: string;
  commit: string;
  machine: string;
  id: string;
  value: number;
  unit: string;
}

const ID = "warm.seen.codemode-library-process.ms";
const entry = (commit: string, value: number, machine = "M"): Entry => ({
  ...{ date: "2026-01-01", commit, machine, id: ID, value, unit: "ms" },
});

test("each line of the history is a figure at a commit, once", async () => {
  const history: Entry[] = parseHistory(await readFile("bench/history.jsonl", "utf8"));
  expect(history.length).toBeGreaterThan(0);
  for (const one of history) {
    expect(one).toMatchObject({
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ...{ commit: expect.any(String), machine: expect.any(String) },
      ...{ id: expect.any(String), value: expect.any(Number), unit: expect.any(String) },
    });
  }
  expect(new Set(history.map(({ commit, id }) => `${commit} ${id}`)).size).toBe(history.length);
});

test("the figure of the history is what the history gives", async () => {
  const history = parseHistory(await readFile("bench/history.jsonl", "utf8"));
  expect(await readFile("bench/history.svg", "utf8")).toBe(printHistory(history));
});

test("RESULTS.md is what the results of the same run give", async () => {
  const results = JSON.parse(await readFile("bench/results.json", "utf8"));
  expect(await readFile("bench/RESULTS.md", "utf8")).toBe(printResults(results));
});

test("a second run at a commit takes the place of the first one", () => {
  const history = [entry("a", 1), entry("b", 2)];
  expect(addEntries(history, [entry("b", 3)])).toEqual([entry("a", 1), entry("b", 3)]);
  expect(parseHistory(formatHistory(history))).toEqual(history);
});

test("results become a line for each figure, with quartiles where there are samples", () => {
  const rows = [
    { name: "codemode library, process", values: { ms: { value: 1.23456, low: 1, high: 2, samples: 20 } } },
  ];
  const tables = [{ id: "warm.seen", columns: [{ key: "ms", unit: "ms" }], rows }];
  const results = { date: "2026-01-01", commit: "a", machine: "M", sections: [{ tables }] };
  expect(toEntries(results)).toEqual([{ ...entry("a", 1.235), low: 1, high: 2 }]);
});

test("the figure draws the commits of the last machine, in words and colours for all readers", () => {
  const picture: string = printHistory([entry("ancient", 9, "another"), entry("a", 5), entry("b", 0.5)]);
  expect(picture).toMatch(/role="img" aria-labelledby="title description"/);
  expect(picture).toMatch(/<desc id="description">12 small charts [^<]*Seen script, ms, process: 0\.5 at b\./);
  expect(picture).toContain("@media (prefers-color-scheme: dark)");
  expect(picture.match(/<circle/g)).toHaveLength(2);
  expect(picture).not.toContain("ancient");
  expect(picture).toContain("not measured yet");
});

test("a quoted figure is the one of the results, with two digits, and stays as it is in Markdown", async () => {
  const rows = [
    { name: "B", values: { ms: { value: 45.4 }, perSecond: { value: 1166 } } },
    { name: "C", error: "none" },
  ];
  const columns = ["ms", "perSecond"].map((key) => ({ key, unit: "" }));
  const results = { sections: [{ tables: [{ id: "a", columns, rows }] }] };
  const page =
    "It takes <!-- bench: a.b.ms -->7<!-- /bench --> ms, <!-- bench: a.b.perSecond --><!-- /bench --> a second.\n";
  const quoted: string = quoteFigures(page, results);
  expect(quoted).toBe(
    "It takes <!-- bench: a.b.ms -->45<!-- /bench --> ms, <!-- bench: a.b.perSecond -->1,200<!-- /bench --> a second.\n",
  );
  expect(quoteFigures(quoted, results)).toBe(quoted);
  expect(await formatMarkdown(quoted)).toBe(quoted);
  const quote = (id: string): string => `<!-- bench: ${id} -->7<!-- /bench -->`;
  expect(() => quoteFigures(quote("a.b.seconds"), results)).toThrow('The figure "a.b.seconds" is quoted');
  for (const id of ["a.c.ms", "other.b.ms"]) expect(quoteFigures(quote(id), results)).toBe(quote(id));
});
