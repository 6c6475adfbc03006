import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readCodeFacts } from "./code-facts.ts";
import { findFigures } from "./figures/find-figures.ts";
import { MEASURED, PRINTED } from "./figures/measured.ts";
import { type Source, SOURCES } from "./figures/sources.ts";
import { valueOfConstant, valueOfFigure } from "./figures/value-of-figure.ts";
import { listKeys } from "./print-reference.ts";
import { readPages } from "./read-pages.ts";

const { configSchema } = readCodeFacts();

/** Decisions and the changelog keep the figures that they were written with. */
const pages = [...readPages()].filter(([path]) => !path.startsWith("docs/decisions/") && path !== "CHANGELOG.md");
const figures = pages.flatMap(([page, { text }]) => findFigures(text).map((figure) => ({ page, ...figure })));

const others = figures.filter(({ page, text }) => PRINTED[page] === undefined && SOURCES[page]?.[text] === undefined);
const textsOf = (place: { page: string; section: string }): string[] =>
  others.filter(({ page, section }) => page === place.page && section === place.section).map(({ text }) => text);

test("every figure is quoted from a benchmark, is a setting's, or is in a section that says who measured it", () => {
  const places = new Set(MEASURED.map(({ page, section }) => `${page}#${section}`));
  const unknown = others.filter(({ page, section }) => !places.has(`${page}#${section}`));
  expect(unknown.map(({ page, line, section, text }) => `${page}:${line}#${section}: ${text}`)).toEqual([]);
});

// After a new measurement `npx vitest run test/docs/figures -u` writes the file: read the difference.
test("bench/figures.json keeps the measured figures with their program", async () => {
  expect(MEASURED.filter(({ by, how }) => (by === undefined ? how === undefined : !existsSync(by)))).toEqual([]);
  const kept = MEASURED.map((place) => ({ ...place, figures: textsOf(place) }));
  expect(kept.filter(({ figures: texts }) => texts.length === 0)).toEqual([]);
  await expect(`${JSON.stringify(kept, null, 2)}\n`).toMatchFileSnapshot(resolve("bench/figures.json"));
});

test("a page that is printed whole is compared by the test that is named", () => {
  const missing = Object.entries(PRINTED).filter(([page, file]) => !readFileSync(file, "utf8").includes(`"${page}"`));
  expect(missing).toEqual([]);
});

test("figures of settings are those of the code", () => {
  const wrong = Object.entries(SOURCES).flatMap(([page, sources]) =>
    Object.entries(sources)
      .filter(([figure, source]) => !holds(figure, source))
      .map(([figure]) => `${page}: ${figure}`),
  );
  expect(wrong).toEqual([]);
  const used = new Set(figures.map(({ page, text }) => `${page}: ${text}`));
  const named = Object.entries(SOURCES).flatMap(([page, sources]) =>
    Object.keys(sources).map((text) => `${page}: ${text}`),
  );
  expect(named.filter((name) => !used.has(name))).toEqual([]);
});

function holds(figure: string, source: Source): boolean {
  if ("reason" in source) return true;
  if ("key" in source) return valueOfFigure(figure) === defaultOf(source.key);
  const text = readFileSync(source.file, "utf8");
  if ("words" in source) return text.includes(source.words);
  return valueOfFigure(figure) === valueOfConstant(text, source.constant);
}

function defaultOf(key: string): unknown {
  const [name = ""] = key.split(".");
  const node = configSchema.properties?.[name];
  if (node === undefined) return undefined;
  return listKeys(name, node, configSchema).find(({ path }) => path === key)?.node.default;
}

test("a figure is found in a sentence, in a cell, and in a column whose head names the unit; not in code or a quote", () => {
  const page = [
    "## A `part` of it",
    "It takes 1,200 ms, at most 64 MiB, `5 s`, and <!-- bench: a.b.ms -->12<!-- /bench --> ms.",
    "| what | median ms | size |",
    "| --- | ---: | --- |",
    "| one | 3.5 | 8 kB |",
    "```sh",
    "sleep 9 s",
    "```",
  ].join("\n");
  expect(findFigures(page).map(({ line, section, text }) => [line, section, text])).toEqual([
    [2, "a-part-of-it", "1,200 ms"],
    [2, "a-part-of-it", "64 MiB"],
    [5, "a-part-of-it", "8 kB"],
    [5, "a-part-of-it", "3.5 ms"],
  ]);
});

test("a figure and a constant have one value in the same unit", () => {
  expect(valueOfFigure("64 MiB")).toBe(valueOfConstant("const MAX_BYTES = 64 * 1024 * 1024;", "MAX_BYTES"));
  expect(valueOfFigure("10 minutes")).toBe(valueOfConstant("const APPROVAL_SECONDS = 600;", "APPROVAL_SECONDS"));
  expect(valueOfFigure("1.5 s")).toBe(valueOfConstant("x: 1_500,\n", "x"));
  expect(valueOfFigure("1.5 s")).not.toBe(valueOfConstant("x: 1_501,\n", "x"));
});
