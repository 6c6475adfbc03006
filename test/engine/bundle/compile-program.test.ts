import { parseAst } from "rollup/parseAst";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkProgram } from "../../../engine/bundle/program/compile-program.ts";
import type { SyntaxNode } from "../../../engine/bundle/syntax/syntax-tree.ts";
import { complaintsOf, makeBundleProject, type BundleProject } from "./bundle-project.ts";

const CODE =
  'import { a } from "b";\nexport default class extends a {}\nexport const here = import.meta;\nawait here;\n';

function moduleOf(code: string) {
  const program = parseAst(code) as unknown as SyntaxNode;
  return {
    name: "script.js",
    code,
    map: undefined,
    uses: [],
    imports: new Map(),
    places: new Map(),
    free: { undeclared: [], globals: new Set<string>() },
    program,
  };
}

/** A program of one line, each of whose first columns is the same place of the script. */
function programOf(code: string) {
  return {
    code,
    map: { version: 3 as const, names: [], sources: ["script.js"], sourcesContent: [null], mappings: "AAEE" },
  };
}

test("a program that compiles is used", async () => {
  expect(await checkProgram(programOf("(async function () { await 1; })"), [moduleOf(CODE)])).toBeUndefined();
});

test("a program that does not compile is codemode's mistake, where all that the author wrote does", async () => {
  expect(await checkProgram(programOf("if (x) for (;;)\n else throw 1"), [moduleOf(CODE)])).toEqual({
    severity: "error",
    code: "BUNDLE_FAILURE",
    message: "codemode generated invalid JavaScript from this script: Unexpected token 'else'.",
    hint: expect.stringContaining("This is a bug in codemode") as string,
  });
});

test("it names the place in the script that the text was made of", async () => {
  expect(await checkProgram(programOf("else"), [moduleOf(CODE)])).toMatchObject({ path: "script.js:3:3" });
});

describe("what only the engine refuses is the author's mistake", () => {
  let project: BundleProject;
  beforeAll(async () => {
    project = await makeBundleProject();
  });
  afterAll(() => project.remove());

  const IMPORTS = 'import * as errors from "@codemode/errors"; import * as all from "@codemode/servers/files";';

  test.each([
    ["an import that is deleted as a member", "delete errors.ToolCallError;"],
    ["one that may not be there", "delete errors?.ToolCallError;"],
    ["a tool", "export default (() => delete all?.read_file)();"],
  ])("%s", async (_title, code) => {
    const [complaint] = await complaintsOf(project, `${IMPORTS}\n${code}`, "script.js");
    expect(complaint).toMatch(/^SYNTAX_ERROR script\.js:2:\d+: Imports are constants/);
  });

  test("a mistake that stands in a module with imports and exports keeps its place", async () => {
    const wrong = moduleOf(`${CODE}export function late() {\n  return /a/;\n}\n`);
    wrong.code = wrong.code.replace("/a/", "/(/");
    expect(await checkProgram(programOf("/(/"), [moduleOf(CODE), wrong])).toMatchObject({
      code: "SYNTAX_ERROR",
      path: "script.js:6:10",
    });
  });

  test("one behind a default export without a name, and behind every end of a line that the engine counts", async () => {
    const wrong = moduleOf("let a;\r// b\u2028export default class {} export const late = /a/;\n");
    wrong.code = wrong.code.replace("/a/", "/(/");
    expect(await checkProgram(programOf("/(/"), [wrong])).toMatchObject({ path: "script.js:1:57" });
  });
});
