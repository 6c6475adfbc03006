import { describe, expect, test } from "vitest";
import { complaintsOf, openBundleProject } from "./bundle-project.ts";

const project = await openBundleProject();

const CORRECT_IT = "Fix the syntax error at that position; the script did not run.";
const NO_RETURN = "A script is a module: write `export default VALUE` in place of `return`.";
const NO_COMMON_JS = "Write `export default VALUE`, or set `globalThis.__codemode_result__`.";
const NO_USING = "Write `const`, and release the value in a `finally` block.";

describe("syntax errors", () => {
  test.each([
    ["an unexpected token", `let a = 1;\nlet b = ;`, "2:9", CORRECT_IT],
    ["after letters beyond ASCII and beyond 16 bits", `/* é😀 */ let b = ;`, "1:19", CORRECT_IT],
    ["an unfinished call", `await foo(\n`, "2:1", CORRECT_IT],
    ["a top-level return of a module with exports", `export const a = 1;\n  return a;`, "2:3", NO_RETURN],
    ["a name declared twice", `let total = 1;\nlet total = 2;`, "2:5", CORRECT_IT],
    ["TypeScript's export assignment", `const a = 1;\nexport = a;`, "2:1", NO_COMMON_JS],
    ["the same below lines that TypeScript leaves out", `let a = 1;\n\n\nexport = a;`, "4:1", NO_COMMON_JS],
    [
      "the same below statements that share a line",
      `let a = 1; let b;\nlet c; let d;\nexport = a;`,
      "3:1",
      NO_COMMON_JS,
    ],
    ["CommonJS exports", `module.exports = { a: 1 };`, "1:1", NO_COMMON_JS],
    ["CommonJS named exports", `const a = 1;\nexports.a = a;`, "2:1", NO_COMMON_JS],
    [
      "a decorator",
      `const log = (x: unknown) => x;\nclass A { @log method() {} }\nnew A();`,
      "2:11",
      "Call the function yourself.",
    ],
    ["using", `const open = () => ({});\nusing file = open();`, "2:1", NO_USING],
    [
      "an assignment to an import",
      `import { echo } from "@codemode/servers/everything";\necho = 1;`,
      "2:1",
      "Imports are constants: keep the new value in a variable of your own.",
    ],
  ])("%s", async (_title, code, place, hint) => {
    expect(await complaintsOf(project, code)).toEqual([`SYNTAX_ERROR script.ts:${place}: ${hint}`]);
  });

  test.each([
    ["an unexpected token", `let a = 1;\nlet b = ;`, "2:9", CORRECT_IT],
    ["a top-level return of a module with exports", `export const a = 1;\n  return a;`, "2:3", NO_RETURN],
    ["a name declared twice", `let total = 1;\nlet total = 2;`, "2:5", CORRECT_IT],
  ])("in JavaScript: %s", async (_title, code, place, hint) => {
    expect(await complaintsOf(project, code, "script.js")).toEqual([`SYNTAX_ERROR script.js:${place}: ${hint}`]);
  });

  test.each([
    "delete name;",
    "var a = 010;",
    "class A { b() { this.#c; } }",
    "({ __proto__: 1, __proto__: 2 });",
    "(a, b) => { let a; };",
    "eval = 1;",
    "label: function f() {}",
    "await: 1;",
    "/(?<a>x)(?<a>y)/;",
    "/\\k<a>/u;",
    "x?.y = 1;",
    "a ?? b || c;",
    "-1 ** 2;",
  ])("early errors of the language are found before anything runs: %s", async (code) => {
    expect(await complaintsOf(project, code, "script.js")).toEqual([
      expect.stringMatching(/^SYNTAX_ERROR script\.js:1:\d+: /),
    ]);
    expect(await complaintsOf(project, code, "script.ts")).toEqual([
      expect.stringMatching(/^SYNTAX_ERROR script\.ts:1:\d+: /),
    ]);
  });

  test.each([
    ["prefixes", `export default ${"!".repeat(12_000)}1;`],
    ["calls", `let a;\na${"()".repeat(12_000)};`],
    ["brackets", `export default ${"[".repeat(3000)}${"]".repeat(3000)};`],
  ])("code that is nested deeper than the bundler can follow: %s", async (_title, code) => {
    const hint = "Split the expression into statements.";
    expect(await complaintsOf(project, code)).toEqual([`SYNTAX_ERROR undefined: ${hint}`]);
  });
});
