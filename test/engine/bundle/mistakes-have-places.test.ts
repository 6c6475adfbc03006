import { beforeAll, describe, expect, test } from "vitest";
import { bundleOf, diagnosticsOf, openBundleProject } from "./bundle-project.ts";

const project = await openBundleProject();

const ERRORS = 'import * as E from "@codemode/errors";';

/** Texts of which one parser or the other thinks nothing, most of them found by `npm run fuzz`. Places are those in TypeScript. */
const MISTAKES: [title: string, code: string, found: string][] = [
  ["two default exports", "export default 1;\nexport default 2;", "SYNTAX_ERROR 2:1"],
  [
    "two default exports, one in a list",
    "const a = 1;\nexport { a as default };\nexport default 2;",
    "SYNTAX_ERROR 3:1",
  ],
  ["a name that is exported twice", "export const q = 1;\nexport { q };", "SYNTAX_ERROR 2:10"],
  ["a name in one list twice", "const a = 1;\nexport { a, a };", "SYNTAX_ERROR 2:13"],
  ["a namespace and a variable", 'export * as d from "@codemode/errors";\nexport let d;', "SYNTAX_ERROR 2:12"],
  ["two functions", "export function a() {}\nexport function a() {}", "SYNTAX_ERROR 2:17"],
  ["a function and a `var` in a block", "{ async function f() {}\nvar f; }", "SYNTAX_ERROR 2:5"],
  ["functions of one name in a block", "let f;\n{ function f() {} function f() {} }", "SYNTAX_ERROR 2:28"],
  [
    "functions of one name in a switch",
    "switch (0) { case 1: function f(){}\ndefault: async function* f(){} }",
    "SYNTAX_ERROR 2:26",
  ],
  ["a `var` in a catch clause", "let a;\ntry {} catch (a) { var a; }", "SYNTAX_ERROR 2:24"],
  ["an import that is deleted, if it is there", `${ERRORS}\ndelete E?.ToolCallError;`, "SYNTAX_ERROR 2:8"],
  ["the same in brackets", `${ERRORS}\ndelete E?.["ToolCallError"];`, "SYNTAX_ERROR 2:8"],
  ["the same beside text that is rewritten", `${ERRORS}\ndelete E.nope; "import()";`, "SYNTAX_ERROR 2:8"],
  ["an export of what is nowhere", "const a = 1;\nexport { a, nope };", "SYNTAX_ERROR 2:13"],
  ["the same under another name", 'const a = 1;\nexport { nope as "b c" };', "SYNTAX_ERROR 2:10"],
  ["an export of what only a function declares", "function f(a) { var b; }\nexport { f, b };", "SYNTAX_ERROR 2:13"],
  ["an unused default import that is nowhere", '\nimport x from "@codemode/errors";', "IMPORT_FAILURE 2:8"],
  ["an unused import that is nowhere", 'import { nope } from "@codemode/errors";', "IMPORT_FAILURE 1:10"],
  ["the same of a server", 'import { nope } from "@codemode/servers/files";', "IMPORT_FAILURE 1:10"],
  ["the same of a module beside", '\nimport { nope } from "./beside.js";', "IMPORT_FAILURE 2:10"],
  ["a name that is passed on and nowhere", 'export { nope } from "@codemode/errors";', "IMPORT_FAILURE 1:10"],
  ["the same of a module beside", 'export { a, nope as b } from "./beside.js";', "IMPORT_FAILURE 1:13"],
  [
    "a name with a space that is passed on and nowhere",
    'export { "b c" as d } from "./beside.js";',
    "IMPORT_FAILURE 1:10",
  ],
  ["the same of a name with other signs", 'import { "$(.*" as d } from "./beside.js";', "IMPORT_FAILURE 1:10"],
  ["an assignment to an import", `import { ToolCallError as E } from "@codemode/errors";\nE = 1;`, "SYNTAX_ERROR 2:1"],
  ["dots after a member of a class, over which V8 of Node 20 ends", "x(class {\n  a() {}... })", "SYNTAX_ERROR 2:9"],
  ["a deferred import", 'import defer * as E from "@codemode/errors";\nE;', "IMPORT_FAILURE 1:1"],
];

async function findIn(name: string, script: string): Promise<string[]> {
  const diagnostics = diagnosticsOf(await project.bundle(script, name));
  return diagnostics.map(({ code, path }) => `${code} ${path}`);
}

describe("a mistake is refused with its place in the author's text", () => {
  beforeAll(() => project.write({ "beside.js": "export const a = 1;\n", "lib/beside.js": "export const a = 1;\n" }));

  test.each(MISTAKES)("%s", async (_title, code, found) => {
    const [kind = "", place = ""] = found.split(" ");
    expect(await findIn("script.ts", code)).toEqual([`${kind} script.ts:${place}`]);
    project.write({ "lib/inner.ts": code });
    expect(await findIn("script.ts", 'import * as lib from "./lib/inner.ts";\nexport default lib;')).toEqual([
      `${kind} lib/inner.ts:${place}`,
    ]);
  });

  test.each(MISTAKES)("in JavaScript: %s", async (_title, code, found) => {
    const [kind = "", place = ""] = found.split(" ");
    const [line = ""] = place.split(":");
    const expected = expect.stringMatching(new RegExp(`^${kind} script\\.js:${line}:\\d+$`)) as string;
    expect(await findIn("script.js", code)).toEqual([expected]);
  });
});

test("operators that begin a legacy comment in JavaScript are refused, and are operators in TypeScript", async () => {
  const code = "let a = 1, b = 2;\nconst text = `<!--${/<!--/}`; // <!--\na<!--b";
  expect(await findIn("script.js", code)).toEqual(["SYNTAX_ERROR script.js:3:2"]);
  expect((await project.bundle(code, "script.ts")).ok).toBe(true);
});

describe("what only TypeScript forbids is JavaScript, and bundled", () => {
  test.each([
    ["two static members of one name", "class B { static f = 1; static f = 2 }\nexport default B.f;"],
    ["a default value of a setter's parameter", "export default { set x(v = 1) {} };"],
    ["a function of a parameter's name", "export default (function (f) { return typeof f; function f() {} })();"],
  ])("%s", async (_title, code) => {
    expect(bundleOf(await project.bundle(code)).code).toContain(code.split("\n")[0]?.replace("export default ", ""));
  });
});

describe("an import that only types use is left out", () => {
  test.each([
    ["of the runtime", 'import { ErrorDetails } from "@codemode/errors";\nexport default {} as ErrorDetails;'],
    ["of a server", 'import { EchoInput } from "@codemode/servers/everything";\nexport default {} as EchoInput;'],
    ["unused", 'import { EchoInput } from "@codemode/servers/everything";'],
    ["of a module beside", 'import { Row } from "./types.ts";\nexport default {} as Row;'],
    ["that a module passes on", 'import { Row } from "./passing.ts";\nexport default {} as Row;'],
    ["that all of a module passes on", 'import { Row } from "./all.ts";\nexport default {} as Row;'],
    ["that the script passes on", 'export { Row } from "./types.ts";'],
  ])("%s", async (_title, code) => {
    project.write({
      "types.ts": "export interface Row { a: 1 }\n",
      "passing.ts": 'export { Row } from "./types.ts";\n',
      "all.ts": 'export * from "./types.ts";\n',
    });
    expect((await project.bundle(code, "script.ts")).ok).toBe(true);
  });
});

test("of thousands of mistakes the first are named, and how many more there are", async () => {
  const diagnostics = diagnosticsOf(await project.bundle('require("fs");\n'.repeat(2000)));
  expect(diagnostics).toHaveLength(51);
  expect(diagnostics[49]).toMatchObject({ code: "IMPORT_FAILURE", path: "script.ts:50:1" });
  expect(diagnostics[50]).toMatchObject({ severity: "error", message: "And 1950 more findings." });
  const ofParser = diagnosticsOf(await project.bundle(`export default "${"\\u{".repeat(2000)}`));
  expect(ofParser).toHaveLength(51);
  expect(ofParser[49]).toMatchObject({ code: "SYNTAX_ERROR", path: "script.ts:1:164" });
  expect(ofParser[50]).toMatchObject({ severity: "error", message: "And 1951 more findings." });
});
