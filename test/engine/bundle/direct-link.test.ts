import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { parseAst } from "rollup/parseAst";
import { expect, test } from "vitest";
import { bundleModules } from "../../../engine/bundle/bundle-modules.ts";
import type { BundledScript } from "../../../engine/bundle/build.ts";
import { findLinks } from "../../../engine/bundle/find-links.ts";
import type { SyntaxNode } from "../../../engine/bundle/syntax/syntax-tree.ts";
import { linkScript } from "../../../engine/bundle/bundle-script.ts";
import { digestText } from "../../../runtime/host/digest-text.ts";
import { parseLockfile } from "../../../schemas/lock/lockfile-text.ts";
import type { Bundle } from "../../../schemas/run/bundle.ts";
import { type BundleProject, makeBundleProject, openBundleProject } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

// A script that needs no bundler is linked as its text stands. Here both ways are compared: bundler and link must agree in everything
// that a person or the host can see.

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);

const SCRIPT_ID = "script/script.ts";

async function bundleBothWays(code: string, name = "script.ts", options = optionsOf(project)) {
  const script = { name, code };
  const id = SCRIPT_ID.replace("script.ts", name);
  return { linked: await linkScript(script, id, options), bundled: await bundleModules(script, id, options) };
}

function optionsOf({ generatedFolder, lockfile }: Pick<BundleProject, "generatedFolder" | "lockfile">) {
  return { generatedFolder, lockfile };
}

/** Everything of a bundle that does not depend on how its modules are put together. */
function visiblePartsOf({ bundle: { manifest, input, packages, map }, warnings }: BundledScript) {
  const sources = map.sources.flatMap((source, index) =>
    (map.sourcesContent?.[index] ?? null) === null ? [] : [source],
  );
  return { manifest, input, packages, warnings, sources };
}

/** What a bundle does, with the places of its failure in the author's text. */
async function observe({ code, map }: Bundle) {
  const { stack = "", ...answer } = await compartments.run(code);
  const trace = new TraceMap({ ...map, sources: [...map.sources], names: [...map.names] });
  const places = [...stack.matchAll(/codemode:\/\/\/bundle\.js:(\d+):(\d+)/g)].map(([, line, column]) => {
    const place = originalPositionFor(trace, { line: Number(line), column: Number(column) - 1 });
    return `${place.source}:${place.line}:${place.column}`;
  });
  return { ...answer, places: places.filter((place) => !place.startsWith("null")) };
}

const ECHO = `import { echo } from "@codemode/servers/everything";\n`;

/** Scripts that need no bundler. */
const LINKED: [title: string, code: string][] = [
  ["of no import", "export default 6 * 7;"],
  ["without a result", "const a = 1;"],
  ["that calls a tool", `${ECHO}export default await echo({ text: "a" });`],
  ["that sets its result", `${ECHO}globalThis.__codemode_result__ = await echo({ text: "a" });\nexport default 1;`],
  [
    "under other names",
    `import { echo as say, echo as tell } from "@codemode/servers/everything";\nexport default [await say({ text: "a" }), await tell({ text: "b" })];`,
  ],
  [
    "of several servers",
    `${ECHO}import { list_files } from "@codemode/servers/files";\nexport default [await list_files({}), await echo({ text: "a" })];`,
  ],
  [
    "with an import that is a type",
    `import { echo, type EchoInput } from "@codemode/servers/everything";\nconst input: EchoInput = { text: "a" };\nexport default await echo(input);`,
  ],
  [
    "with an import that nothing uses",
    `import { echo, get_sum } from "@codemode/servers/everything";\nexport default await get_sum({ a: 1 });`,
  ],
  [
    "with a call that never happens",
    `import { echo, get_sum } from "@codemode/servers/everything";\nif (false) await echo({ text: "a" });\nexport default await get_sum({ a: 1 });`,
  ],
  [
    "with a tool as a value",
    `${ECHO}const tools = { echo };\nexport default await Promise.all(["a", "b"].map((text) => tools.echo({ text })));`,
  ],
  [
    "with a member of the name of a tool",
    `import { echo, get_sum } from "@codemode/servers/everything";\nconst o = { get_sum: 1 };\nexport default [o.get_sum, await echo({ text: "a" })];`,
  ],
  [
    "with classes of errors",
    `${ECHO}import { ToolCallError } from "@codemode/errors";\ntry { await echo({ text: 1 } as never); } catch (error) { globalThis.__codemode_result__ = [error instanceof ToolCallError, String(error)]; }`,
  ],
  ["with a named default function", "export default function foo() { return foo.name; }\nfoo.toString = () => 'a';"],
  ["with a default class", "export default class Foo { static a = 1 }"],
  ["with a default variable", "let a = 1;\nexport { a as default };\na = 2;"],
  ["with a default value of its time", "let a = 1;\nexport default a;\na = 2;"],
  [
    "with further exports",
    `export const input = { type: "object" };\nexport let b = 1;\nexport function c() { return b; }\nexport { b as d };\nb += 1;\nexport default c();`,
  ],
  [
    "that wants less",
    `${ECHO}import { list_files } from "@codemode/servers/files";\nexport const requestedCapabilities = ["files"];\nexport default [typeof echo, await list_files({})];`,
  ],
  ["without semicolons", `${ECHO}const a = [1]\nexport default a\n;[2].forEach(() => {})\n// the end`],
  [
    "with arguments and this",
    "const f = function () { return arguments.length; };\nexport default [typeof arguments, this === undefined, f(1, 2)];",
  ],
  [
    "with functions that read their text",
    "const f = function named(a) { return a; };\nclass Row {}\nexport default [String(f), f.name, Row.name];",
  ],
  [
    "with names of the language",
    "const Object = { freeze: 1 };\nconst Promise = 2, JSON = 3;\nexport default [Object.freeze, Promise, JSON];",
  ],
  [
    "that fails",
    `${ECHO}type A = { b: string };\nconst a: A = { b: await echo({ text: "a" }) as string };\nfunction fail(why: string): never {\n  throw new RangeError(why);\n}\n  fail(a.b);`,
  ],
  [
    "that reads its stack",
    `const x: any = { y: 1 };\nlet stack = "";\ntry { x.y(); } catch (error) { stack = String((error as Error).stack); }\nexport default stack.split("\\n")[1];`,
  ],
  [
    "that JavaScript reads as a comparison",
    `const number = 1;\nconst f = (x?: any) => x ?? "no type";\nexport default f<number>(5);`,
  ],
  [
    "with a type that is not marked, and that nothing uses",
    `import { echo, EchoInput } from "@codemode/servers/everything";\nconst x: any = await echo({ text: "a" });\nexport default x;`,
  ],
  [
    "with a type that is not marked, and a parameter of its name",
    `import { echo, EchoInput } from "@codemode/servers/everything";\nconst f = (EchoInput: any) => EchoInput;\nexport default f(await echo({ text: "a" }));`,
  ],
  [
    "with a comparison",
    `${ECHO}const rows = [3, 1].filter((row) => row > 2 || row < 2);\nexport default [rows.length, await echo({ text: "a" })];`,
  ],
  ["that fails in a binding", `${ECHO}const input: any = {};\nawait echo(input);`],
  ["that calls what is no function", `${ECHO}const x: any = { y: 1 }; await echo({ text: "a" });\nx.y();`],
];

test.each(LINKED)("a script %s is linked, and does what it does with the bundler", async (_title, code) => {
  for (const name of /: (string|never|any|A|EchoInput)\b|as |import type|\btype\b (EchoInput|A)/.test(code)
    ? ["script.ts"]
    : ["script.ts", "script.js"]) {
    const { linked, bundled } = await bundleBothWays(code, name);
    if (!bundled.ok) throw new Error(JSON.stringify(bundled.diagnostics));
    if (linked === undefined) throw new Error("It was not linked.");
    expect(visiblePartsOf(linked)).toEqual(visiblePartsOf(bundled));
    expect(await observe(linked.bundle)).toEqual(await observe(bundled.bundle));
  }
});

test.each([
  ["another module", `import { a } from "./a.ts"; export default a;`],
  ["a namespace", `import * as all from "@codemode/servers/everything"; export default await all.echo({ text: "a" });`],
  ["a dynamic import", `export default await import("@codemode/servers/everything");`],
  ["what it imports, passed on", `export { echo } from "@codemode/servers/everything";`],
  ["an export of its import", `${ECHO}export { echo };`],
  ["what describes a server", `import { __meta__ } from "@codemode/servers/everything"; export default __meta__;`],
  ["a tool that is not there", `import { ecco } from "@codemode/servers/everything"; export default ecco;`],
  ["Node", `import { readFileSync } from "node:fs"; export default readFileSync;`],
  ["import.meta", "export default import.meta;"],
  ["eval", `export default eval("1");`],
  ["text that SES refuses", `export default "<!-- import(";`],
  ["a variable that hides a tool", `${ECHO}const f = (echo) => echo; export default f(1);`],
  ["a tool that is assigned to", `${ECHO}echo = 1;`],
  ["a constant that is assigned to", `const a = 1; a = 2;`],
  ["a variable twice", `${ECHO}let echo = 1;`],
  ["names of the program", `const __codemode_tools__ = 1; export default __codemode_tools__;`],
  ["names of the program in other letters", `const __default\\u005f_ = 1; export default 2;`],
  ["the global object as a variable", `const globalThis = {}; export default 1;`],
  ["a tool as `undefined`", `import { echo as undefined } from "@codemode/servers/everything"; export default 5;`],
  [
    "an error class as `globalThis`",
    `import { ToolCallError as globalThis } from "@codemode/errors"; export default 5;`,
  ],
  ["a default without a name", `export default () => 1;`],
  ["a line end that parsers do not agree on", `const a = 1; // a\u2028export default a;`],
  ["a function twice", "function a() {} function a() {}"],
  ["a function and a variable of one name", "function a() {} if (true) { var a = 1; }"],
  ["an export twice", "export const a = 1; const b = 2; export { b as a };"],
  ["two default exports", "const a = 1; export default 1; export { a as default };"],
  ["an import for its effects", `import "@codemode/servers/everything";`],
  ["an unused name that is not there", `import { Missing } from "@codemode/errors"; export default 1;`],
  ["a mistake", `export default (;`],
  ["brackets without end", `export default ${"[".repeat(2000)}`],
])("a script with %s is left to the bundler", async (_title, code) => {
  expect(await linkScript({ name: "script.js", code }, SCRIPT_ID, optionsOf(project))).toBeUndefined();
});

test.each([
  "function a() {} function a() {}",
  "export default function a() {} function a() {}",
  "function a() {} if (true) { var a = 1; }",
  "export const a = 1; const b = 2; export { b as a };",
  "const a = 1; export default 1; export { a as default };",
])("names that are there twice are found without the help of a parser: %s", (code) => {
  expect(findLinks(parseAst(code) as unknown as SyntaxNode, new Set())).toBeUndefined();
});

test("a bundle holds no tool that its script does not name", async () => {
  const { linked } = await bundleBothWays(
    `import { echo, get_sum } from "@codemode/servers/everything";\nexport default await get_sum({});`,
    "script.js",
  );
  expect(linked?.bundle.manifest.tools.map(({ toolName }) => toolName)).toEqual(["get-sum"]);
  expect(linked?.bundle.code).not.toContain("tools/echo.js");
});

test("a link says which files it was made from, and its map names nothing that no compiler has renamed", async () => {
  const { generatedFolder } = project;
  const code = `import { echo } from "@codemode/servers/everything"; export default await echo({ text: "a" });`;
  const linked = await linkScript({ name: "script.js", code }, SCRIPT_ID, optionsOf(project));
  const files = (linked?.madeFrom ?? []).map(({ file }) => relative(generatedFolder, file).replaceAll("\\", "/"));
  expect(files).toEqual(expect.arrayContaining(["everything/tools/echo.js", "everything/tools.json"]));
  expect(linked?.bundle.map.names).toEqual([]);
});

test("the same script gives the same bytes in any folder", async () => {
  const elsewhere = await makeBundleProject("a folder with another name/");
  const code = `${ECHO}export default await echo({ text: "a" });`;
  const [here, there] = [await bundleBothWays(code), await bundleBothWays(code, "script.ts", optionsOf(elsewhere))];
  elsewhere.remove();
  expect(there.linked?.bundle).toEqual(here.linked?.bundle);
});

/** The scripts of the examples that import servers of this repository. */
function readScripts(): [name: string, code: string][] {
  const files = readdirSync("examples", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
    .map((file) => join("examples", file));
  return [...files.map((file): [string, string] => [file, readFileSync(file, "utf8")])].filter(([, code]) =>
    code.includes("@codemode/servers/"),
  );
}

test("examples have the same manifest both ways", async () => {
  const lockfile = parseLockfile(readFileSync("codemode.lock.json", "utf8"), "codemode.lock.json", digestText);
  const options = { generatedFolder: "generated", lockfile };
  const linked: string[] = [];
  for (const [name, code] of readScripts()) {
    const script = { name: basename(name), code, folder: dirname(name) };
    const direct = await linkScript(script, SCRIPT_ID, options);
    if (direct === undefined) continue;
    linked.push(name);
    const bundled = await bundleModules(script, SCRIPT_ID, options);
    if (!bundled.ok) throw new Error(`${name}: ${JSON.stringify(bundled.diagnostics)}`);
    expect(visiblePartsOf(direct), name).toEqual(visiblePartsOf(bundled));
  }
  expect(linked.length).toBeGreaterThan(2);
});
