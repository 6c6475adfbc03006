import { describe, expect, test } from "vitest";
import { escapeSesTokens } from "../../../engine/bundle/program/escape-ses-tokens.ts";
import { bundleOf, diagnosticsOf, openBundleProject } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);

async function resultOf(code: string, name: string): Promise<unknown> {
  const answer = await compartments.run(bundleOf(await project.bundle(code, name)).code);
  if (answer.error !== undefined) throw new Error(answer.stack);
  return answer.result;
}

/** An expression, or statements that set `result`, with what it has to give. The text stands in the code as written here. */
const CASES: [title: string, code: string, value: unknown][] = [
  ["an opening comment in a string", String.raw`"<!-- a"`, "<!-- a"],
  ["a closing comment in a string", String.raw`'a -->'`, "a -->"],
  ["both, overlapping", String.raw`"<!--> <!---> ---->"`, "<!--> <!---> ---->"],
  [
    "an import in a string",
    String.raw`"await import('x') import /* */ import // import\n("`,
    "await import('x') import /* */ import // import\n(",
  ],
  ["an eval in a string", String.raw`"eval('x') eval ("`, "eval('x') eval ("],
  [
    "after a backslash",
    String.raw`"\<!-- \import( \\import( \\<!-- \--> \eval("`,
    "<!-- import( \\import( \\<!-- --> eval(",
  ],
  ["after an escape", String.raw`"\x41import( \0import( \u{41}import(  \n-->"`, "Aimport( \0import( Aimport(  \n-->"],
  ["in a template", "`<!-- ${1} import( ${`-->${2}`} -->`", "<!-- 1 import( -->2 -->"],
  ["in a template across lines", "`import\n(<!--\n-->`", "import\n(<!--\n-->"],
  ["in a key", String.raw`Object.keys({ "<!--": 1, "import(": 2 })`, ["<!--", "import("]],
  ["as a method called import", `({ import(x) { return x; } }).import(4)`, 4],
  ["as a method with space before its parenthesis", `({ import (x) { return x; } }) . import (5)`, 5],
  ["as an optional call", `({ import: (x) => x })?.import(6)`, 6],
  [
    "as members of a class",
    `new (class { static import() {} import() { return this.#import(); } #import() { return 7; } get eval() { return 1; } })().import()`,
    7,
  ],
  ["as a method called eval", `({ eval(x) { return x; } }).eval(8)`, 8],
  [
    "as an async and a generator method",
    `[...{ *import() { yield 9; } }.import()].concat(await { async import() { return 10; } }.import())`,
    [9, 10],
  ],
  [
    "as the end of a name",
    `(() => { const $import = (x) => x, $eval = $import; return [$import(11), $eval (12)]; })()`,
    [11, 12],
  ],
  ["in a regular expression", String.raw`/^<!--import\(eval\(x-->$/.test("<!--import(eval(x-->")`, true],
  [
    "in the source of a regular expression",
    String.raw`[/<!--[/]\/é/giu, /eval(x)/].map(String).concat(/-->/y.source, /a<!--/g.lastIndex)`,
    [String.raw`/<!--[/]\/é/giu`, "/eval(x)/", "-->", 0],
  ],
  [
    "in a regular expression that is made again each time",
    `((make) => [make() === make(), make().constructor === RegExp])(() => /-->/g)`,
    [false, true],
  ],
  ["in a regular expression that is constructed", `new (/<!--/.constructor)("a").source + (typeof/<!--/)`, "aobject"],
  [
    "in a regular expression where RegExp means something else",
    `(() => { const RegExp = 1; return /<!--/.test("<!--") && RegExp; })()`,
    1,
  ],
  ["in a lookbehind", String.raw`[..."a--b-".matchAll(/(?<!--)b/g)].length`, 0],
  [
    "in classes of a regular expression",
    String.raw`["<", "#", "-", "%", "x"].map((text) => /[<!--x]/.test(text))`,
    [true, true, true, true, true],
  ],
  [
    "in a range up to a bracket",
    String.raw`[".", "5", ">", "a"].map((text) => /[-->]/.test(text))`,
    [true, true, true, false],
  ],
  [
    "in a range from a plus",
    String.raw`["+", ",", "-", ">", "."].map((text) => /[+-->]/.test(text))`,
    [true, true, true, true, false],
  ],
  ["in a group after the word", String.raw`/import(s?)/.exec("imports")[1] + /eval (x)/.exec("eval x")[1]`, "sx"],
  ["as operators", `(() => { let x = 3, seen = []; while (x-->0) seen.push(x); return seen; })()`, [2, 1, 0]],
  ["in comments", `/* <!-- import( */ 13 // --> import(x) eval(\n`, 13],
  ["in a tagged template", "String.raw`<!-- \\n${1} import( ${2}-->`", "<!-- \\n1 import( 2-->"],
  [
    "in a tagged template of a member",
    "({ by: 3, tag(texts, ...values) { return [this.by, texts.raw.join('|'), ...values]; } }).tag`a-->${1, 2}b`",
    [3, "a-->|b", 2],
  ],
  [
    "in a tagged template without holes",
    "((texts) => [texts.length, texts[0], texts.raw[0], Object.isFrozen(texts)])`import(\\u0041`",
    [1, "import(A", "import(\\u0041", true],
  ],
  [
    "in a tagged template with an escape that means nothing",
    "((texts) => [texts[0], texts.raw[0]])`<!--\\u`",
    [undefined, "<!--\\u"],
  ],
  ["in a tagged template that is constructed", "new ((texts) => class { text = texts[0]; })`-->`().text", "-->"],
  [
    "in a tagged template that is run twice",
    "(() => { const one = (texts) => texts; const make = () => one`<!--`; return make() === make(); })()",
    true,
  ],
  [
    "in templates inside each other's holes",
    "((t, v) => t[0] + v + t[1])`<!--${String.raw`-->${`import(`}`}-->`",
    "<!---->import(-->",
  ],
  [
    "in a hole of a tagged template",
    "((t, v) => t.join('{}') + v)`<p>${'<!-- note -->'}</p>`",
    "<p>{}</p><!-- note -->",
  ],
  [
    "in a text and in a hole of a tagged template",
    "String.raw`<!--${'import(x)'}b${/-->/.source}`",
    "<!--import(x)b-->",
  ],
  ["in a tagged template in a hole", "String.raw`a${String.raw`b${'<!--'}-->`}c`", "ab<!---->c"],
  [
    "in nothing but similar text",
    `["important(", "reimport(", "evaluate(", "<--", "->"].join("")`,
    "important(reimport(evaluate(<--->",
  ],
];

describe("text that SES refuses anywhere runs, and means what it meant", () => {
  test.each(CASES)("%s", async (_title, code, value) => {
    expect(await resultOf(`export default ${code};`, "script.js")).toEqual(value);
  });

  test("in a comment between a word and a parenthesis", async () => {
    const code = `const list = [1 // import\n, (2)] // import\n;(list.push(3)); export default list;`;
    expect(await resultOf(code, "script.js")).toEqual([1, 2, 3]);
  });

  test("as operators the other way", async () => {
    const code = `let a = 0, b = 5; export default [a<!--b, b];`;
    expect(await resultOf(code, "script.ts")).toEqual([false, 4]);
    const plain = await project.bundle(code, "script.js");
    expect(diagnosticsOf(plain)).toMatchObject([
      {
        path: "script.js:1:36",
        hint: "Put spaces between the operators, such as `< ! --`, or write the comment with `//`.",
      },
    ]);
  });

  test("in a script with an Object and a RegExp of its own", async () => {
    const code =
      "class Object {}\nclass RegExp {}\nexport default [String.raw`<!--`, /<!--/.source, new Object() instanceof RegExp];";
    expect(await resultOf(code, "script.js")).toEqual(["<!--", "<!--", false]);
  });

  test("in TypeScript too", async () => {
    const code = `const text: string = "<!-- import(x) -->"; const raw = String.raw\`<!--\${text as string}\`; export default raw;`;
    expect(await resultOf(code, "script.ts")).toBe("<!--<!-- import(x) -->");
  });

  test("in the schemas of a server", async () => {
    const code = `import { markup } from "@codemode/servers/everything"; export default await markup({ tag: "<!-- a -->" });`;
    expect(await resultOf(code, "script.ts")).toBe(`markup:{"tag":"<!-- a -->"}`);
  });

  test("a direct eval is no eval at all", async () => {
    const { code } = bundleOf(
      await project.bundle(`const x = 1;\nexport default typeof eval === "function" && eval("x");`, "script.js"),
    );
    expect(code).toContain(`globalThis.eval("x")`);
  });
});

describe("escaping alone", () => {
  test("code without such text is left as it is, and not parsed", async () => {
    expect(await escapeSesTokens(`this is no "code" at all`)).toBeUndefined();
  });

  test("a real dynamic import is never made acceptable", async () => {
    const escaped = await escapeSesTokens(`await import(name); "<!--";`);
    expect(escaped?.code).toBe(`await import(name); "<!-\\x2d";`);
  });

  test("a variable of the same name as the lowered template is not taken", async () => {
    const escaped = await escapeSesTokens("const lowered_0 = 1; String.raw`<!--${lowered_0}`;");
    expect(escaped?.constants).toEqual([expect.stringContaining("const _lowered_0 = Object.freeze(")]);
  });

  test("places are kept", async () => {
    const code = "/* <!-- */ const a = '-->'; String.raw`import(${a}`;\nthrow a;";
    const escaped = await escapeSesTokens(code);
    const { TraceMap, originalPositionFor } = await import("@jridgewell/trace-mapping");
    const lines = escaped?.code.split("\n") ?? [];
    const trace = new TraceMap(escaped?.map as never);
    expect(
      originalPositionFor(trace, { line: lines.length, column: lines.at(-1)?.indexOf("throw") ?? -1 }),
    ).toMatchObject({
      line: 2,
      column: 0,
    });
    expect(originalPositionFor(trace, { line: 1, column: lines[0]?.indexOf("const a") ?? -1 })).toMatchObject({
      line: 1,
      column: 11,
    });
  });
});
