import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";

async function writeSuite(): Promise<string> {
  const folder = await makeTestFolder();
  for (const part of ["test/language", "test/built-ins", "harness"])
    await mkdir(join(folder, part), { recursive: true });
  for (const file of ["assert.js", "sta.js"]) await writeFile(join(folder, "harness", file), "");
  for (let number = 0; number < 40; number += 1)
    await writeFile(join(folder, "test/language", `${number}.js`), "/*---\ndescription: one\n---*/\n1;\n");
  return folder;
}

const { listTests } = (await import("./list-tests.mjs" as string)) as {
  listTests: (folder: string, seed: string) => Iterable<{ path: string }>;
};
const samplesOf = (folder: string, seed: string): string[] => Array.from(listTests(folder, seed), ({ path }) => path);

test("a seed gives one order of all tests, and another seed another", async () => {
  const folder = await writeSuite();
  const [one, same, other] = [samplesOf(folder, "1"), samplesOf(folder, "1"), samplesOf(folder, "2")];
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
  expect(other.toSorted()).toEqual(one.toSorted());
  expect(one).toHaveLength(40);
});
