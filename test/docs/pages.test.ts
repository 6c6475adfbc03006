import { existsSync } from "node:fs";
import { describeCallFailure, describeUnknownTool } from "@codemode/runtime/call-failure";
import { expect, test } from "vitest";
import { parseListenAddress } from "../../serve/http/http-listener.ts";
import { checkJson, checkLanguages, checkTitles } from "./check-blocks.ts";
import { checkCommands } from "./check-commands.ts";
import { checkErrorsPage } from "./check-errors-page.ts";
import { checkLinks } from "./check-links.ts";
import { checkPrinted } from "./check-printed.ts";
import { checkTypes } from "./check-types.ts";
import { checkWords } from "./check-words.ts";
import { readCodeFacts } from "./code-facts.ts";
import type { Finding } from "./finding.ts";
import type { Block } from "./parse-page.ts";
import { readPages, type WrittenPage } from "./read-pages.ts";
import { makeShownDiagnostics } from "./shown-answers.ts";

const facts = readCodeFacts();
const pages = readPages();

/** What a check finds on all pages, as lines that an editor can follow. */
function findOn(check: (page: WrittenPage, path: string) => Finding[]): string[] {
  return [...pages].flatMap(([path, page]) =>
    check(page, path).map(({ line, problem }) => `${path}:${line}: ${problem}`),
  );
}

test("every block names a language, and is left out of a check for a reason only", () => {
  expect(findOn(checkLanguages)).toEqual([]);
});

test("the name of every file that a page shows can be read on the page", () => {
  expect(findOn(checkTitles)).toEqual([]);
});

test("every command in a block is one that codemode or this repository has, with its options", () => {
  expect(findOn((page) => checkCommands(page, facts))).toEqual([]);
});

test("commands, options, keys and codes in sentences are there", () => {
  expect(findOn(({ text }) => checkWords(text, facts))).toEqual([]);
});

test("an address to listen at, in a block or in a sentence, is one that the command takes", () => {
  const found = [...pages.values()].flatMap(({ text }) =>
    [...text.matchAll(/--(?:http|metrics)[ =]([\w.:[\]-]*\d)(?![\w./])/g)].map(([, address = ""]) => address),
  );
  expect(found.length).toBeGreaterThan(5);
  expect(found.map((address) => parseListenAddress(address).port)).not.toContain(0);
});

test("every block of JSON is JSON, and a configuration, lockfile or answer where it does not say that it is other data", () => {
  expect(findOn((page) => checkJson(page, facts))).toEqual([]);
});

test("every relative link leads to a file, and to a heading of it", () => {
  expect(findOn((page, path) => checkLinks(path, page, { pages, exists: existsSync }))).toEqual([]);
});

/** Written by the programs that they describe, or about the tests themselves. */
const ABOUT_TESTS = ["docs/clients.md", "docs/results.md", "docs/specification.md"];

test("pages for users say nothing of the tests of this repository", () => {
  const index = pages.get("docs/README.md")?.text.split(/^## Inside$/m)[0] ?? "";
  const users = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => `docs/${name}`);
  expect(users.length).toBeGreaterThan(30);
  const found = users
    .filter((path) => !ABOUT_TESTS.includes(path))
    .flatMap((path) =>
      (pages.get(path)?.text ?? "").split("\n").flatMap((line, index) => {
        const said =
          /`test\/|npx vitest|npm run (?:test|conformance)|[Aa] test (?:runs|types|fails|compares|keeps)/.exec(line);
        return said === null ? [] : [`${path}:${index + 1}: ${said[0]}`];
      }),
    );
  expect(found).toEqual([]);
});

test("errors of the command line are shown as they are printed", () => {
  expect(findOn(checkPrinted)).toEqual([]);
});

test("every block of TypeScript and JavaScript is free of type errors", () => {
  const found = checkTypes(pages);
  expect(findOn((_, path) => found.get(path) ?? [])).toEqual([]);
});

const ERRORS = pages.get("docs/errors.md") as WrittenPage;

/** The first block of a section. */
function exampleOf(name: string): Block | undefined {
  const line = ERRORS.headings.find((heading) => heading.text === `\`${name}\``)?.line ?? Infinity;
  return ERRORS.blocks.find((block) => block.line > line);
}

test("docs/errors.md has a section with cause, example and remedy for every code and class, and none for another", () => {
  expect(facts.diagnosticCodes.length).toBeGreaterThan(20);
  expect(facts.userErrors.size).toBeGreaterThan(25);
  expect(facts.errorClasses).toContain("SchemaValidationError");
  expect(checkErrorsPage(ERRORS.text, ERRORS, facts)).toEqual([]);
});

test("answers that no command gives by itself are shown as the program makes them", async () => {
  for (const [code, diagnostic] of await makeShownDiagnostics()) {
    const { severity, message, hint } = diagnostic ?? {};
    expect(exampleOf(code)?.text, code).toBe(`${severity}: ${code}: ${message}\nhint: ${hint}\n`);
  }
});

test("errors of calls that no example project has are shown in the words of the runtime", () => {
  const call = { serverId: "github", toolName: "get_issue" };
  const failures = [
    describeCallFailure({ kind: "unauthorized", message: "", hint: "" }, call),
    describeCallFailure({ kind: "unreachable", message: "", hint: "" }, call),
    describeUnknownTool({ serverId: "memory", toolName: "read_graf" }, ["read_graph"], ""),
  ];
  for (const { errorClass, message, hint } of failures) {
    expect(exampleOf(errorClass)?.text).toBe(`${errorClass}: ${message}\nhint: ${hint}\n`);
  }
});
