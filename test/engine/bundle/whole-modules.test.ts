import { describe, expect, test } from "vitest";
import { bundleOf, openBundleProject, toolsOf } from "./bundle-project.ts";

const project = await openBundleProject();

describe("nothing of a script is left out", () => {
  test.each([
    "while (true) {}",
    "for (;;) {}",
    "do {} while (1);",
    "let i = 0; while (i < 10) i -= 1;",
    "const wait = async () => { for (;;) { } }; await wait();",
    "const list = []; while (true) { const part = new Uint8Array(8 << 20); list.push(part); }",
    "const [first] = { [Symbol.iterator]: () => ({ next: () => ({ done: true }) }) };",
    "function never() { return 1; }",
  ])("%s", async (code) => {
    const { code: program } = bundleOf(await project.bundle(code, "script.js"));
    expect(program).toContain(code);
  });
});

test("of a module that only passes on what others export, the manifest has what is taken of it", async () => {
  project.write({
    "tools.ts": `export * from "@codemode/servers/everything"; export * as files from "@codemode/servers/files";`,
  });
  const code = `import { echo, files } from "./tools.ts"; await echo({ text: "a" }); await files.list_files({});`;
  expect(toolsOf(await project.bundle(code, "script.ts"))).toEqual(["everything/echo", "files/list_files"]);
});
