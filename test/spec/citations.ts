import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { listFiles } from "../list-files.ts";

const TESTS = join(import.meta.dirname, "..");
const CITATION = /\[(\d+(?:\.\d+)*\/[a-z-]+)\]/g;

/** Which test files cite each MUST, by its key: paths relative to `test/`, sorted. */
export function readCitations(): Map<string, string[]> {
  const citations = new Map<string, string[]>();
  for (const file of testFiles()) {
    for (const key of citationsIn(readFileSync(join(TESTS, file), "utf8"))) {
      citations.set(key, [...(citations.get(key) ?? []), file]);
    }
  }
  return citations;
}

function testFiles(): string[] {
  return listFiles(TESTS)
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => relative(TESTS, file).replaceAll("\\", "/"))
    .toSorted();
}

function citationsIn(text: string): Set<string> {
  const lines = text.split("\n").filter((line) => !/^\s*(?:\/\/|\*|\/\*)/.test(line)); // What stands in a comment tests nothing.
  return new Set(lines.flatMap((line) => [...line.matchAll(CITATION)].map(([, key]) => key as string)));
}
