import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { complaintsOf, openBundleProject } from "./bundle-project.ts";

const project = await openBundleProject();

describe("modules beside the script", () => {
  let elsewhere: string;

  beforeAll(() => {
    elsewhere = mkdtempSync(join(tmpdir(), "codemode-elsewhere-"));
    writeFileSync(join(elsewhere, "secret.ts"), `export const secret = 1;`);
    writeFileSync(join(project.folder, "../secret.ts"), `export const secret = 1;`);
    symlinkSync(join(elsewhere, "secret.ts"), join(project.folder, "link.ts"));
    symlinkSync(elsewhere, join(project.folder, "linked"));
    project.write({
      "lib/one.ts": `export const one: number = 1;\nexport interface Row { id: string }`,
      "lib/broken.ts": `export const broken = 1;\nconst x: = 2;`,
      "lib/climbs.ts": `export * from "../../secret.ts";`,
      "lib/bad-import.ts": `// a line\nimport fs from "node:fs";\nexport const read = fs.readFileSync;`,
      "lib/broken.json": `{ "a": 1, }`,
      "lib/page.html": `<p>`,
    });
  });
  afterAll(() => rmSync(elsewhere, { recursive: true }));

  const OUTSIDE = "Move the module into the folder of the script, or into a folder below it.";
  const MISSING = "Check the path, and that the file ends in .ts, .js, .mts, .mjs, .json.";

  test.each([
    ["above the folder", `import { secret } from "../secret.ts"; secret;`, `IMPORT_FAILURE script.ts:1:24: ${OUTSIDE}`],
    [
      "above the folder by a detour",
      `import { secret } from "./lib/../../secret.ts"; secret;`,
      `IMPORT_FAILURE script.ts:1:24: ${OUTSIDE}`,
    ],
    [
      "above the folder, by a module",
      `import * as x from "./lib/climbs.ts"; console.log(x);`,
      `IMPORT_FAILURE lib/climbs.ts:1:15: ${OUTSIDE}`,
    ],
    ["behind a link", `import { secret } from "./link.ts"; secret;`, `IMPORT_FAILURE script.ts:1:24: ${OUTSIDE}`],
    [
      "behind a linked folder",
      `import { secret } from "./linked/secret.ts"; secret;`,
      `IMPORT_FAILURE script.ts:1:24: ${OUTSIDE}`,
    ],
    ["the folder itself", `import "..";`, `IMPORT_FAILURE script.ts:1:8: ${OUTSIDE}`],
    ["missing", `import { two } from "./lib/two.ts"; two;`, `IMPORT_FAILURE script.ts:1:21: ${MISSING}`],
    ["a folder", `import "./lib";`, `IMPORT_FAILURE script.ts:1:8: ${MISSING}`],
    ["no module", `import "./lib/page.html";`, `IMPORT_FAILURE script.ts:1:8: ${MISSING}`],
    ["with a zero byte", `import "./lib/one.ts\\0";`, `IMPORT_FAILURE script.ts:1:8: ${MISSING}`],
    [
      "an export that is not there",
      `import { onne } from "./lib/one.ts";\nconsole.log(onne);`,
      "IMPORT_FAILURE script.ts:1:10: Did you mean `one`?",
    ],
    [
      "a broken module",
      `import { broken } from "./lib/broken.ts"; broken;`,
      "SYNTAX_ERROR lib/broken.ts:2:10: Fix the syntax error at that position; the script did not run.",
    ],
    [
      "a bad import of a module",
      `import { read } from "./lib/bad-import.ts"; read;`,
      `IMPORT_FAILURE lib/bad-import.ts:2:16: Tools are the only way out of the sandbox: import one from a server. Servers: "@codemode/servers/everything", "@codemode/servers/files".`,
    ],
    [
      "broken JSON",
      `import data from "./lib/broken.json"; data;`,
      "SYNTAX_ERROR lib/broken.json:1:11: Fix the syntax error at that position; the script did not run.",
    ],
  ])("%s", async (_title, code, complaint) => {
    expect(await complaintsOf(project, code, "script.ts")).toEqual([complaint]);
  });

  test("a missing member of a namespace is a warning, for it may be looked for on purpose", async () => {
    const outcome = await project.bundle(
      `import * as lib from "./lib/one.ts";\nexport default lib.onne ?? lib.one;`,
      "script.ts",
    );
    expect(outcome.ok && outcome.warnings).toEqual([
      {
        severity: "warning",
        code: "IMPORT_FAILURE",
        message: `The module "lib/one.ts" has no export "onne".`,
        hint: "Did you mean `one`?",
        path: "script.ts:2:20",
      },
    ]);
  });
});

test("a module that is not UTF-8 is an error of its author, with the line", async () => {
  project.write({ "use.ts": 'import { n } from "./latin.ts";\nexport default n;\n' });
  writeFileSync(join(project.folder, "latin.ts"), Buffer.from('export const n =\n  "M\xfcller";\n', "latin1"));
  const outcome = await project.bundle('import { n } from "./latin.ts";\nexport default n;\n', "use.ts");
  expect(outcome).toMatchObject({ ok: false, diagnostics: [{ code: "SYNTAX_ERROR" }] });
  expect(JSON.stringify(outcome)).toContain("latin.ts: line 2 is not UTF-8");
});
