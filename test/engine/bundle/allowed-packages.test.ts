import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleOf } from "./bundle-project.ts";
import { startCompartments, type CompartmentRunner } from "./compartment-runner.ts";
import { firstComplaint, linkInstalled, makePackageProject, type PackageProject } from "./package-project.ts";

let project: PackageProject;
let compartments: CompartmentRunner;

beforeAll(async () => {
  project = await makePackageProject();
  compartments = await startCompartments();
  for (const name of ["date-fns", "magic-string", "minisearch"]) linkInstalled(project, name);
});
afterAll(() => project.remove());

async function resultOf(code: string, allow: string[]): Promise<unknown> {
  const { result, error } = await compartments.run(bundleOf(await project.bundleWith(code, { allow })).code);
  expect(error).toBeUndefined();
  return result;
}

describe("real packages", () => {
  test("date-fns runs in the sandbox, and only what is used of it is in the bundle", async () => {
    const code = 'import { addDays } from "date-fns"; export default addDays(new Date(0), 1).toISOString();';
    expect(await resultOf(code, ["date-fns"])).toBe("1970-01-02T00:00:00.000Z");
    const bundle = bundleOf(await project.bundleWith(code, { allow: ["date-fns"] }));
    const { version } = JSON.parse(readFileSync("node_modules/date-fns/package.json", "utf8")) as { version: string };
    expect(bundle.packages).toEqual([{ name: "date-fns", version }]);
    expect(bundle.map.sources).toContain("node_modules/date-fns/addDays.js");
    expect(bundle.map.sources).not.toContain("node_modules/date-fns/addHours.js");
    expect(Buffer.byteLength(bundle.code)).toBeLessThan(10_000);
  });

  test("a subpath that a package exports", async () => {
    const code = 'import { addDays } from "date-fns/addDays"; export default addDays(new Date(0), 2).getUTCDate();';
    expect(await resultOf(code, ["date-fns"])).toBe(3);
  });

  test("a package brings its own dependencies with it, and the bundle says which", async () => {
    const code = 'import MagicString from "magic-string"; export default new MagicString("a").append("b").toString();';
    expect(await resultOf(code, ["magic-string"])).toBe("ab");
    const { packages } = bundleOf(await project.bundleWith(code, { allow: ["magic-string"] }));
    expect(packages?.map(({ name }) => name)).toEqual(["@jridgewell/sourcemap-codec", "magic-string"]);
    const direct = 'import { decode } from "@jridgewell/sourcemap-codec"; decode("");';
    expect(await firstComplaint(project, direct, { allow: ["magic-string"] })).toMatchObject({
      code: "IMPORT_FAILURE",
    });
  });

  test("a package of one large module", async () => {
    const code = `import MiniSearch from "minisearch";
      const index = new MiniSearch({ fields: ["text"] });
      index.addAll([{ id: 1, text: "red fox" }, { id: 2, text: "blue whale" }]);
      export default index.search("whale").map(({ id }) => id);`;
    expect(await resultOf(code, ["minisearch"])).toEqual([2]);
  });

  test("the source map names modules of packages without their text", async () => {
    const code = 'import { addDays } from "date-fns"; export default addDays(new Date(0), 1);';
    const { map } = bundleOf(await project.bundleWith(code, { allow: ["date-fns"] }));
    const texts = map.sources.map((name, index) => [name, map.sourcesContent?.[index] ?? null] as const);
    expect(texts.filter(([, text]) => text !== null).map(([name]) => name)).toEqual(["script.ts"]);
  });
});

test("the same packages give the same bytes wherever and however they are installed", async () => {
  const flat = await makePackageProject();
  const stored = await makePackageProject("a folder with another name/");
  const outer = { "index.js": 'import { inner } from "inner"; export const outer = () => inner + 1;' };
  const inner = { "index.js": "export const inner = 41;" };
  const needs = { dependencies: { inner: "1" } };
  flat.install("outer", outer, needs);
  flat.install("inner", inner);
  stored.install("outer", outer, needs, "node_modules/.pnpm/outer@1.2.3/node_modules/outer");
  stored.install("inner", inner, {}, "node_modules/.pnpm/inner@1.2.3/node_modules/inner");
  stored.link("node_modules/outer", ".pnpm/outer@1.2.3/node_modules/outer");
  stored.link("node_modules/.pnpm/outer@1.2.3/node_modules/inner", "../../inner@1.2.3/node_modules/inner");
  const code = 'import { outer } from "outer"; export default outer();';
  const texts = [flat, stored].map(async (one) => {
    const text = JSON.stringify(bundleOf(await one.bundleWith(code, { allow: ["outer"] })));
    expect(text).not.toContain(one.root);
    one.remove();
    return text;
  });
  expect(await texts[0]).toBe(await texts[1]);
});

describe("how a package is read", () => {
  test.each<[what: string, manifest: object, files: Record<string, string>, specifier: string]>([
    ["exports as a text", { exports: "./main.js" }, { "main.js": "export default 1;" }, "p"],
    ["conditions", { exports: { node: "./n.js", import: "./main.js" } }, { "main.js": "export default 1;" }, "p"],
    [
      "the first condition that fits",
      { exports: { ".": { default: "./main.js", import: "./other.js" } } },
      { "main.js": "export default 1;", "other.js": "export default 2;" },
      "p",
    ],
    [
      "nested conditions",
      { exports: { import: { node: "./n.js", default: "./main.js" } } },
      { "main.js": "export default 1;" },
      "p",
    ],
    [
      "a list of targets",
      { exports: [null, { node: "./n.js" }, "./main.js"] },
      { "main.js": "export default 1;" },
      "p",
    ],
    ["patterns", { exports: { "./*": "./lib/*.js" } }, { "lib/a/b.js": "export default 1;" }, "p/a/b"],
    [
      "the closest pattern",
      { exports: { "./*": "./lib/*.js", "./a/*": "./main.js" } },
      { "lib/a/b.js": "export default 2;", "main.js": "export default 1;" },
      "p/a/b",
    ],
    [
      "its inner names",
      { exports: "./main.js", imports: { "#one": { node: "./n.js", default: "./one.js" } } },
      { "main.js": 'export { default } from "#one";', "one.js": "export default 1;" },
      "p",
    ],
    [
      "its own name",
      { exports: { ".": "./main.js", "./one": "./one.js" } },
      { "main.js": 'export { default } from "p/one";', "one.js": "export default 1;" },
      "p",
    ],
    ["the member module", { main: "no.cjs", module: "esm/main" }, { "esm/main.js": "export default 1;" }, "p"],
    ["neither", {}, { "index.js": "export default 1;" }, "p"],
    ["data", { exports: "./main.js" }, { "main.js": 'export { default } from "./a.json";', "a.json": "1" }, "p"],
  ])("by %s", async (_, manifest, files, specifier) => {
    const own = await makePackageProject();
    own.install("p", files, manifest);
    const outcome = await own.bundleWith(`export { default } from "${specifier}";`, { allow: ["p"] });
    own.remove();
    expect((await compartments.run(bundleOf(outcome).code)).result).toBe(1);
  });

  test.each<[sideEffects: unknown, hasEffect: boolean]>([
    [undefined, true],
    [false, false],
    [["./effect.js"], true],
    [["**/eff*.js"], true],
    [["*.css"], false],
  ])("sideEffects %j keeps a module that nothing is used of: %j", async (sideEffects, hasEffect) => {
    const files = { "index.js": 'import "./effect.js"; export const a = 1;', "effect.js": 'console.log("effect");' };
    project.install("effects", files, { sideEffects });
    const code = 'import { a } from "effects"; export default a;';
    const bundle = bundleOf(await project.bundleWith(code, { allow: ["effects"] }));
    expect(bundle.code.includes('"effect"')).toBe(hasEffect);
  });

  test("two versions are two packages, and none can pass for the other", async () => {
    project.install("first", { "index.js": 'export { name } from "same";' }, { dependencies: { same: "1" } });
    project.install("same", { "index.js": 'export const name = "false";' }, {}, "node_modules/first/node_modules/same");
    project.install("same", { "index.js": 'export const name = "true";' });
    const code = 'import { name } from "first"; import { name as own } from "same"; export default [name, own];';
    expect(await resultOf(code, ["first", "same"])).toEqual(["false", "true"]);
  });

  test("text that SES refuses, and loops that do not end", async () => {
    const files = {
      "index.js": 'export const mark = "<!-- import(1) -->"; export const spin = () => { while (true) {} };',
    };
    project.install("odd", files);
    expect(await resultOf('import { mark } from "odd"; export default mark;', ["odd"])).toBe("<!-- import(1) -->");
    const bundle = bundleOf(await project.bundleWith('import { spin } from "odd"; spin();', { allow: ["odd"] }));
    expect(bundle.code).toContain("while (true)");
  });

  test("a workspace that is linked by its name", async () => {
    project.install("ours", { "index.js": "export default 1;" }, {}, "packages/ours");
    project.link("node_modules/ours", "../packages/ours");
    expect(await resultOf('export { default } from "ours";', ["ours"])).toBe(1);
  });
});

test("what a package does to built-in objects at load fails in the frozen realm", async () => {
  project.install("patches", { "index.js": "Array.prototype.last = function () {}; export default 1;" });
  const bundle = bundleOf(await project.bundleWith('export { default } from "patches";', { allow: ["patches"] }));
  expect((await compartments.run(bundle.code)).error).toMatch(/TypeError/);
});
