import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parse } from "acorn";
import { transformSync } from "oxc-transform";
import { check } from "recheck";
import { expect, test } from "vitest";
import { evaluateText } from "./evaluate-text.ts";

/** A regular expression of the source. */
interface Expression {
  file: string;
  pattern: string;
  flags: string;
}

/** Expressions that are made of values: what they are made of keeps them linear. */
const OF_VALUES: { [place: string]: string } = {
  "engine/bundle/imports/missing-names.ts": "a list of escaped words",
  "engine/bundle/program/compile-program.ts": "words with blanks between them",
  "engine/bundle/program/edit-modules.ts": "words with blanks between them",
  "engine/check/find-type-errors.ts": "one escaped name",
  "extras/try/print-trial.ts": "a number of signs, then blanks",
  "openapi/mock/match-pattern.ts": "a document's own pattern, in a process and a time of its own",
  "openapi/request/environment.ts":
    "two fixed words with a prefix of letters, digits and underscores, over names of variables",
  "openapi/tools/convert-schema.ts": "compiled, and never run",
  "runtime/sandbox/pool/error-hints.ts": "two words of our own, with blanks between them",
  "runtime/sandbox/pool/script-positions.ts": "our own address, and numbers of a length",
  "runtime/sandbox/realm/endowments/structured-clone.ts": "a script's own, in its sandbox",
  "schemas/json-schema/keywords.ts": "a server's pattern, compiled and never run",
  "schemas/json/escape-invisible.ts": "one class of characters",
  "schemas/secrets/find-values.ts": "a list of escaped texts",
  "templates/validators/print-validator.ts": "one name",
};

/** What repeats without a bound: nothing else takes more time for a longer text than the text has characters. */
const REPEATS = /[*+]|\{\d*,\d*\}/;

/** What was judged before, which takes seconds for some: `npx vitest run test/scripts/linear-expressions.test.ts -u` judges what is new, and adds it. */
const RECORD = "test/golden/linear-expressions.txt";

interface Node {
  type: string;
  [member: string]: unknown;
}

test("every regular expression takes time in proportion to its text", { timeout: 600_000 }, async () => {
  const folders = [
    "cli",
    "deploy/cloudflare/worker",
    "engine",
    "extras",
    "library",
    "openapi",
    "runtime",
    "schemas",
    "serve",
  ];
  const listed = execFileSync("git", ["ls-files", ...folders, "templates"], { encoding: "utf8" }).split("\n");
  const files = listed.filter((file) => /\.(?:ts|js|mjs)$/.test(file) && !file.endsWith(".d.ts"));
  const found = (
    await Promise.all(files.map(async (file) => expressionsOf(file, await readFile(file, "utf8"))))
  ).flat();
  const unread = found.filter(({ pattern }) => pattern === undefined).map(({ file }) => file);
  expect([...new Set(unread)].toSorted()).toEqual(Object.keys(OF_VALUES));
  const distinct = new Map(
    found.flatMap(({ file, pattern = "", flags }) =>
      REPEATS.test(pattern) ? [[`/${pattern}/${flags}`, { file, pattern, flags }] as const] : [],
    ),
  );
  expect(distinct.size).toBeGreaterThan(300);
  const judged = new Set((await readFile(RECORD, "utf8")).split("\n"));
  const bad: string[] = [];
  for (const [written, expression] of distinct) {
    const verdict = judged.has(written) ? undefined : await judge(expression);
    if (verdict !== undefined) bad.push(verdict);
  }
  expect(bad).toEqual([]);
  await expect([...distinct.keys(), ""].toSorted().join("\n").trimStart()).toMatchFileSnapshot(resolve(RECORD));
});

test("a quadratic expression is found, by its form and by what it is put together from", async () => {
  const source =
    'const WORD = "\\\\s*"; export const one = new RegExp(`^${WORD}` + WORD + "$"); export const two = /a+$/u;';
  const found = expressionsOf("made.ts", source);
  expect(found).toMatchObject([{ pattern: "^\\s*\\s*$" }, { pattern: "a+$", flags: "u" }]);
  const [, plain] = found;
  expect((await check(plain?.pattern ?? "", "")).status).toBe("vulnerable");
});

/** Why an expression is not linear; undefined of one that is. */
async function judge({ file, pattern, flags }: Expression): Promise<string | undefined> {
  const verdict = await check(pattern, flags, { timeout: 60_000 });
  if (verdict.status === "safe") return undefined;
  if (verdict.status === "vulnerable" && !isSlow(new RegExp(pattern, flags), verdict.attack.string)) return undefined;
  return `${file}: /${pattern}/${flags} is ${verdict.status}`;
}

/** Whether the engine needs a hundred times longer than for a linear search: an expression that only begins at the start of a text is tried once. */
function isSlow(expression: RegExp, text: string): boolean {
  const startedAt = performance.now();
  expression.test(text);
  return performance.now() - startedAt > 100;
}

/** The literals of a file, and what it makes of constants; without a pattern where it is made of other values. */
function expressionsOf(file: string, source: string): (Omit<Expression, "pattern"> & { pattern?: string })[] {
  const program = parse(transformSync(file, source).code, {
    ecmaVersion: "latest",
    sourceType: "module",
  }) as unknown as Node;
  const found: ReturnType<typeof expressionsOf> = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const node = value as Node;
    if (node.type === "Literal" && "regex" in node)
      found.push({ file, ...(node["regex"] as { pattern: string; flags: string }) });
    const callee = node["callee"] as Node | undefined;
    if (/^(?:New|Call)Expression$/.test(node.type) && callee?.["name"] === "RegExp") {
      const [pattern, flags] = node["arguments"] as Node[];
      const text = evaluateText(pattern, program);
      found.push({
        file,
        flags: (flags && evaluateText(flags, program)) ?? "",
        ...(text === undefined ? {} : { pattern: text }),
      });
    }
    for (const [name, member] of Object.entries(node)) if (name !== "regex") visit(member);
  };
  visit(program);
  return found;
}
