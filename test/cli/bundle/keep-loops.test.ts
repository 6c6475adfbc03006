import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleOf, makeBundleProject, type BundleProject } from "./bundle-project.ts";

let project: BundleProject;

beforeAll(async () => {
  project = await makeBundleProject();
});
afterAll(() => project.remove());

test.each([
  "while (true) {}",
  "for (;;) {}",
  "do {} while (1);",
  "let i = 0; while (i < 10) i -= 1;",
  "const wait = async () => { for (;;) { } }; await wait();",
])("a loop that changes nothing stays in the program: %s", async (code) => {
  const { code: program } = bundleOf(await project.bundle(code));
  expect(program).toMatch(/while|for/);
});

test("a loop in a function that nothing calls goes with it, and the tools in it too", async () => {
  const code = `import { echo } from "@codemode/servers/everything"; async function never() { while (true) await echo({ text: "a" }); }`;
  const { code: program, manifest } = bundleOf(await project.bundle(code));
  expect(program).not.toContain("while");
  expect(manifest.tools).toEqual([]);
});
