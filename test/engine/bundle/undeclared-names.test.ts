import { describe, expect, test } from "vitest";
import { hintForUndeclared } from "../../../engine/bundle/imports/describe-undeclared.ts";
import { openCheckProject } from "../check/check-project.ts";

const project = await openCheckProject();

/** Severity, place and hint of what is found before the run. */
async function diagnose(code: string): Promise<string[]> {
  return (await project.diagnose(code)).map(({ severity, path, hint }) => `${severity} ${path} ${hint}`);
}

describe("a name that is declared nowhere is an error before the run", () => {
  test.each([
    ["read", "const total = 1;\nexport default totl + 1;", "2:16 Did you mean `total`?"],
    ["called", "const fetchAll = () => 1;\nexport default fetchAl();", "2:16 Did you mean `fetchAll`?"],
    ["of which a member is read", "export default foo.bar;", "1:16 Declare it, or import it"],
    ["assigned", "noSuch = 5;", "1:1 Declare it, or import it"],
    ["assigned in a pattern", "let a; [a, noSuch] = [1, 2];", "1:12 Declare it"],
    ["changed", "counter++;", "1:1 Declare it"],
    ["in shorthand", "const result = 1;\nexport default { resul };", "2:18 Did you mean `result`?"],
    ["a global that is misspelt", "export default Jason.parse('1');", "1:16 Did you mean `JSON`?"],
    ["a global of Node", "export default process.env.HOME;", "1:16 The sandbox has no Node API"],
    [
      "a tool",
      "export default await get_sum({ a: 1, b: 2 });",
      '1:22 Import it: `import { get_sum } from "@codemode/servers/everything";`.',
    ],
    [
      "of an inner scope",
      "function f() { const inner = 1; return inner; }\nexport default f() + inner;",
      "2:22 Declare it",
    ],
    ["of a block", "{ const inner = 1; }\nexport default inner;", "2:16 Declare it"],
    ["of a function's own name", "const a = function named() {};\nnamed();", "2:1 Declare it"],
    ["in a default value", "const f = (a = missing) => a;\nf();", "1:16 Declare it"],
    ["in a key that is computed", "export default { [missing]: 1 };", "1:19 Declare it"],
    ["only declared as a type", "interface Row { a: number }\nexport default Row.length;", "2:16 "],
    ["`arguments` outside of functions", "export default arguments.length;", "1:16 "],
  ])("%s", async (_title, code, expected) => {
    const found = await diagnose(code);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`error script.ts:${expected}`);
  });

  test("each once, and all of them", async () => {
    expect(await diagnose("export default [one, one, two, () => one];")).toHaveLength(2);
  });
});

describe("a script that looks for a tool where other systems have it gets the import of the tool", () => {
  const SUM = 'Import it: `import { get_sum } from "@codemode/servers/everything";`. Then call `await get_sum(…)`.';
  test.each([
    ["an object of functions", "await functions.get_sum({ a: 1, b: 2 });", SUM],
    ["a text in brackets", 'await tools["get_sum"]({ a: 1, b: 2 });', SUM],
    ["the server's name for it", 'await tools["get-sum"]({ a: 1, b: 2 });', SUM],
    ["a name in camel case", "await codemode.getSum({ a: 1, b: 2 });", SUM],
    ["a server before it", "await mcp.everything.get_sum({ a: 1, b: 2 });", SUM],
    ["a server in an object that is called otherwise", "await cm.everything.get_sum({ a: 1, b: 2 });", SUM],
    ["a name that has the server in it", "await functions.mcp__everything__get_sum({ a: 1, b: 2 });", SUM],
    ["server and tool in one text", 'await tools["everything/get-sum"]({ a: 1, b: 2 });', SUM],
    ["optional chaining", "await tools?.everything?.get_sum?.({ a: 1, b: 2 });", SUM],
    ["a method after it", "const get = tools.get_sum.bind(null);", SUM],
    ["a call with its name", 'await callTool("get_sum", { a: 1, b: 2 });', SUM],
    ["a call with server and tool", 'await mcp.call("everything", "get-sum", { a: 1, b: 2 });', SUM],
    [
      "a tool that the server does not have",
      "await mcp.everything.get_sums({});",
      'Did you mean `get_sum`? Import it: `import { get_sum } from "@codemode/servers/everything";`.',
    ],
    ["no tool", "const { get_sum } = tools;", "Declare it, or import it: each tool is an export of its server"],
    ["a tool that no server has", "await mcp.s.no_such_tool({});", "Declare it, or import it: each tool is an export"],
  ])("%s", async (_title, code, expected) => {
    const [found, ...others] = await diagnose(code);
    expect(others).toEqual([]);
    expect(found).toContain(expected);
  });

  const SERVERS = new Map([
    ["files", ["read", "write"]],
    ["mail", ["read", "send"]],
    ["my-notes", ["add_note"]],
  ]);
  test.each([
    [
      { name: "tools", members: ["send"] },
      [],
      /^Import it: .*"@codemode\/servers\/mail";`\. Then call `await send\(…\)`\.$/,
    ],
    [
      { name: "tools", members: ["read"] },
      [],
      /servers\/files";`\. A tool of this name is also in "@codemode\/servers\/mail"/,
    ],
    [{ name: "read" }, [], /servers\/files";`\. A tool of this name is also in "@codemode\/servers\/mail"\.$/],
    [{ name: "mcp", members: ["mail", "read"] }, [], /servers\/mail";`\. Then call/],
    [{ name: "tools", members: ["mail_read"] }, [], /servers\/mail";`\. Then call/],
    [{ name: "myNotes", members: ["addNote"] }, [], /import \{ add_note \} from "@codemode\/servers\/my-notes"/],
    [{ name: "resutl", members: ["read"] }, ["result"], /^Did you mean `result`\?$/],
    [{ name: "Maht", members: ["read"] }, ["Math"], /^Did you mean `Math`\?$/],
    [{ name: "tool", members: ["nothing"] }, ["tools"], /^Did you mean `tools`\?$/],
    [{ name: "reaD" }, ["Read"], /^Did you mean `Read`\?$/],
  ])("of several servers: %o", (use, inScope, expected) => {
    expect(hintForUndeclared(use, inScope, SERVERS)).toMatch(expected);
  });

  test.each([
    "const server = { get_sum: () => 1 };\nexport default server.get_sum();",
    "const tools = { echo: (text: string) => text };\nexport default tools?.echo('a');",
    'import * as everything from "@codemode/servers/everything";\nexport default await everything.get_sum({ a: 1, b: 2 });',
  ])("an object that the script declares is its own: %j", async (code) => {
    expect(await diagnose(code)).toEqual([]);
  });
});

describe("a script of functions that calls none", () => {
  const IMPORT = 'import { get_sum } from "@codemode/servers/everything";\n';
  test.each([
    ["an arrow function", "async () => { console.log(1); }", "1:1", "its function"],
    ["one in brackets", "(async () => {\n  return 1;\n});", "1:1", "its function"],
    ["a function without a name", "(function () { return 1; })", "1:1", "its function"],
    ["one after imports", `${IMPORT}async ({ a }) => await get_sum({ a, b: 1 });`, "2:1", "its function"],
    ["a declaration", `${IMPORT}async function main() { return get_sum({ a: 1, b: 2 }); }`, "2:1", "`main`"],
    ["a variable", "const limit = 5;\nconst run = async () => limit;", "2:7", "`run`"],
    [
      "one beside constants",
      'const PATHS = ["a", "b"];\nconst { length } = PATHS;\nasync function main() {}',
      "3:1",
      "`main`",
    ],
    [
      "one beside the schema of the input and a class",
      'export const input = { type: "object" };\nclass Row { size = 1; }\nconst run = function () { return new Row(); };',
      "3:7",
      "`run`",
    ],
    ["the last of two", "function one() { return 1; }\nfunction both() { return one() + 1; }", "2:1", "`both`"],
    ["TypeScript", "type Row = { a: number };\nasync (row: Row): Promise<number> => row.a;", "2:1", "its function"],
  ])("%s is a warning", async (_title, code, place, what) => {
    const found = (await project.diagnose(code)).filter(({ code: kind }) => kind === "RESULT_MISSING");
    expect(found).toEqual([
      {
        severity: "warning",
        code: "RESULT_MISSING",
        message: `The script does nothing: ${what} is never called.`,
        hint: expect.stringMatching(
          /^A script runs from its first line to its last\. .* `export default await .*\(\)`\.$/,
        ) as string,
        path: `script.ts:${place}`,
      },
    ]);
  });

  test.each([
    ["called", "(async () => { console.log(1); })();"],
    ["called by name", "async function main() { console.log(1); }\nawait main();"],
    ["exported", "export const twice = (n: number) => 2 * n;"],
    ["exported in a list", "const twice = (n: number) => 2 * n;\nexport { twice };"],
    ["called by a class", "const f = () => console.log(1);\nclass A { static { f(); } }"],
    ["a tag of a template", "const tag = (s: TemplateStringsArray) => console.log(s);\ntag`a`;"],
    ["the result", "export default async () => 1;"],
    ["beside a statement", "const f = () => 1;\nconsole.log(f);"],
    ["beside a value", "const f = () => 1;\nconst list = [1].map(f);\nlist.length;"],
    ["not there", ""],
    ["a directive", '"use strict";'],
  ])("one that is %s is none", async (_title, code) => {
    expect((await project.diagnose(code)).filter(({ code: kind }) => kind === "RESULT_MISSING")).toEqual([]);
  });
});

describe("what is declared, or asked about", () => {
  test.each([
    ["typeof", 'export default [typeof process, typeof fetch === "function" ? fetch("/") : 1];'],
    [
      "functions and classes before they are declared",
      "export default f();\nfunction f() { return new C(); }\nclass C {}",
    ],
    [
      "var of a block, a loop and a function",
      "if (true) { var a = 1; }\nfor (var i = 0; i < 1; i += 1);\nexport default [a, i];",
    ],
    [
      "patterns",
      "const { a, b: [c, ...d], ...e }: any = { b: [] };\nconst f = ({ g }: any, [h]: any) => [g, h];\nexport default [a, c, d, e, f({}, [])];",
    ],
    [
      "labels, members and keys",
      "outer: for (;;) { break outer; }\nexport default { noSuch: 1 }.noSuch;\nclass C { other = 1; static third() {} }\nnew C().other;",
    ],
    [
      "catch, and functions in it",
      "try { throw 1; } catch ({ message }) { console.log(message); }\nexport default (function g(): number { return arguments.length ? g() : 1; })();",
    ],
    [
      "all globals of the sandbox",
      "export default [structuredClone, Intl, Float32Array, __codemode_input__, undefined, NaN];",
    ],
    [
      "a global that the script makes",
      "(globalThis as any).counter = 1;\ndeclare const counter: number;\nexport default counter;",
    ],
    [
      "enums and namespaces",
      "enum E { A = 1, B = A * 2 }\nnamespace N { export const x = 1; const y = 2; export const z = x + y; }\nexport default [E.B, N.z];",
    ],
    [
      "private members and static blocks",
      "class C { #a = 1; static { const b = 1; console.log(b); } get() { return #a in this && this.#a; } }\nexport default new C().get();",
    ],
  ])("%s is no mistake", async (_title, code) => {
    expect((await diagnose(code)).filter((finding) => finding.startsWith("error"))).toEqual([]);
  });
});

describe("a namespace in several parts", () => {
  const PARTS = "namespace Api { export const base = 100; export function f() { return 1; } export class K {} }\n";

  test.each([
    [
      "a constant",
      `${PARTS}namespace Api { export const limit = base + 10; }\nexport default Api.limit;`,
      "script.ts:2:38 Write `Api.base`.",
    ],
    [
      "a function",
      `${PARTS}namespace Api { export const one = f(); }\nexport default Api.one;`,
      "script.ts:2:36 Write `Api.f`.",
    ],
    [
      "a class",
      `${PARTS}namespace Api { export const k = new K(); }\nexport default Api.k;`,
      "script.ts:2:38 Write `Api.K`.",
    ],
    [
      "a constant that a variable outside hides",
      `const base = 1;\n${PARTS}namespace Api { export const limit = base + 10; }\nexport default Api.limit;`,
      "script.ts:3:38 Write `Api.base`.",
    ],
    [
      "a member of a nested one",
      "namespace A.B { export const q = 1; }\nnamespace A { export namespace B { export const r = q; } }\nexport default A.B.r;",
      "script.ts:2:53 Write `A.B.q`.",
    ],
    [
      "a function's own",
      "function F() {}\nnamespace F { export const x = 1; }\nnamespace F { export const y = x; }\nexport default F.y;",
      "script.ts:3:32 Write `F.x`.",
    ],
  ])("%s of another part must be named as its member", async (_title, code, expected) => {
    const errors = (await diagnose(code)).filter((finding) => finding.startsWith("error"));
    expect(errors).toEqual([`error ${expected}`]);
  });

  test("a variable that is exported as `let` is refused as before", async () => {
    const [finding] = await project.diagnose("namespace A { export let x = 1; }\nexport default A.x;");
    expect(finding).toMatchObject({ severity: "error", code: "SYNTAX_ERROR" });
  });

  test.each([
    [
      "own and other members",
      `${PARTS}namespace Api { const base = 1; export const limit = base + Api.base; }\nexport default Api.limit;`,
    ],
    [
      "types of another part",
      "namespace Api { export interface Row { a: number } }\nnamespace Api { export const row: Row = { a: 1 }; }\nexport default Api.row;",
    ],
  ])("%s are no mistake", async (_title, code) => {
    expect(await diagnose(code)).toEqual([]);
  });
});

describe("a script without an import is a module too", () => {
  test.each([
    "await (async () => 1)()",
    "await (1)",
    "await [1, 2]",
    "await `a`",
    "await /x/",
    "await +1",
    "await -1",
    "await\n(1)",
    "(await (async () => 5)()) + 1",
  ])("%j awaits", async (code) => {
    expect(await diagnose(`globalThis.__codemode_result__ = ${code};`)).toEqual([]);
  });

  test("what a module cannot have is refused", async () => {
    expect((await diagnose("with ({}) {}"))[0]).toContain("error script.ts:1:1");
    expect(await diagnose("const await = 1;")).toHaveLength(1);
  });
});
