import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "oxc-transform";
import { expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";

/** The programs of a page, without their types. */
async function programsOf(page: string): Promise<string[]> {
  const text = await readFile(page, "utf8");
  const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  return blocks.map((block) => transformSync("program.ts", block).code);
}

/** Runs a program where `codemode` is installed, on this Node: the oldest that is supported. */
async function run(program: string): Promise<string[]> {
  const folder = await makeTestFolder();
  await mkdir(join(folder, "node_modules"));
  await symlink(resolve("."), join(folder, "node_modules/codemode"));
  await writeFile(join(folder, "program.mjs"), program);
  const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: folder });
  return stdout.trimEnd().split("\n");
}

test("the programs of docs/own-tools.md run on this Node, and print what they say", async () => {
  const printed = await Promise.all((await programsOf("docs/own-tools.md")).map(run));
  expect(printed).toEqual([["1"], ["started", "log", "progress", "ended", "[ 'shop/order' ] 4"]]);
});

test("a program of a page needs no newer Node than codemode does", async () => {
  for (const page of ["docs/own-tools.md", "docs/library.md"])
    expect((await programsOf(page)).filter((program) => program.includes("await using"))).toEqual([]);
});
