import { expect, test } from "vitest";
import { loadConfig } from "../../engine/load-config.ts";
import { isScriptName, toNamedScripts } from "../../schemas/config/named-scripts.ts";
import { makeProject } from "../e2e/run-codemode.ts";

async function load(scripts: unknown): Promise<Awaited<ReturnType<typeof loadConfig>>> {
  return loadConfig({
    cwd: await makeProject({ "codemode.config.json": JSON.stringify({ mcpServers: {}, scripts }) }),
  });
}

test("a script is a file, or a file with what agents should know of it", async () => {
  const { scripts } = await load({
    nightly: "scripts/nightly.ts",
    report: { file: "./report.json", description: "Sums up the week.", tool: true },
    plain: { file: "a/../b.js" },
  });
  expect([...scripts]).toEqual([
    ["nightly", { name: "nightly", file: "scripts/nightly.ts", isTool: false }],
    ["report", { name: "report", file: "./report.json", description: "Sums up the week.", isTool: true }],
    ["plain", { name: "plain", file: "a/../b.js", isTool: false }],
  ]);
});

test("what is not written of a script is not there", () => {
  const written = { a: "a.ts", b: { file: "b.json", source: "b.ts" }, c: { file: "c.ts", description: "C." } };
  expect([...toNamedScripts(written).values()]).toStrictEqual([
    { name: "a", file: "a.ts", isTool: false },
    { name: "b", file: "b.json", source: "b.ts", isTool: false },
    { name: "c", file: "c.ts", description: "C.", isTool: false },
  ]);
  expect(toNamedScripts().size).toBe(0);
});

test("without scripts there are none", async () => {
  expect((await load(undefined)).scripts.size).toBe(0);
});

test("names that objects have of themselves are names like others", async () => {
  const cwd = await makeProject({
    "codemode.config.json": '{ "mcpServers": {}, "scripts": { "__proto__": "a.ts", "constructor": "b.ts" } }',
  });
  const { scripts } = await loadConfig({ cwd });
  expect([...scripts.keys()]).toEqual(["__proto__", "constructor"]);
});

const refused: [string, unknown, RegExp][] = [
  ["a name with a dot", { "a.b": "a.ts" }, /scripts/],
  ["a name with a slash", { "a/b": "a.ts" }, /scripts/],
  ["an empty name", { "": "a.ts" }, /scripts/],
  ["a name that is too long", { ["a".repeat(65)]: "a.ts" }, /scripts/],
  ["no file", { a: { description: "x" } }, /"\/scripts\/a" lacks "file"/],
  ["an empty file", { a: "" }, /scripts\/a/],
  ["an unknown key", { a: { file: "a.ts", tools: true } }, /unknown key "tools" in "\/scripts\/a"/],
  ["a number", { a: 1 }, /scripts\/a/],
  ["a file above the folder", { a: "../a.ts" }, /"a" has a file that is not below the folder/],
  ["a file that leaves the folder on its way", { a: { file: "b/../../a.ts" } }, /not below the folder/],
  ["an absolute file", { a: "/etc/a.ts" }, /not below the folder/],
  ["an absolute file of another system", { a: "C:\\a.ts" }, /not below the folder/],
  ["the way out of another system", { a: "..\\a.ts" }, /not below the folder/],
  ["the folder itself", { a: "." }, /not below the folder/],
];
test.each(refused)("%s is refused", async (_, scripts, message) => {
  await expect(load(scripts)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(message),
  });
});

test("a word with a folder or an ending is a file, never a name", () => {
  expect(["nightly", "a-b_C9"].map(isScriptName)).toEqual([true, true]);
  expect(["nightly.ts", "./nightly", "a\\b", "", "a b", "a".repeat(65)].filter(isScriptName)).toEqual([]);
});
