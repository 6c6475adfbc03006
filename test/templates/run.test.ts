import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { writeGoldenPackage } from "./golden-package.ts";

const PACKAGE = new URL("servers/", pathToFileURL(`${await writeGoldenPackage()}/`));

/** Bodies of functions that run in one plain Node, where calls of tools are answered with what was called. */
const PROGRAMS = {
  whole: `
      const { exports } = JSON.parse(readFileSync(new URL("package.json", ${JSON.stringify(PACKAGE.href)}), "utf8"));
      const odd = [];
      for (const [name, entry] of Object.entries(exports)) {
        if (typeof entry === "string") continue;
        const server = await load(entry.default);
        const expected = ["__meta__", ...server.__meta__.tools.map((tool) => tool.exportName)].sort();
        const functions = Object.keys(server).filter((key) => typeof server[key] === "function");
        if (Object.keys(server).sort().join() !== expected.join()) odd.push([name, "exports"]);
        if (functions.length !== server.__meta__.tools.length) odd.push([name, "functions"]);
        if (functions.some((key) => server[key].name !== key)) odd.push([name, "names"]);
      }
      return odd;`,
  calls: `
      const { echo, get_env } = await load("everything/index.js");
      const collisions = await load("case-collisions/index.js");
      return [
        await echo({ message: "hello" }), await get_env(), await get_env({}),
        await collisions.get_item({ from: "get item" }), await collisions.get_item__2({ from: "get-item" }),
        await collisions.delete_({ from: "delete" }), await collisions._21st_tool({ from: "21st_tool" }),
      ];`,
  globals: `
      const globals = await load("case-globals/index.js");
      const results = [];
      for (const [name, call] of Object.entries(globals)) {
        if (name !== "__meta__") results.push((await call({ value: name }))[1]);
      }
      return results.sort();`,
  refused: `
      const { edit_file } = await load("filesystem/index.js");
      try { await edit_file({ path: "a", edits: [{ oldText: 1, newText: "b" }] }); }
      catch ({ name, pointer, example }) { return { name, pointer, example }; }`,
  prototypes: `
      const { properties, values } = await load("case-hostile-properties/index.js");
      const { __meta__ } = await load("case-hostile-names/index.js");
      const refused = await properties({ constructor: 1 }).then(() => false, () => true);
      const called = await properties(JSON.parse('{"__proto__":"a","constructor":1,"hasOwnProperty":0}'));
      await values({ e: "*/", c: { $ref: "http://127.0.0.1:9/" } });
      return [refused, called[1], __meta__.tools.length, {}.polluted ?? "clean"];`,
};

let results: { [name in keyof typeof PROGRAMS]: unknown };
beforeAll(async () => {
  const bodies = Object.entries(PROGRAMS).map(([name, body]) => `${name}: await (async () => { ${body} })()`);
  const script = `
    import { readFileSync } from "node:fs";
    globalThis.__codemode_call__ = async (serverId, toolName, input) =>
      JSON.stringify({ ok: true, value: [serverId, toolName, JSON.parse(input)] });
    const load = (path) => import(${JSON.stringify(PACKAGE.href)} + path);
    console.log(JSON.stringify({ ${bodies.join(",\n")} }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  results = JSON.parse(stdout) as typeof results;
});

describe("the golden package in plain Node", () => {
  it("loads every server whole, with one function for each tool and __meta__", () => {
    expect(results.whole).toEqual([]);
  });

  it("calls tools by their canonical names, with an empty object where nothing is passed", () => {
    expect(results.calls).toEqual([
      ["everything", "echo", { message: "hello" }],
      ["everything", "get-env", {}],
      ["everything", "get-env", {}],
      ["case-collisions", "get item", { from: "get item" }],
      ["case-collisions", "get-item", { from: "get-item" }],
      ["case-collisions", "delete", { from: "delete" }],
      ["case-collisions", "21st_tool", { from: "21st_tool" }],
    ]);
  });

  it("keeps names of the language and of the generator usable as tools", () => {
    expect(results.globals).toContain("callTool");
    expect(results.globals).toHaveLength(20);
  });

  it("refuses wrong input before it leaves, and shows an example", () => {
    expect(results.refused).toEqual({
      name: "SchemaValidationError",
      pointer: "/edits/0/oldText",
      example: { path: "text", edits: [{ oldText: "text", newText: "text" }] },
    });
  });

  it("never touches a prototype, with any names of a server", () => {
    expect(results.prototypes).toEqual([true, "properties", 17, "clean"]);
  });
});
