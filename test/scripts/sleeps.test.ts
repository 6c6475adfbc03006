import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "@ts-morph/common";
import { expect, test } from "vitest";

/** A test that sleeps no longer than this waits for the machine; a longer one gives its reason, or moves the clock (`test/move-clock.ts`). */
const MOST_MS = 50;
/** No test waits so long: what sleeps longer is ended otherwise. */
const LIMIT_MS = 20_000;
/** A sleep that is not needed any more takes this down; a new one takes it up only where nothing else can be waited for. */
const MOST_SLEEPS = 50;

const LEFT_OUT = /(?:^|\/)(?:node_modules|golden|test262|differential\/(?:module-)?programs)(?:\/|$)/;
const REASON = /^\s*(?:\/\/|\*)\s*sleeps: \S+ \S/;
/** A sleep in the text of a script. */
const IN_SCRIPT = /new Promise\(\(?(\w+)\)? => (?:\{ )?setTimeout\((?:\1|\(\) => \1\([^)]*\)), ([\d_.e]+)\)/g;

/** Other files need not be parsed. */
const MAY_SLEEP = /setTimeout|Atomics\.wait/;

interface Sleep {
  place: string;
  ms: number;
  hasReason: boolean;
}

function listPrograms(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (LEFT_OUT.test(path)) return [];
    if (entry.isDirectory()) return listPrograms(path);
    return /\.(?:ts|mjs|js)$/.test(path) ? [path] : [];
  });
}

/** The sleeps of a test file, and of the scripts in its texts. */
function findSleeps(file: string, text = readFileSync(file, "utf8")): Sleep[] {
  if (!MAY_SLEEP.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const numbers = readNumbers(source);
  const sleepers = new Set(findSleepers(source));
  const sleeps: Sleep[] = [];
  const add = (position: number, ms: number | undefined): void => {
    if (ms === undefined || ms <= MOST_MS || ms >= LIMIT_MS) return;
    const { line } = source.getLineAndCharacterOfPosition(position);
    sleeps.push({ place: `${file}:${line + 1}`, ms, hasReason: REASON.test(lines[line - 1] ?? "") });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [first, second] = node.arguments;
      const name = node.expression.getText(source);
      if (sleepers.has(name)) add(node.getStart(source), valueOf(first, numbers));
      if (name === "Atomics.wait") add(node.getStart(source), valueOf(node.arguments[3], numbers));
      if (name === "setTimeout" && isInPromise(node)) add(node.getStart(source), valueOf(second, numbers));
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      for (const { index, 2: ms } of node.getText(source).matchAll(IN_SCRIPT))
        add(node.getStart(source) + index, Number(ms?.replaceAll("_", "")));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sleeps;
}

/** Numbers with a name in a file. */
function readNumbers(source: ts.SourceFile): Map<string, number> {
  const numbers = new Map<string, number>();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const value = valueOf(node.initializer, numbers);
      if (value !== undefined) numbers.set(node.name.text, value);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return numbers;
}

/** What a number comes to, as far as the file says it: of what is random, the most. */
function valueOf(node: ts.Node | undefined, numbers: ReadonlyMap<string, number>): number | undefined {
  if (node === undefined) return undefined;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isIdentifier(node)) return numbers.get(node.text);
  if (ts.isParenthesizedExpression(node)) return valueOf(node.expression, numbers);
  if (ts.isConditionalExpression(node))
    return Math.max(valueOf(node.whenTrue, numbers) ?? 0, valueOf(node.whenFalse, numbers) ?? 0);
  if (ts.isCallExpression(node)) return node.expression.getText() === "Math.random" ? 1 : undefined;
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [valueOf(node.left, numbers), valueOf(node.right, numbers)];
  if (left === undefined || right === undefined) return undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right;
  return node.operatorToken.kind === ts.SyntaxKind.PlusToken ? left + right : undefined;
}

/** Names under which a file sleeps: Node's own, and functions of a time whose promise a timer settles. */
function findSleepers(source: ts.SourceFile): string[] {
  const imported = /setTimeout as (\w+)[^;]*"node:timers\/promises"/.exec(source.text)?.[1];
  const own = [
    ...source.text.matchAll(/(?:const|function) (\w+)[^;]{0,80}new Promise[^;]{0,60}setTimeout\(\w+, \w+\)/g),
  ];
  return [imported, ...own.map(([, name]) => name)].filter((name) => name !== undefined);
}

/** Whether a promise waits for a timer. */
function isInPromise(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined && !ts.isStatement(at); at = at.parent)
    if (ts.isNewExpression(at) && at.expression.getText() === "Promise") return true;
  return false;
}

test("sleeps are found in all their forms, and a reason stands above", () => {
  const code = [
    'import { setTimeout as pause } from "node:timers/promises";',
    "const LONG_MS = 2 * 40;",
    "await pause(50);",
    "await pause(LONG_MS);",
    "// sleeps: the server keeps its socket for so long",
    "await new Promise((resolve) => setTimeout(resolve, 51));",
    "// sleeps: because",
    "const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));",
    "await wait(60 + Math.random() * 40);",
    "await run(`await new Promise((go) => setTimeout(go, 1_000)); ${x}`);",
    "setTimeout(give, 5000);",
    "await pause(30_000);",
  ];
  expect(findSleeps("x.ts", code.join("\n")).map(({ place, ms, hasReason }) => [place, ms, hasReason])).toEqual([
    ["x.ts:4", 80, false],
    ["x.ts:6", 51, true],
    ["x.ts:9", 100, false],
    ["x.ts:10", 1000, false],
  ]);
});

test("a test that sleeps says why, and they do not become more", () => {
  const sleeps = listPrograms("test")
    .filter((file) => !file.endsWith("sleeps.test.ts"))
    .flatMap((file) => findSleeps(file));
  expect(sleeps.filter(({ hasReason }) => !hasReason).map(({ place, ms }) => `${place} sleeps ${ms} ms`)).toEqual([]);
  expect(sleeps.length).toBeLessThanOrEqual(MOST_SLEEPS);
});
