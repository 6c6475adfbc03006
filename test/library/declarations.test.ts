import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { expect, test } from "vitest";

// A change of the public API is seen in the golden file; `npx vitest run test/library -u` renews the file.
test("the published declarations are the reviewed ones", async () => {
  const declarations = await readFile("dist/codemode.d.ts", "utf8");
  await expect(declarations).toMatchFileSnapshot(resolve("test/golden/codemode.d.ts"));
});

test("the declarations import nothing: a user needs no other package for them", async () => {
  const declarations = await readFile("dist/codemode.d.ts", "utf8");
  expect(declarations.match(/^import .*|\bimport\(.*|^\/\/\/ .*|\bNodeJS\..*|\bBuffer\b.*/gm)).toEqual([
    '/// <reference lib="esnext.disposable" />',
  ]);
});
