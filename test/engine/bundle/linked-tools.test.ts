import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleOf, makeBundleProject } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

async function setUp() {
  const [project, compartments] = await Promise.all([makeBundleProject(), startCompartments()]);
  onTestFinished(() => project.remove());
  const echoModule = join(project.generatedFolder, "everything/tools/echo.js");
  return {
    /** Changes the generated module of `echo` by hand. */
    change: (edit: (text: string) => string) => writeFileSync(echoModule, edit(readFileSync(echoModule, "utf8"))),
    bundle: async (code: string) => bundleOf(await project.bundle(code)),
    run: async (code: string) => compartments.run(bundleOf(await project.bundle(code)).code),
  };
}

const ECHO = `import { echo } from "@codemode/servers/everything";\nexport default await echo({ text: "a" });`;

test("a tool is linked once, in front of the script, with nothing of the tools that are not used", async () => {
  const { bundle } = await setUp();
  const { code } = await bundle(ECHO);
  expect(code).toContain('"everything/tools/echo.js":');
  expect(code.match(/function validate0/g)).toHaveLength(1);
  expect(code).not.toContain("get_sum");
});

test("a script may use the name of the linked tools", async () => {
  const { run } = await setUp();
  const outcome = await run(`${ECHO.replace("export default", "const said =")}
const __codemode_tools__ = { said: typeof said };
export default Object.keys(__codemode_tools__);`);
  expect(outcome.result).toEqual(["said"]);
});

test.each([
  ["awaits something outside of its functions", (text: string) => `${text}\nawait null;\n`],
  [
    "imports under another name",
    (text: string) => text.replaceAll("callTool", "callTool as call").replace("return callTool as call", "return call"),
  ],
  [
    "exports in a list",
    (text: string) =>
      `${text.replace("export async function", "async function").replace("export function", "function")}\nexport { echo };\n`,
  ],
])("a module that %s is bundled as any other", async (_title, edit) => {
  const { bundle, change } = await setUp();
  change(edit);
  const { code, manifest } = await bundle(ECHO);
  expect(code).not.toContain('"everything/tools/echo.js":');
  expect(manifest.tools.map(({ toolName }) => toolName)).toEqual(["echo"]);
});

test("a changed module is linked again", async () => {
  const { bundle, change } = await setUp();
  const before = await bundle(ECHO);
  change((text) => `${text}\nconst added = 1;\n`);
  const after = await bundle(ECHO);
  expect(before.code).not.toContain("const added = 1;");
  expect(after.code).toContain("const added = 1;");
});
