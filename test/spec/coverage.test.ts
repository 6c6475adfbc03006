import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error -- scripts are JavaScript
import { formatMarkdown } from "../../scripts/readme/format-markdown.js";
import { readCitations } from "./citations.ts";
import { REQUIREMENTS } from "./requirements.ts";

const PAGE = join(import.meta.dirname, "..", "..", "docs", "specification.md");
const citations = readCitations();

/** The tests that talk to `codemode serve`. */
const isThroughWire = (file: string): boolean => file.startsWith("spec/section");

test("every MUST is cited by a test that goes through the wire", () => {
  expect(Object.keys(REQUIREMENTS).filter((key) => citations.get(key)?.some(isThroughWire) !== true)).toEqual([]);
});

test("every citation is of a MUST that is in the table", () => {
  expect([...citations.keys()].filter((key) => !Object.hasOwn(REQUIREMENTS, key))).toEqual([]);
});

// `npx vitest run test/spec/coverage -u` brings the page up to date.
test("docs/specification.md shows every MUST with the tests of today", async () => {
  const page = await readFile(PAGE, "utf8");
  const [head = "", rest = ""] = page.split(/(?<=<!-- requirements -->\n)/);
  const [, tail = ""] = rest.split(/(?=<!-- end of requirements -->)/);
  const renewed = await formatMarkdown(`${head}\n${printTable()}\n${tail}`);
  await expect(renewed).toMatchFileSnapshot(PAGE);
});

function printTable(): string {
  const rows = Object.entries(REQUIREMENTS).map(([key, text]) => {
    const [section] = key.split("/");
    const others = (citations.get(key) ?? []).filter((file) => !isThroughWire(file));
    const tests = others.map((file) => file.replace(/\.test\.ts$/, "").replace(/^spec\//, ""));
    return `| ${section} | ${text} | ${tests.join(", ")} |`;
  });
  return ["| section | requirement | other tests |", "| --- | --- | --- |", ...rows].join("\n");
}
