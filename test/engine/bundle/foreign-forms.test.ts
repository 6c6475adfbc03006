import { describe, expect, test } from "vitest";
import { bundleModules } from "../../../engine/bundle/bundle-modules.ts";
import { linkScript } from "../../../engine/bundle/bundle-script.ts";
import { bundleOf, complaintsOf, openBundleProject, toolsOf } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

// Scripts as other systems write them: a function's body that ends with `return`, imports of files below ./servers, Python.

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);

const SUM = 'import { get_sum } from "@codemode/servers/everything";';

describe("a `return` at the top level gives the result", () => {
  test.each([
    ["of one line", "return 1 + 1;", 2],
    ["without a semicolon, before a comment", "const a = 3;\nreturn a // it\n// done", 3],
    ["early", "if (1 < 2) return 'early';\nreturn 'late';", "early"],
    ["in a loop", "for (const a of [1, 2, 3]) { if (a > 1) return a; }", 2],
    ["behind types", "interface Row { a: number }\nconst row: Row = { a: 4 };\nreturn row.a as number;", 4],
    [
      "of a call",
      `${SUM}\nconst sum = await get_sum({ a: 1, b: 2 });\nreturn { sum };`,
      { sum: 'get-sum:{"a":1,"b":2}' },
    ],
    ["on the line of an import", `${SUM} return await get_sum({ a: 1 });`, 'get-sum:{"a":1}'],
    [
      "behind two imports",
      `import { ToolCallError } from "@codemode/errors"\n${SUM}\nreturn [typeof ToolCallError, typeof get_sum];`,
      ["function", "function"],
    ],
    [
      "behind imports without semicolons",
      'import type { EchoInput } from "@codemode/servers/everything"\nimport { ToolCallError } from "@codemode/errors" // used\n/* here */ return typeof ToolCallError',
      "function",
    ],
    ["of an executable script", "#!/usr/bin/env node\nreturn 8", 8],
    ["after a directive", '"use strict";\nreturn 9', 9],
    ["that awaits", "return await Promise.resolve(5);", 5],
    ["in JavaScript that assigns a hoisted name", "var a = f(); return a; function f() { return 6; }", 6],
  ])("%s", async (_title, code, result) => {
    const outcome = await project.bundle(code);
    const answer = await compartments.run(bundleOf(outcome).code);
    expect(answer).toMatchObject({ result });
  });

  test("in either way to make a bundle, with the tools that it names", async () => {
    const code = `${SUM}\nreturn await get_sum({ a: 1, b: 2 });`;
    const options = { generatedFolder: project.generatedFolder, lockfile: project.lockfile };
    const linked = await linkScript({ name: "script.ts", code }, "script/script.ts", options);
    const bundled = await bundleModules({ name: "script.ts", code }, "script/script.ts", options);
    expect(linked?.bundle.manifest).toEqual(bundleOf(bundled).manifest);
    for (const { code: program } of [bundleOf(linked ?? bundled), bundleOf(bundled)])
      expect(await compartments.run(program)).toMatchObject({ result: 'get-sum:{"a":1,"b":2}' });
  });

  test.each([
    ["an undeclared name", "const a = 1;\n  return total + a;", "2:10"],
    ["on the first line", "return total;", "1:8"],
    ["behind an import on its line", `${SUM} return [get_sum, total];`, "1:74"],
  ])("its mistakes have the places that the author sees: %s", async (_title, code, place) => {
    const [found, ...others] = await complaintsOf(project, code);
    expect(others).toEqual([]);
    expect(found).toContain(`TYPE_ERROR script.ts:${place}: Declare it`);
  });

  test("a name of a tool without its import is reported with the `return`, in one answer", async () => {
    const [found] = await complaintsOf(project, "const files = await external_list_files({});\nreturn files;");
    expect(found).toContain('1:21: Import it: `import { list_files } from "@codemode/servers/files";`.');
  });

  test("a script that exports as well is a mistake, as is a module beside a script", async () => {
    const hint = "A script is a module: write `export default VALUE` in place of `return`.";
    expect(await complaintsOf(project, "export const a = 1;\nreturn a;")).toEqual([
      `SYNTAX_ERROR script.ts:2:1: ${hint}`,
    ]);
    project.write({ "lib/returns.ts": "export const a = 1;\nreturn a;", "main.ts": "" });
    expect(await complaintsOf(project, 'import { a } from "./lib/returns.ts"; a;', "main.ts")).toEqual([
      `SYNTAX_ERROR lib/returns.ts:2:1: ${hint}`,
    ]);
  });
});

describe("a path to a server, as in code execution with files, is the server", () => {
  test.each([
    ['import * as files from "./servers/files";\nexport default await files.read_file({ text: "a" });'],
    ['import * as files from "./servers/files/index.js";\nexport default await files.read_file({ text: "a" });'],
    ['import { read_file } from "../servers/files/index.ts";\nexport default await read_file({ text: "a" });'],
    ['import { read_file } from "./servers/files/readFile.js";\nexport default await read_file({ text: "a" });'],
    ['import { read_file } from "./servers/files/read_file";\nexport default await read_file({ text: "a" });'],
    ['import * as files from "./servers/Files.ts";\nreturn await files.read_file({ text: "a" });'],
  ])("%s", async (code) => {
    const outcome = await project.bundle(code);
    expect(toolsOf(outcome)).toEqual(["files/read_file"]);
    expect((await compartments.run(bundleOf(outcome).code)).calls).toEqual([["files", "read_file", { text: "a" }]]);
  });

  test("a file of the author's comes first", async () => {
    project.write({ "servers/files.ts": "export const mine = 1;" });
    const outcome = await project.bundle('import { mine } from "./servers/files.ts"; export default mine;', "main.ts");
    expect(toolsOf(outcome)).toEqual([]);
    expect(await compartments.run(bundleOf(outcome).code)).toMatchObject({ result: 1 });
  });

  test("a server or a tool that is not there gets the hint of its name", async () => {
    expect(await complaintsOf(project, 'import * as a from "./servers/filez";\na;')).toEqual([
      'IMPORT_FAILURE script.ts:1:20: Did you mean "@codemode/servers/files"?',
    ]);
    expect(await complaintsOf(project, 'import { readFile } from "./servers/files";\nreadFile;')).toEqual([
      "IMPORT_FAILURE script.ts:1:10: Did you mean `read_file`?",
    ]);
  });
});

describe("Python is said to be Python", () => {
  test.each([
    "import asyncio\nresult = await tools.read_file(path='a')\nprint(result)",
    "for row in rows:\n    print(row)",
    "async def main():\n    return 1",
    '# read the file\ncontent = read_file(path="a")',
    "if not rows:\n    print('none')\nelse:\n    print(rows)",
    "with open('a') as f:\n    text = f.read()",
    "def add(a, b): # adds\n    return a + b",
    "from files import read_file\nprint(read_file('a'))",
    "try:\n    a = 1\nexcept Exception as e:\n    print(e)",
  ])("%j", async (code) => {
    const [found] = await complaintsOf(project, code);
    expect(found).toContain("This looks like Python: a script is an ES module in TypeScript or JavaScript.");
  });
});
