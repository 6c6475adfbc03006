import { execFile } from "node:child_process";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { writeGoldenPackage } from "./golden-package.ts";

const PACKAGE = new URL("servers/", pathToFileURL(`${await writeGoldenPackage()}/`));

/** Runs code in a Node process of its own, where calls of tools are answered with what was called. */
async function run(code: string): Promise<unknown> {
  const script = `
    globalThis.__codemode_call__ = async (serverId, toolName, input) =>
      JSON.stringify({ ok: true, value: [serverId, toolName, JSON.parse(input)] });
    const load = (path) => import(${JSON.stringify(PACKAGE.href)} + path);
    ${code}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  return JSON.parse(stdout) as unknown;
}

describe("the golden package in plain Node", () => {
  it("loads every server whole, with one function for each tool and __meta__", async () => {
    const odd = await run(`
      import { readFileSync } from "node:fs";
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
      console.log(JSON.stringify(odd));`);
    expect(odd).toEqual([]);
  });

  it("calls tools by their canonical names, with an empty object where nothing is passed", async () => {
    const results = await run(`
      const { echo, get_env } = await load("everything/index.js");
      const collisions = await load("case-collisions/index.js");
      console.log(JSON.stringify([
        await echo({ message: "hello" }), await get_env(), await get_env({}),
        await collisions.get_item({ from: "get item" }), await collisions.get_item__2({ from: "get-item" }),
        await collisions.delete_({ from: "delete" }), await collisions._21st_tool({ from: "21st_tool" }),
      ]));`);
    expect(results).toEqual([
      ["everything", "echo", { message: "hello" }],
      ["everything", "get-env", {}],
      ["everything", "get-env", {}],
      ["case-collisions", "get item", { from: "get item" }],
      ["case-collisions", "get-item", { from: "get-item" }],
      ["case-collisions", "delete", { from: "delete" }],
      ["case-collisions", "21st_tool", { from: "21st_tool" }],
    ]);
  });

  it("keeps names of the language and of the generator usable as tools", async () => {
    const results = await run(`
      const globals = await load("case-globals/index.js");
      const results = [];
      for (const [name, call] of Object.entries(globals)) {
        if (name !== "__meta__") results.push((await call({ value: name }))[1]);
      }
      console.log(JSON.stringify(results.sort()));`);
    expect(results).toContain("callTool");
    expect(results).toHaveLength(20);
  });

  it("refuses wrong input before it leaves, and shows an example", async () => {
    const error = await run(`
      const { edit_file } = await load("filesystem/index.js");
      try { await edit_file({ path: "a", edits: [{ oldText: 1, newText: "b" }] }); }
      catch ({ name, pointer, example }) { console.log(JSON.stringify({ name, pointer, example })); }`);
    expect(error).toEqual({
      name: "SchemaValidationError",
      pointer: "/edits/0/oldText",
      example: { path: "text", edits: [{ oldText: "text", newText: "text" }] },
    });
  });

  it("never touches a prototype, with any names of a server", async () => {
    const results = await run(`
      const { properties, values } = await load("case-hostile-properties/index.js");
      const { __meta__ } = await load("case-hostile-names/index.js");
      const refused = await properties({ constructor: 1 }).then(() => false, () => true);
      const called = await properties(JSON.parse('{"__proto__":"a","constructor":1,"hasOwnProperty":0}'));
      await values({ e: "*/", c: { $ref: "http://127.0.0.1:9/" } });
      console.log(JSON.stringify([refused, called[1], __meta__.tools.length, {}.polluted ?? "clean"]));`);
    expect(results).toEqual([true, "properties", 17, "clean"]);
  });
});
