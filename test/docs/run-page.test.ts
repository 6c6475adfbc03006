import { expect, test } from "vitest";
import { runPage } from "./run-page.ts";

const FENCE = "```";

/** A page of blocks: info string and text of each. */
const pageOf = (...blocks: [string, string][]): string =>
  blocks.map(([info, text]) => `${FENCE}${info}\n${text}\n${FENCE}\n`).join("\n");

test("a page is followed in one shell, with files and the built command", async () => {
  const page = pageOf(
    ["console", "$ mkdir project && cd project\n$ codemode --version\ncodemode/... node-v...\n$ export WORD=hi"],
    ["text title=notes/today.txt", "one\ntwo\nthree"],
    ["console", '$ cat notes/today.txt\none\n...\nthree\n$ echo \\\n  "$WORD"\nhi'],
    ["console", "$ codemode run nothing.ts\nerror: ...\nhint: ...\n$ echo $?\n2"],
    ["console fails", "$ codemode run nothing.ts\n..."],
    ["sh", "test -f notes/today.txt"],
  );
  const skipped = `<!-- not run: there is no such program -->\n\n${pageOf(["sh", "no-such-program"])}`;
  expect(await runPage(`${page}\n${skipped}`)).toEqual([]);
});

test("npm and npx are at hand without a network", async () => {
  const page = pageOf(
    [
      "console",
      "$ npm init -y\n...\n$ npm install --save-dev @modelcontextprotocol/server-memory@2026.8.31\n\nadded 1 package in ...",
    ],
    ["console", "$ ls node_modules/@modelcontextprotocol\nserver-memory\n$ npx codemode --version\ncodemode/..."],
    [
      "console fails",
      "$ npm install no-such-package\nno-such-package is not installed in this repository, and the network is not used",
    ],
  );
  expect(await runPage(page)).toEqual([]);
});

test("a page that shows other output is reported by line", async () => {
  const page = pageOf(
    ["console", "$ echo one\ntwo\n$ echo one; echo two\none\n$ echo one\none\ntwo\n$ codemode lock --chek\n..."],
    ["console", "$ codemode search\n"],
    ["console fails", "$ true"],
    ["sh", "codemode nothing"],
  );
  const found = await runPage(page);
  expect(found.map(({ line, problem }) => [line, problem.split("\n")[0]])).toEqual([
    [2, 'nothing fits the line "two". Printed:'],
    [4, "more was printed than is shown. Printed:"],
    [6, 'nothing fits the line "two". Printed:'],
    [9, "it ended with 2. Printed:"],
    [14, "it ended with 2. Printed:"],
    [19, "it ended with 0, although the block says that it fails"],
    [23, "it ended with 2. Printed:"],
  ]);
});

test("a command that never ends is ended and named, like what a page leaves running", async () => {
  expect(await runPage(pageOf(["console", "$ sleep 60 &\n$ echo on\non"]))).toEqual([]);
  const endless = pageOf(["console", "$ echo one\none\n$ sleep 0.7\n$ sleep 60\n$ echo two\ntwo"]);
  const found = await runPage(endless, { stepTimeoutMs: 1000 });
  expect(found).toMatchObject([{ line: 5, command: "sleep 60", problem: expect.stringContaining("did not end") }]);
});
