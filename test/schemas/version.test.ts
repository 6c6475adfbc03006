import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION as OPENAPI_VERSION } from "../../openapi/version.ts";
import { VERSION } from "../../schemas/version.ts";

test("the command, the package, its runtime and the server of APIs have one version", () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));
  expect(read("package.json")).toMatchObject({ version: VERSION, dependencies: { "@codemode/runtime": VERSION } });
  expect(read("runtime/bindings/package.json")).toMatchObject({ version: VERSION });
  expect(read("openapi/package.json")).toMatchObject({ version: VERSION });
  expect(OPENAPI_VERSION).toBe(VERSION);
});
