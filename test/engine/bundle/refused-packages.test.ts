import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnosticsOf } from "./bundle-project.ts";
import { firstComplaint, linkInstalled, makePackageProject, type PackageProject } from "./package-project.ts";

let project: PackageProject;

beforeAll(async () => {
  project = await makePackageProject();
  linkInstalled(project, "date-fns");
});
afterAll(() => project.remove());

describe("packages that are refused", () => {
  const CANNOT = "cannot be used: it ";

  test.each<[what: string, files: Record<string, string>, manifest: object, message: string]>([
    [
      "one that reads files",
      { "index.js": 'import { readFileSync } from "node:fs"; export default readFileSync("/etc/passwd", "utf8");' },
      {},
      'imports "node:fs", which is part of Node, and the sandbox has no Node API (script.ts → evil → node:fs).',
    ],
    [
      "one that reads files in an inner module, by a short name",
      {
        "index.js": 'export { default } from "./inner.js";',
        "inner.js": 'export default await import("fs/promises");',
      },
      {},
      'imports "fs/promises", which is part of Node, and the sandbox has no Node API (script.ts → evil → fs/promises).',
    ],
    [
      "a path out of its folder in exports",
      {},
      { exports: "./../../../secret.js" },
      'has no module for "import" or "default".',
    ],
    [
      "a path out of its folder in main",
      {},
      { main: "../../../secret.js" },
      'leaves its own folder with "../../../secret.js".',
    ],
    [
      "a path out of its folder in an import",
      { "index.js": 'export { default } from "../../../secret.js";' },
      {},
      'leaves its own folder with "../../../secret.js" (script.ts → evil → ../../../secret.js).',
    ],
    [
      "a path out of its folder in an inner name",
      { "index.js": 'export { default } from "#up/secret";' },
      { imports: { "#up/*": "./../../../*.js" } },
      'does not define "#up/secret" for "import" or "default" (script.ts → evil → #up/secret).',
    ],
    [
      "an absolute path",
      { "index.js": 'import "/etc/passwd";' },
      {},
      'imports "/etc/passwd", which is not a package (script.ts → evil → /etc/passwd).',
    ],
    [
      "a URL",
      { "index.js": 'import "https://evil.test/x.js";' },
      {},
      'imports "https://evil.test/x.js", which is not a package (script.ts → evil → https://evil.test/x.js).',
    ],
    [
      "tools of the project",
      { "index.js": 'export { echo } from "@codemode/servers/everything";' },
      { dependencies: { "@codemode/servers": "*" } },
      'imports "@codemode/servers/everything", and only the script itself may import tools (script.ts → evil → @codemode/servers/everything).',
    ],
    [
      "a package that it does not depend on",
      { "index.js": 'export * from "date-fns";' },
      {},
      'imports "date-fns", which it does not declare as a dependency (script.ts → evil → date-fns).',
    ],
    [
      "a dependency that is missing",
      { "index.js": 'export * from "lost";' },
      { dependencies: { lost: "1" } },
      'imports "lost", which is not installed (script.ts → evil → lost).',
    ],
    [
      "CommonJS",
      { "index.js": 'const fs = require("fs"); module.exports = fs;' },
      {},
      'is CommonJS in "index.js", and scripts take ES modules only (script.ts → evil).',
    ],
    [
      "CommonJS by its name",
      { "index.cjs": "" },
      { exports: "./index.cjs" },
      'is CommonJS in "./index.cjs", and scripts take ES modules only.',
    ],
    ["native code", { "a.node": "" }, { exports: "./a.node" }, 'has "./a.node", which is neither JavaScript nor JSON.'],
    ["broken code", { "index.js": "export const = 1;" }, {}, 'has a syntax error in "index.js" (script.ts → evil).'],
    ["broken data", { "a.json": "{" }, { exports: "./a.json" }, 'has "a.json", which is not JSON (script.ts → evil).'],
    [
      "a computed import",
      { "index.js": "export default (name) => import(name);" },
      {},
      'imports a module whose name is only known at run time, in "index.js" (script.ts → evil).',
    ],
    [
      "a subpath that is not exported",
      { "index.js": "export default 1;", "inner.js": "export default 2;" },
      { exports: { "./inner.js": null } },
      'has no module for "import" or "default".',
    ],
    [
      "conditions that go on forever",
      {},
      { exports: JSON.parse(`${'{"import":'.repeat(50)}"./index.js"${"}".repeat(50)}`) as object },
      'has no module for "import" or "default".',
    ],
  ])("%s", async (_, files, manifest, message) => {
    const own = await makePackageProject("project/");
    writeFileSync(join(dirname(own.root), "secret.js"), 'export default "secret";');
    own.install("evil", files, manifest);
    const outcome = await own.bundleWith('const a = 1;\nimport evil from "evil"; export default [a, evil];', {
      allow: ["evil"],
    });
    own.remove();
    expect(diagnosticsOf(outcome)).toMatchObject([
      {
        severity: "error",
        code: "IMPORT_FAILURE",
        message: `The package "evil" ${CANNOT}${message}`,
        hint: expect.any(String),
        path: "script.ts:2:18",
      },
    ]);
  });

  test("the chain goes from the script's module to what is refused", async () => {
    project.install(
      "a",
      { "index.js": 'export * from "./more.js";', "more.js": 'export * from "b";' },
      { dependencies: { b: "1" } },
    );
    project.install("b", { "index.js": 'import "node:net";' }, {}, "node_modules/a/node_modules/b");
    project.write({ "lib/part.ts": 'type A = 1;\n  export * from "a";' });
    const complaint = await firstComplaint(project, 'import "./lib/part.ts";', { allow: ["a"], folder: "scripts" });
    expect(complaint).toMatchObject({
      message: expect.stringMatching(/^The package "b" cannot be used: .* \(lib\/part\.ts → a → b → node:net\)\.$/),
      path: "lib/part.ts:2:17",
    });
  });

  test.each([
    ["a module that is a link out of it", "node_modules/leaky/index.js", "../../secret.js"],
    ["a folder that is a link out of it", "node_modules/leaky/lib", "../.."],
  ])("%s", async (_, path, target) => {
    const own = await makePackageProject();
    own.install("leaky", {}, { exports: { ".": "./index.js", "./*": "./lib/*" } });
    own.link(path, target);
    writeFileSync(join(own.root, "secret.js"), 'export default "secret";');
    const specifier = path.endsWith("lib") ? "leaky/secret.js" : "leaky";
    const outcome = await own.bundleWith(`export { default } from "${specifier}";`, { allow: ["leaky"] });
    own.remove();
    expect(diagnosticsOf(outcome)[0]?.message).toMatch(/leaves its own folder/);
  });

  test("a link to a folder that is not the package's", async () => {
    project.install("another", { "index.js": "export default 1;" }, {}, "elsewhere");
    project.link("node_modules/linked-away", "../elsewhere");
    expect(await firstComplaint(project, 'import "linked-away";', { allow: ["linked-away"] })).toMatchObject({
      message: 'The package "linked-away" is allowed but not installed.',
    });
  });

  test("modules of packages by a path", async () => {
    project.install("plain", { "index.js": "export default 1;" }, {}, "scripts/node_modules/plain");
    project.link("scripts/hidden", "node_modules/plain");
    for (const path of ["./node_modules/plain/index.js", "./hidden/index.js"]) {
      expect(
        await firstComplaint(project, `import ${JSON.stringify(path)};`, { allow: ["plain"], folder: "scripts" }),
      ).toMatchObject({
        hint: expect.stringContaining("Import the package by its name"),
      });
    }
  });

  test("a name that a package does not export, here and between packages", async () => {
    project.install("names", { "index.js": "export const addDays = 1;" });
    expect(
      await firstComplaint(project, 'import { addDay } from "names"; addDay;', { allow: ["names"] }),
    ).toMatchObject({
      message: 'The module "names" has no export "addDay".',
      hint: "Did you mean `addDays`?",
    });
    expect(
      await firstComplaint(project, 'import { addDay } from "date-fns"; addDay;', { allow: ["date-fns"] }),
    ).toMatchObject({
      hint: "Did you mean `addDays`?",
    });
    project.install("user", { "index.js": 'export { gone } from "names";' }, { dependencies: { names: "1" } });
    expect(await firstComplaint(project, 'import { gone } from "user"; gone;', { allow: ["user"] })).toMatchObject({
      message: expect.stringMatching(/^The package "user" cannot be bundled: .*gone.*names/),
    });
  });
});

describe("packages that are not allowed", () => {
  const IN_SCRIPTS = "scripts";

  test.each<[what: string, code: string, folder: string | undefined, allow: string[], message: string, hint: string]>([
    [
      "installed",
      'import "present";',
      IN_SCRIPTS,
      [],
      'The package "present" is installed, but scripts may not import it.',
      'If it is pure JavaScript, add "present" to "bundle": { "allow": […] } in the configuration.',
    ],
    [
      "not installed",
      'import "@some/where/else";',
      IN_SCRIPTS,
      [],
      'The package "@some/where" is not available',
      'Install it with `npm install @some/where`, and add "@some/where" to "bundle": { "allow": […] } in the configuration.',
    ],
    [
      "allowed and not installed",
      'import "absent";',
      undefined,
      ["absent"],
      'The package "absent" is allowed but not installed.',
      "Install it in the project, for instance with `npm install absent`.",
    ],
    [
      "misspelt",
      'import "presnt";',
      undefined,
      ["present"],
      'There is no package "presnt".',
      'Did you mean "present"?',
    ],
    [
      "like a dependency of the project",
      'import "date-fnz";',
      IN_SCRIPTS,
      [],
      'There is no package "date-fnz".',
      'Did you mean "date-fns"?',
    ],
  ])("one that is %s", async (_, code, folder, allow, message, hint) => {
    project.install("present", { "index.js": "" });
    writeFileSync(join(project.root, "package.json"), JSON.stringify({ devDependencies: { "date-fns": "4" } }));
    const complaint = await firstComplaint(project, code, folder === undefined ? { allow } : { allow, folder });
    expect(complaint).toMatchObject({ code: "IMPORT_FAILURE", hint, path: "script.ts:1:8" });
    expect(complaint.message.startsWith(message)).toBe(true);
  });

  test("code that was sent as text does not hear what is installed", async () => {
    project.install("present", { "index.js": "" });
    const [there, absent] = await Promise.all(
      ["present", "missing"].map(async (name) =>
        JSON.stringify(await firstComplaint(project, `import "${name}";`, { allow: ["ours"] })).replaceAll(
          name,
          "NAME",
        ),
      ),
    );
    expect(there).toBe(absent);
    expect(there).toContain('Allowed packages: \\"ours\\".');
  });
});
