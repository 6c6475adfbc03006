import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findGaps, placesOf, printExport } from "./print-library.ts";
import { readLibrary } from "./read-library.ts";
import { checkRegions, renewPage } from "./regions.ts";

const PAGE = "docs/library.md";
const library = readLibrary();

// `npm run docs` brings the page up to date.
test("docs/library.md says what the declarations and docstrings say", async () => {
  const text = await readFile(PAGE, "utf8");
  expect(checkRegions(text, placesOf(library))).toEqual([]);
  await expect(await renewPage(text, (name) => printExport(name, library))).toMatchFileSnapshot(resolve(PAGE));
});

test("every export and member has a docstring, and every function an example", () => {
  expect(findGaps(library)).toEqual([]);
});
