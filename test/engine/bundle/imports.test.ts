import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bundleOf, openBundleProject, toolsOf } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);

/** Bundles, runs, and answers with the result and the names of the tools in the manifest. */
async function run(code: string, name?: string): Promise<{ result: unknown; tools: string[] }> {
  const outcome = await project.bundle(code, name);
  const answer = await compartments.run(bundleOf(outcome).code);
  if (answer.error !== undefined) throw new Error(answer.stack);
  return { result: answer.result, tools: toolsOf(outcome) };
}

describe("what a script refers to is its manifest", () => {
  const CASES: [title: string, code: string, tools: string[]][] = [
    [
      "a named import",
      `import { echo } from "@codemode/servers/everything"; await echo({ text: "a" });`,
      ["everything/echo"],
    ],
    [
      "an alias",
      `import { echo as say } from "@codemode/servers/everything"; await say({ text: "a" });`,
      ["everything/echo"],
    ],
    [
      "several imports of one server",
      `import { echo } from "@codemode/servers/everything"; import { delete_ } from "@codemode/servers/everything";
       await echo({ text: "a" }); await delete_();`,
      ["everything/delete_", "everything/echo"],
    ],
    [
      "two servers, sorted by server and tool name",
      `import { read_file, list_files } from "@codemode/servers/files"; import { get_sum } from "@codemode/servers/everything";
       await Promise.all([read_file({ text: "a" }), list_files(), get_sum({ a: 1 })]);`,
      ["everything/get_sum", "files/list_files", "files/read_file"],
    ],
    [
      "a namespace with static members",
      `import * as all from "@codemode/servers/everything"; await all.echo({ text: "a" });`,
      ["everything/echo"],
    ],
    [
      "a namespace with constant keys",
      `import * as all from "@codemode/servers/everything"; await all["get_sum"]({ a: 1 });`,
      ["everything/get_sum"],
    ],
    [
      "a namespace with a computed member",
      `import * as all from "@codemode/servers/files"; for (const name of ["list_files"]) await all[name]({ text: "a" });`,
      ["files/list_files", "files/read_file"],
    ],
    [
      "a namespace that escapes",
      `import * as all from "@codemode/servers/files"; globalThis.__codemode_result__ = Object.keys(all);`,
      ["files/list_files", "files/read_file"],
    ],
    [
      "a shadowed namespace",
      `import * as files from "@codemode/servers/files"; await files.list_files();
       for (const files of [{ read_file: 1 }]) globalThis.__codemode_result__ = [files, files.read_file];`,
      ["files/list_files"],
    ],
    [
      "a dynamic import",
      `const { echo } = await import("@codemode/servers/everything"); await echo({ text: "a" });`,
      ["everything/echo"],
    ],
    [
      "a dynamic import of one member",
      `await (await import("@codemode/servers/everything")).get_sum({ a: 1 });`,
      ["everything/get_sum"],
    ],
    [
      "a dynamic import with a handler",
      `await import("@codemode/servers/everything").then(({ "echo": say, get_sum }) => [say, get_sum({ a: 1 })]);`,
      ["everything/echo", "everything/get_sum"],
    ],
    [
      "a dynamic import that takes the rest",
      `const { list_files, ...rest } = await import("@codemode/servers/files"); globalThis.__codemode_result__ = rest;`,
      ["files/list_files", "files/read_file"],
    ],
    [
      "a dynamic import as a whole",
      `const all = await import("@codemode/servers/files"); globalThis.__codemode_result__ = Object.keys(all);`,
      ["files/list_files", "files/read_file"],
    ],
    ["an import for nothing", `import "@codemode/servers/everything";`, []],
    [
      "an unused import",
      `import { echo } from "@codemode/servers/everything"; globalThis.__codemode_result__ = 1;`,
      [],
    ],
    [
      "a function that nothing calls",
      `import { echo } from "@codemode/servers/everything"; function never() { return echo({ text: "a" }); }`,
      ["everything/echo"],
    ],
    [
      "a branch that never runs",
      `import { echo } from "@codemode/servers/everything"; if (false) await echo({ text: "a" });`,
      ["everything/echo"],
    ],
    [
      "an export of a module with code",
      `export { echo } from "@codemode/servers/everything"; export const other = 1;`,
      ["everything/echo"],
    ],
    [
      "types only",
      `import type { EchoInput } from "@codemode/servers/everything"; const input: EchoInput = { text: "a" }; console.log(input);`,
      [],
    ],
    [
      "a type among values, not marked as one",
      `import { echo, EchoInput } from "@codemode/servers/everything"; const input: EchoInput = { text: "a" }; await echo(input);`,
      ["everything/echo"],
    ],
    [
      "the description of a server",
      `import { __meta__ } from "@codemode/servers/everything"; globalThis.__codemode_result__ = __meta__.serverId;`,
      [],
    ],
    ["no import", `globalThis.__codemode_result__ = 1;`, []],
    ["nothing", ``, []],
  ];
  for (const language of ["script.ts", "script.js"]) {
    test.each(CASES.filter(([, code]) => language === "script.ts" || !/EchoInput/.test(code)))(
      `${language}: %s`,
      async (_title, code, tools) => {
        expect(toolsOf(await project.bundle(code, language))).toEqual(tools);
      },
    );
  }

  test("the integrities are those of the lockfile", async () => {
    const { manifest } = bundleOf(
      await project.bundle(`export { echo as default } from "@codemode/servers/everything";`),
    );
    const locked = project.lockfile.servers.get("everything")?.tools.find((tool) => tool.name === "echo");
    expect(manifest.tools).toEqual([
      { serverId: "everything", toolName: "echo", exportName: "echo", integrity: locked?.integrity },
    ]);
  });

  test("modules of other tools are not even read", async () => {
    writeFileSync(join(project.generatedFolder, "files/tools/read_file.js"), "this is not JavaScript");
    const code = `import { list_files, __meta__ } from "@codemode/servers/files"; export default [await list_files(), __meta__.serverId];`;
    expect(await run(code)).toEqual({ result: ["list_files:{}", "files"], tools: ["files/list_files"] });
  });
});

describe("calls", () => {
  test("a call leaves with the canonical names and the input", async () => {
    const { code } = bundleOf(
      await project.bundle(`import { get_sum } from "@codemode/servers/everything"; await get_sum({ a: 1, b: 2 });`),
    );
    expect((await compartments.run(code)).calls).toEqual([["everything", "get-sum", { a: 1, b: 2 }]]);
  });

  test("bindings throw the classes of @codemode/errors", async () => {
    const code = `import { SchemaValidationError } from "@codemode/errors"; import { echo } from "@codemode/servers/everything";
      try { await echo({ text: 1 }); } catch (error) { globalThis.__codemode_result__ = error instanceof SchemaValidationError; }`;
    expect((await run(code, "script.js")).result).toBe(true);
  });
});

describe("modules beside the script", () => {
  beforeAll(() => {
    project.write({
      "lib/tools.ts": `export { echo } from "@codemode/servers/everything"; export * from "@codemode/servers/everything";`,
      "lib/say.ts": `import { echo } from "./tools.ts"; export const say = (text: string): Promise<unknown> => echo({ text });`,
      "lib/plain.mjs": `export const plain = "mjs";`,
      "lib/typed.mts": `export const typed: string = "mts";`,
      "lib/data.json": `{ "a": [1, "<!-- import(x)"], "__proto__": 2 }`,
      "back.ts": `import { base } from "./script.ts"; export const twice = (): number => base * 2;`,
    });
  });

  test.each([
    [
      "a binding through two modules",
      `import { say } from "./lib/say.ts"; export default await say("a");`,
      `echo:{"text":"a"}`,
    ],
    ["without an ending", `import { say } from "./lib/say"; export default await say("a");`, `echo:{"text":"a"}`],
    ["by the compiled name", `import { say } from "./lib/say.js"; export default await say("a");`, `echo:{"text":"a"}`],
    [
      "through a re-export of everything",
      `import { echo } from "./lib/tools.ts"; export default await echo({ text: "b" });`,
      `echo:{"text":"b"}`,
    ],
    [
      "other endings",
      `import { plain } from "./lib/plain.mjs"; import { typed } from "./lib/typed.mts"; export default plain + typed;`,
      "mjsmts",
    ],
    [
      "JSON",
      `import data from "./lib/data.json" with { type: "json" }; export default Object.entries(data);`,
      [
        ["a", [1, "<!-- import(x)"]],
        ["__proto__", 2],
      ],
    ],
    ["a constant dynamic import", `const { plain } = await import("./lib/plain.mjs"); export default plain;`, "mjs"],
    ["a template without holes", "const { plain } = await import(`./lib/plain.mjs`); export default plain;", "mjs"],
  ])("%s", async (_title, code, result) => {
    expect((await run(code, "script.ts")).result).toEqual(result);
  });

  test("a circle through the script", async () => {
    const code = `import { twice } from "./back.ts"; export const base = 4; export default twice();`;
    project.write({ "script.ts": code });
    expect((await run(code, "script.ts")).result).toBe(8);
  });

  test("a name that shows more of the path changes nothing", async () => {
    expect(
      (await run(`import { plain } from "./lib/plain.mjs"; export default plain;`, "examples/script.ts")).result,
    ).toBe("mjs");
  });
});

describe("the result", () => {
  test.each([
    ["is what the script set", `globalThis.__codemode_result__ = 1; export default 2;`, 1],
    ["is `null` if the script set that", `globalThis.__codemode_result__ = null; export default 2;`, null],
    [
      "is the default export if the script took it back",
      `globalThis.__codemode_result__ = void 0; export default 2;`,
      2,
    ],
    ["is the default export otherwise", `export default { a: 1 };`, { a: 1 }],
    ["waits for a promise", `export default (async () => { await null; return 3; })();`, 3],
    ["may be exported by another name", `const answer = 4; export { answer as default };`, 4],
    ["stays unset without either", `export const other = 5;`, undefined],
    [
      "is found for all names of variables",
      `const result = 6, globalThis = 7; export default result + globalThis;`,
      13,
    ],
  ])("%s", async (_title, code, result) => {
    expect((await run(code, "script.js")).result).toEqual(result);
  });

  test("a default export that rejects fails the run", async () => {
    const { code } = bundleOf(await project.bundle(`export default Promise.reject(new Error("no"));`));
    expect((await compartments.run(code)).error).toBe("Error: no");
  });
});

describe("the program", () => {
  test.each([
    ["top-level await", `const a = await 1; export default a + (await Promise.resolve(1));`, 2],
    [
      "strict mode",
      `let failed = false; try { Object.freeze([]).push(1); } catch { failed = true; } export default failed;`,
      true,
    ],
    ["no this", `export default this === undefined;`, true],
    [
      "no arguments outside of functions",
      `export default [typeof arguments, (() => arguments)(), (function () { return arguments.length; })(1), { arguments: 2 }.arguments];`,
      ["undefined", undefined, 1, 2],
    ],
    ["no import.meta", `export default import.meta === undefined && typeof import.meta;`, "undefined"],
    ["a first line for the shell", `#!/usr/bin/env codemode\nexport default 1;`, 1],
    [
      "a closing brace is no way out of the function",
      `export default "}).call(undefined); (function(){";`,
      "}).call(undefined); (function(){",
    ],
  ])("has %s", async (_title, code, result) => {
    expect((await run(code, "script.js")).result).toEqual(result);
  });

  test("has the agreed frame", async () => {
    const { code } = bundleOf(await project.bundle(`export default 1;`));
    expect(code.startsWith('(async function () {"use strict";\n')).toBe(true);
    expect(code.endsWith("\n}).call(undefined)\n//# sourceURL=codemode:///bundle.js")).toBe(true);
  });
});
