import { insertAt, replace, swap, textOf } from "../edit-text.mjs";

/** Frames to put a statement into; `@` stands for it. */
const FRAMES = [
  "{ @ }",
  "{ { @ } }",
  "if (1) { @ } else { @ }",
  "if (0) ; else @",
  "for (;;) { @ break; }",
  "for (const i of [1, 2]) { @ }",
  "for (let i = 0, a; i < 2; i++) @",
  "for (var k in { a: 1 }) @",
  "for await (const i of []) { @ }",
  "while (false) @",
  "do { @ } while (0)",
  "do @ while (0);",
  "label: { @ break label; }",
  "a: b: for (;;) { @ continue a; }",
  "switch (1) { case 0: @ default: @ }",
  "try { @ } catch { @ } finally { @ }",
  "try { throw 1 } catch (a) { @ }",
  "try {} catch ({ message: e }) { @ }",
  "class K { static { @ } }",
  "class K { m() { @ } get g() { @ return 1 } }",
  "class K { #p = () => { @ }; static async *m() { @ } }",
  "(function () { @ })();",
  "(() => { @ })();",
  "await (async () => { @ })();",
  "function* gen(a) { @ yield a; }",
  "async function* gen(a, b = 1) { @ yield* a; }",
  "export default function () { @ }",
  "export function made() { @ }",
  "with ({}) { @ }",
  "({ m() { @ }, get g() { @ return 0 }, set s(v) { @ } });",
];

const STATEMENTS = [
  ";",
  "let a;",
  "var a = 1;",
  "const a = 1, b = a;",
  "function a() {}",
  "async function a() { await 1; }",
  "class a { static #x = 1; }",
  "break;",
  "continue;",
  "return 1;",
  "throw 1;",
  "await 1;",
  "yield 1;",
  "debugger;",
  '"use strict";',
  "label: label: ;",
  "new.target;",
  "super();",
  "import.meta;",
  "arguments;",
  "this;",
  "undefined = 1;",
  "using r = null;",
  "await using r = null;",
  "let let = 1;",
  "({ __proto__: 1, __proto__: 2 });",
  "if (1) function f() {}",
  "for (let x of []) { var x; }",
  "let [q, q] = [];",
  "async () => { for await (const x of []) ; };",
  "globalThis.__codemode_result__ = 1;",
  'await import("@codemode/errors");',
  'require("fs");',
  "module.exports = 1;",
];

export const STATEMENT_MUTATIONS = [
  function swapStatements(tree, { pick }) {
    return swap(tree, pick(tree.statements), pick(tree.statements));
  },
  function duplicateStatement(tree, { pick }) {
    const at = pick(tree.statements);
    return insertAt(tree, at.start, `${textOf(tree, pick(tree.statements))}\n`);
  },
  function deleteStatement(tree, { pick }) {
    return replace(tree, pick(tree.statements), "");
  },
  function insertForeignStatement(tree, { pick }, other) {
    if (other === undefined || other.statements.length === 0) return undefined;
    return insertAt(tree, pick(tree.statements).end, `\n${textOf(other, pick(other.statements))}\n`);
  },
  function insertStatement(tree, { pick }) {
    return insertAt(tree, pick(tree.statements).start, `${pick(STATEMENTS)}\n`);
  },
  function wrapStatement(tree, { pick }) {
    const statement = pick(tree.statements);
    return replace(
      tree,
      statement,
      pick(FRAMES).replaceAll("@", () => textOf(tree, statement)),
    );
  },
  function wrapAll(tree, { pick }) {
    const imports = tree.program.body.filter(({ type }) => type === "ImportDeclaration");
    const start = imports.at(-1)?.end ?? 0;
    const rest = tree.code.slice(start).replace(/\bexport\s+(default\s+)?(?=[a-z(])/g, "");
    return tree.code.slice(0, start) + pick(FRAMES).replaceAll("@", () => rest);
  },
  function changeDeclarationKind(tree, { pick }) {
    const variable = pick(tree.variables);
    if (variable === undefined) return undefined;
    const word = pick(["var", "let", "const", "using", "await using", "static", ""]);
    return replace(tree, { start: variable.start, end: variable.start + variable.kind.length }, word);
  },
];
