import { expect, test } from "vitest";
import { bundleOf, complaintsOf, openBundleProject, toolsOf } from "./bundle-project.ts";

const project = await openBundleProject();

test.each([
  ["an object literal", `export const input = { type: "object", required: ["name"] };`],
  [
    "TypeScript around it",
    `export const input = { "type": "object", required: [\`name\`] } as const satisfies object;`,
  ],
  [
    "another constant",
    `const required = ["name"] as const; const schema = { type: "object", required }; export const input = schema;`,
  ],
])("the schema of the input is read from %s", async (_, code) => {
  expect(bundleOf(await project.bundle(`${code} export default 1;`)).input).toEqual({
    type: "object",
    required: ["name"],
  });
});

test("a script without a declared input takes any", async () => {
  expect(bundleOf(await project.bundle("export default 1;"))).not.toHaveProperty("input");
});

test.each([
  "export const input = makeSchema(); function makeSchema() { return {}; }",
  "export const input = { ...{ type: 'object' } };",
  "export const input = { get type() { return 'object'; } };",
  "const first = second; const second = first; export const input = first;",
  "export const input = [1];",
])("what is no constant schema is refused with its place: %s", async (code) => {
  const [complaint] = await complaintsOf(project, code);
  expect(complaint).toMatch(/^SYNTAX_ERROR script\.ts:1:\d+: Write it as an object literal/);
});

test("a key called __proto__ is a key like any other", async () => {
  const { input } = bundleOf(await project.bundle(`export const input = { ["__proto__"]: { type: "object" } };`));
  expect(Object.keys(input as object)).toEqual(["__proto__"]);
});

test("only the script itself declares its input, not a module beside it", async () => {
  project.write({ "lib/input.ts": "export const input = Math.random();" });
  const outcome = await project.bundle(`import { input } from "./lib/input.ts"; export default input;`, "script.ts");
  expect(bundleOf(outcome)).not.toHaveProperty("input");
});

test.each([
  [`["everything"]`, ["everything/echo", "everything/get_sum"]],
  [`["files"]`, ["files/list_files"]],
  [`["everything/get-*", "files/list_files"]`, ["everything/get_sum", "files/list_files"]],
  [`[]`, []],
])("a script that requests %s can call no more than that", async (requested, tools) => {
  const outcome = await project.bundle(`
    import { echo, get_sum } from "@codemode/servers/everything"; import { list_files } from "@codemode/servers/files";
    export const requestedCapabilities = ${requested};
    export default [echo, get_sum, list_files];`);
  expect(toolsOf(outcome)).toEqual(tools);
});

test("capabilities that are not constant are refused", async () => {
  const [complaint] = await complaintsOf(project, "export const requestedCapabilities = [Math.random()];");
  expect(complaint).toMatch(/^SYNTAX_ERROR script\.ts:1:\d+: Write it as a list of texts/);
});
