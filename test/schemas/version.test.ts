import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../../schemas/version.ts";

test("the command, the package and its runtime have one version", () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
  expect(read("package.json")).toMatchObject({ version: VERSION, dependencies: { "@codemode/runtime": VERSION } });
  expect(read("runtime/bindings/package.json")).toMatchObject({ version: VERSION });
});
