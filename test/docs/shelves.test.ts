import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
// @ts-expect-error -- the site is JavaScript
import { readGroups } from "../../site/list-pages.js";
import { countWords } from "./count-words.ts";

interface Shelf {
  title: string;
  pages: { path: string }[];
}

const shelves: Shelf[] = readGroups(".");

/** How much of it a reader has to face. */
const BUDGETS: { [shelf: string]: { pages: number; words: number } } = {
  Use: { pages: 15, words: 18_000 },
  Operate: { pages: 10, words: Infinity },
};

/** Of all pages in docs/, without the records of decisions. */
const ALL_WORDS = 65_300;

const PAGES = readdirSync("docs").filter((name) => name.endsWith(".md"));
const textOf = (path: string): string => readFileSync(path, "utf8");

test("there are four shelves, and every page of docs/ stands on one of them", () => {
  expect(shelves.map(({ title }) => title)).toEqual(["Use", "Operate", "Reference", "Inside"]);
  const placed = shelves.flatMap(({ pages }) => pages.map(({ path }) => path));
  expect(placed.filter((path, index) => placed.indexOf(path) !== index)).toEqual([]);
  expect(PAGES.filter((name) => name !== "README.md" && !placed.includes(`docs/${name}`))).toEqual([]);
});

test.each(Object.entries(BUDGETS))("the shelf %s is as short as it has to be", (title, budget) => {
  const paths = shelves.find((shelf) => shelf.title === title)?.pages.map(({ path }) => path) ?? [];
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.length).toBeLessThanOrEqual(budget.pages);
  expect(paths.reduce((sum, path) => sum + countWords(textOf(path)), 0)).toBeLessThanOrEqual(budget.words);
});

test("all pages together can be read", () => {
  const counts = PAGES.map((name) => countWords(textOf(`docs/${name}`)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(ALL_WORDS);
});

test("each page begins with what it is for, in a sentence", () => {
  const beginsOtherwise = PAGES.filter((name) => {
    const [, first = ""] = /^# [^\n]+\n\n([\s\S]+?)\n\n/.exec(textOf(`docs/${name}`)) ?? [];
    return !/^[\p{Lu}`"[]/u.test(first) || first.startsWith("```") || !/[.:]/.test(first);
  });
  expect(beginsOtherwise).toEqual([]);
});
