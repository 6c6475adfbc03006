import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

const TESTS = join(import.meta.dirname, "..");
const CITATION = /\[((?:\d+)(?:\.\d+)*\/[a-z-]+)\]/g;
const citations = new Set(
  readdirSync(TESTS, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules") && !file.endsWith("coverage.test.ts"))
    .flatMap((file) => readFileSync(join(TESTS, file), "utf8").split("\n"))
    .filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line)) // What stands in a comment tests nothing.
    .flatMap((line) => [...line.matchAll(CITATION)].map(([, key]) => key as string)),
);

test("every MUST is cited by a test", () => {
  expect(Object.keys(REQUIREMENTS).filter((key) => !citations.has(key))).toEqual([]);
});

test("every citation is of a MUST that is in the table", () => {
  expect([...citations].filter((key) => !Object.hasOwn(REQUIREMENTS, key))).toEqual([]);
});

test("every key begins with its section", () => {
  expect(Object.entries(REQUIREMENTS).filter(([key, { section }]) => !key.startsWith(`${section}/`))).toEqual([]);
});
