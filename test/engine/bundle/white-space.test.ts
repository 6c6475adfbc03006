import { expect, test } from "vitest";
import { bundleOf, openBundleProject, toolsOf } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);

/** As much as quadratic time could not be waited for. */
const SPACE = " ".repeat(100_000);

test.each([
  ["a string", `const text = "${SPACE}|"; export default text.length;`, SPACE.length + 1],
  ["a template", `const text = \`${SPACE.replaceAll(" ", "\n")}|\`; export default text.length;`, SPACE.length + 1],
  ["a comment without a last line break", `export default 1; /*${SPACE}*/ 2 // end`, 1],
  ["code", `const a = 1${SPACE}\nexport default class {${SPACE}static name = a }`, undefined],
  ["a function that is exported", `export default (function () {${SPACE}return 1; })()`, 1],
])("much white space in %s takes no time of its own", async (_title, code, result) => {
  for (const name of ["script.js", "script.ts"]) {
    expect((await compartments.run(bundleOf(await project.bundle(code, name)).code)).result).toEqual(result);
  }
});

test("in modules beside, of which one only passes on what another exports", async () => {
  project.write({
    "lib/long.js": `export const text = "${SPACE}|"; export default () => text.length;`,
    "lib/passing.js": `/*${SPACE}*/ export * from "./long.js"; export { default } from "./long.js"; /*${SPACE}|*/`,
  });
  const code = `import length, { text } from "./lib/passing.js";\nexport default [length(), text.length, length.name];`;
  const { result } = await compartments.run(bundleOf(await project.bundle(code, "script.js")).code);
  expect(result).toEqual([SPACE.length + 1, SPACE.length + 1, "default"]);
});

test("blocks that are indented deeply", async () => {
  const code = `${"{".repeat(1500)}globalThis.__codemode_result__ = 1;${"}".repeat(1500)}`;
  expect((await compartments.run(bundleOf(await project.bundle(code, "script.ts")).code)).result).toBe(1);
});

test("a module that passes on the tools of a server holds the used ones", async () => {
  project.write({ "lib/tools.js": `/*${SPACE}*/ export * from "@codemode/servers/files"; /*${SPACE}|*/` });
  const code = `import { read_file } from "./lib/tools.js";\nexport default await read_file({ text: "a" });`;
  expect(toolsOf(await project.bundle(code, "script.js"))).toEqual(["files/read_file"]);
});

test.each(["\r", "\u2028", "\u2029"])("a comment ends with the end of a line that is %j", async (end) => {
  const code = `class A { one//${end}() { return 1; } /* ${end} */ two() { return "${end === "\r" ? "" : end}".length; } }
export default [new A().one(), new A().two(), \`//${end}\`.length]; // ${end}`;
  const { result } = await compartments.run(bundleOf(await project.bundle(code, "script.js")).code);
  expect(result).toEqual([1, end === "\r" ? 0 : 1, 3]);
});
