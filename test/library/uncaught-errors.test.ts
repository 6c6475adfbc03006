import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";

// Node prints the line of source that an uncaught error was thrown in, and blanks up to its place in it.

const LIBRARY = pathToFileURL(resolve("dist/program/library.js")).href;

/** What a program prints as it ends with an error that it does not catch. */
async function endOf(code: string): Promise<string> {
  const cwd = await makeTestFolder();
  const program = `import { codeMode, openProject } from ${JSON.stringify(LIBRARY)};\n${code}`;
  return new Promise((done) => {
    execFile(process.execPath, ["--input-type=module", "-e", program], { cwd }, (_error, _stdout, stderr) =>
      done(stderr),
    );
  });
}

test.each([
  ["openProject in a folder without a configuration", "await openProject();", "No configuration found"],
  ["a tool without a function", "await codeMode({ shop: { list: {} } });", "it has no function `execute`"],
  ["an option that is misspelt", "await codeMode({}, { aprove: true });", "aprove"],
])("an error that a program does not catch shows one short line of source: %s", async (_title, code, message) => {
  const printed = await endOf(code);
  expect(printed).toContain(message);
  expect(printed).toContain("hint: ");
  const [place, source = "", caret = ""] = printed.trimStart().split("\n");
  expect(place).toMatch(/\.cjs:\d+$/);
  expect(source.length + caret.length).toBeLessThan(1000);
  expect(printed.length).toBeLessThan(3000);
});

test("no program that is started has a long line that makes an error", async () => {
  const folder = resolve("dist/program");
  const files = (await readdir(folder)).filter((file) => /\.c?js$/.test(file));
  const lines = await Promise.all(files.map(async (file) => (await readFile(join(folder, file), "utf8")).split("\n")));
  const long = lines.flat().filter((line) => line.length > 1000 && /\bthrow new\b|\bnew [\w$.]*Error\(/.test(line));
  expect(long.map((line) => line.slice(0, 100))).toEqual([]);
});
