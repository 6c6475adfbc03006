import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { checkJson, checkLanguages } from "./check-blocks.ts";
import { checkCommands, splitCommands } from "./check-commands.ts";
import { checkErrorsPage } from "./check-errors-page.ts";
import { checkLinks } from "./check-links.ts";
import { checkPrinted } from "./check-printed.ts";
import { checkTypes } from "./check-types.ts";
import { checkWords } from "./check-words.ts";
import { type CodeFacts, readCodeFacts, type SchemaNode } from "./code-facts.ts";
import type { Finding } from "./finding.ts";
import { parsePage } from "./parse-page.ts";
import { printCommand, printFields, printKeys } from "./print-reference.ts";
import { readPages, type WrittenPage } from "./read-pages.ts";
import { checkRegions, renewPage } from "./regions.ts";

// The tests of the tests: each check finds nothing on our pages (pages.test.ts), and something as soon as code or page moves alone.

const facts = readCodeFacts();
const pages = readPages();
const pageOf = (path: string): WrittenPage => pages.get(path) as WrittenPage;
const problems = (findings: readonly Finding[]): string[] => findings.map(({ problem }) => problem);

/** What a check finds on a page of ours in which one text was replaced by another. */
function findAfter(path: string, from: string, to: string, check: (page: WrittenPage) => Finding[]): string[] {
  const { text } = pageOf(path);
  expect(text).toContain(from);
  const changed = text.replace(from, () => to);
  return problems(check({ text: changed, ...parsePage(changed) }));
}

/** The facts of a codemode in which a command lost an option, or is gone. */
function without(command: string, flag?: string): CodeFacts {
  const isMeant = ({ usage }: { usage: string }): boolean => usage.split(" ")[0] === command;
  if (flag === undefined) return { ...facts, commands: facts.commands.filter((spec) => !isMeant(spec)) };
  const commands = facts.commands.map((spec) =>
    isMeant(spec) ? { ...spec, options: spec.options.filter((option) => !option.flag.startsWith(flag)) } : spec,
  );
  return { ...facts, commands };
}

/** The facts of a codemode whose configuration has another schema. */
function withSchema(change: (schema: SchemaNode) => void): CodeFacts {
  const configSchema = structuredClone(facts.configSchema);
  change(configSchema);
  return { ...facts, configSchema };
}

/** Whether the tables of a page are as they are printed today. */
async function isCurrent(path: string, print: (name: string) => string | undefined): Promise<boolean> {
  const { text } = pageOf(path);
  return (await renewPage(text, print)) === text;
}

test("an option that is gone is found in blocks, in sentences and in the reference", async () => {
  const drifted = without("lock", "--check");
  expect(problems(checkCommands(pageOf("docs/ci.md"), drifted))).toEqual(["codemode lock has no option --check"]);
  expect(problems(checkWords(pageOf("docs/server-changes.md").text, drifted))).toContain(
    "codemode lock has no option --check",
  );
  expect(await isCurrent("docs/cli.md", (name) => printCommand(name, drifted))).toBe(false);
});

test("an option that the page misspells is found, like one argument too many", () => {
  const check = (page: WrittenPage): Finding[] => checkCommands(page, facts);
  expect(findAfter("docs/cli.md", "--http 127.0.0.1:8080 --frozen", "--http 127.0.0.1:8080 --frosen", check)).toEqual([
    "codemode serve has no option --frosen",
  ]);
  expect(findAfter("docs/cli.md", "codemode login github", "codemode login github memory", check)).toEqual([
    "codemode login takes at most 1 argument(s)",
  ]);
  expect(findAfter("docs/cli.md", "codemode logout github", "codemode logout", check)).toEqual([
    "codemode logout needs 1 argument(s)",
  ]);
  expect(findAfter("docs/operations.md", "npm run bench", "npm run benchmark", check)).toHaveLength(1);
  expect(findAfter("docs/operations.md", "node bench/soak.js", "node bench/soaked.js", check)).toHaveLength(1);
});

test("a command that is gone, and one that is new, are found in the reference", () => {
  const names = facts.commands.map(({ usage }) => usage.split(" ")[0] as string);
  const { text } = pageOf("docs/cli.md");
  expect(problems(checkRegions(text, ["options", ...names.filter((name) => name !== "replay")]))).toEqual([
    "there is no replay",
  ]);
  expect(problems(checkRegions(text, ["options", ...names, "doctors"]))).toEqual(["nothing is said of doctors"]);
  expect(problems(checkCommands(pageOf("docs/cli.md"), without("replay")))).toContain(
    'codemode has no command "replay"',
  );
});

test("a key that is renamed is found in examples, in sentences and in the reference", async () => {
  const drifted = withSchema(({ properties }) => {
    const limits = properties?.["limits"]?.properties ?? {};
    limits["timeLimitMs"] = limits["timeoutMs"] as SchemaNode;
    delete limits["timeoutMs"];
  });
  expect(problems(checkJson(pageOf("docs/configuration.md"), drifted)).length).toBeGreaterThan(1);
  expect(problems(checkWords(pageOf("docs/agent-tools.md").text, drifted))).toEqual([
    "the configuration has no key limits.timeoutMs",
  ]);
  expect(await isCurrent("docs/configuration.md", (name) => printKeys(name, drifted))).toBe(false);
});

test("another default, and a key that the page misspells, are found", async () => {
  const drifted = withSchema(({ properties = {} }) => {
    properties["out"] = { ...properties["out"], default: "servers" };
  });
  expect(await isCurrent("docs/configuration.md", (name) => printKeys(name, drifted))).toBe(false);
  const check = (page: WrittenPage): Finding[] => checkJson(page, facts);
  expect(findAfter("docs/configuration.md", '"runsPerMinute": 120', '"runsPerminute": 120', check)).toHaveLength(1);
  expect(
    findAfter("docs/configuration.md", '{ "typecheck": "error" }', '{ "typecheck": "errors" }', check),
  ).toHaveLength(1);
  expect(findAfter("docs/configuration.md", '{ "typecheck": "error" }', '{ "typecheck": error }', check)).toHaveLength(
    1,
  );
});

test("a field of the lockfile that changes is found, like an example whose integrity is wrong", async () => {
  const lockfileSchema = structuredClone(facts.lockfileSchema);
  lockfileSchema.definitions = { ...lockfileSchema.definitions, package: { properties: { name: { type: "string" } } } };
  expect(await isCurrent("docs/lockfile.md", (name) => printFields(name, { ...facts, lockfileSchema }))).toBe(false);
  const check = (page: WrittenPage): Finding[] => checkJson(page, facts);
  expect(findAfter("docs/lockfile.md", "Tells the time.", "Tells the hour.", check)).toEqual([
    expect.stringContaining("integrity"),
  ]);
});

test("a code without a section, a section without a code, and one that lacks a part are found", () => {
  const path = "docs/errors.md";
  const { text } = pageOf(path);
  const check = (page: WrittenPage): Finding[] => checkErrorsPage(page.text, page, facts);
  const codes = [...facts.diagnosticCodes, "CLOCK_SKEW"];
  expect(problems(checkErrorsPage(text, pageOf(path), { ...facts, diagnosticCodes: codes }))).toEqual([
    "there is no section for CLOCK_SKEW",
  ]);
  expect(findAfter(path, "### `QUEUE_FULL`", "### `QUEUE_FILLED`", check)).toEqual([
    "there is no section for QUEUE_FULL",
    "there is no code or class QUEUE_FILLED any more",
  ]);
  expect(findAfter(path, "**Remedy.** Catch it where", "Catch it where", check)).toEqual([
    "CodemodeError: the section has neither a hint nor a paragraph **Remedy.**",
  ]);
  expect(findAfter(path, "There is no such command.", "", check)).toEqual([
    "COMMAND_UNKNOWN: the section does not begin with the cause",
  ]);
  expect(problems(checkWords("See `LOCK_DRIFTS`.", facts))).toEqual(["no source has the word LOCK_DRIFTS"]);
});

test("an error whose words change is found", () => {
  const [finding] = findAfter("docs/errors.md", "No lockfile found at", "No lockfile at", checkPrinted);
  expect(finding).toContain("error: No lockfile found at codemode.lock.json.");
  expect(findAfter("docs/errors.md", "printed: lockfileMissing", "printed: lockfileGone", checkPrinted)).toHaveLength(
    1,
  );
});

test("a link to a file or a heading that is gone is found", () => {
  const check = (page: WrittenPage): Finding[] => checkLinks("docs/errors.md", page, { pages, exists: existsSync });
  expect(findAfter("docs/errors.md", "(configuration.md#policy)", "(configuration.md#policies)", check)).toHaveLength(
    1,
  );
  expect(findAfter("docs/errors.md", "(recording.md)", "(recordings.md)", check)).toEqual([
    "recordings.md leads nowhere",
  ]);
  expect(findAfter("docs/errors.md", "## Error classes", "## Classes of errors", check).length).toBeGreaterThan(0);
});

test("a block of code that no longer fits the tools is found at its line, like one that is left out without a word", () => {
  const { text } = pageOf("docs/example-project.md");
  const lines = text.replace("get_sum({ a, b: 2 })", "get_sum({ a, c: 2 })");
  const line = lines.split("\n").findIndex((content) => content.includes("c: 2")) + 1;
  const found = checkTypes(new Map([["docs/example-project.md", parsePage(lines)]]));
  expect(found.get("docs/example-project.md")).toEqual([
    { line, problem: expect.stringContaining("'c' does not exist") },
  ]);
  expect(problems(checkLanguages(parsePage("```\ncodemode\n```\n")))).toEqual([
    'the block has no known language, but ""',
  ]);
  expect(checkLanguages(parsePage("<!-- unchecked: -->\n\n```ts\nnonsense(\n```\n"))).toHaveLength(1);
});

test.each([
  [
    "codemode lock && codemode generate",
    [
      ["codemode", "lock"],
      ["codemode", "generate"],
    ],
  ],
  [
    "echo 'a b' | codemode run - # comment",
    [
      ["echo", "a b"],
      ["codemode", "run", "-"],
    ],
  ],
  ["codemode run sum --inputs in.jsonl 2> log.txt", [["codemode", "run", "sum", "--inputs", "in.jsonl"]]],
  ["codemode diff 2>&1 > drift.md", [["codemode", "diff"]]],
  ["codemode run --eval 'import \"x\"; y();'", [["codemode", "run", "--eval", 'import "x"; y();']]],
  ["codemode serve --http 8080 &", [["codemode", "serve", "--http", "8080"]]],
  ["", []],
])("the commands of %s", (line, commands) => {
  expect(splitCommands(line)).toEqual(commands);
});
