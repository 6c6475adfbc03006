import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";

test("a build links once, and again when a source, the compiler's output or a linked file has changed", async () => {
  const root = await makeTestFolder();
  for (const folder of ["scripts", "dist", "schemas"]) await mkdir(join(root, folder));
  for (const name of ["build-linked.js", "run-at-once.js"]) await cp(`scripts/${name}`, join(root, "scripts", name));
  const idle = Object.fromEntries(
    ["pages", "sandbox", "openapi", "declarations", "bill"].map((name) => [`build:${name}`, "exit 0"]),
  );
  const scripts = { ...idle, "build:program": "node -e \"fs.appendFileSync('dist/program', 'x')\"" };
  await writeFile(join(root, "package.json"), JSON.stringify({ type: "module", scripts }));
  const build = async (): Promise<number> => {
    await promisify(execFile)(process.execPath, [join(root, "scripts/build-linked.js")]);
    return (await readFile(join(root, "dist/program"), "utf8")).length;
  };
  expect([await build(), await build()]).toEqual([1, 1]);
  await writeFile(join(root, "schemas/a.json"), "{}");
  expect(await build()).toBe(2);
  await writeFile(join(root, "dist/tsconfig.tsbuildinfo"), "{}");
  expect(await build()).toBe(3);
  await writeFile(join(root, "dist/program"), "");
  expect([await build(), await build()]).toEqual([1, 1]);
});
