import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { expect, test } from "vitest";
import type { Bundle } from "../../../schemas/run/bundle.ts";
import { bundleOf, openBundleProject } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);

/** `name:LINE:COLUMN` of each frame of the bundle in a stack, in the author's source. */
function framesOf(stack: string, bundle: Bundle): string[] {
  const trace = new TraceMap({ ...bundle.map });
  return [...stack.matchAll(/codemode:\/\/\/bundle\.js:(\d+):(\d+)/g)].flatMap(([, line, column]) => {
    const original = originalPositionFor(trace, { line: Number(line), column: Number(column) - 1 });
    // The program around the modules has no source.
    return original.source === null ? [] : [`${original.source}:${original.line}:${original.column + 1}`];
  });
}

async function failingFrames(code: string, name?: string): Promise<string[]> {
  const bundle = bundleOf(await project.bundle(code, name));
  const { stack = "it did not fail" } = await compartments.run(bundle.code);
  return framesOf(stack, bundle);
}

/** Where the marker `§` stands; it is taken out of the code before that is bundled. */
function marked(code: string): { code: string; place: string } {
  const before = code.slice(0, code.indexOf("§")).split("\n");
  return { code: code.replace("§", ""), place: `${before.length}:${(before.at(-1)?.length ?? 0) + 1}` };
}

const FAILURES: [title: string, code: string][] = [
  ["a thrown error", `type A = { b: string };\nconst a: A = { b: "c" };\nthrow §new Error(a.b);`],
  ["after an enum", `enum Level {\n  Low,\n  High,\n}\nif (Level.High > 0) {\n    throw §new TypeError("high");\n}`],
  ["a call of nothing", `const tools: any = {};\nconst x: number = 1;\n  await tools.§search({ x });`],
  [
    "a member of nothing",
    `interface Row { name: { first: string } }\nconst row = {} as Row;\nString(row.name.§first as string);`,
  ],
  [
    "in an arrow function",
    `const half = (n: number): number => { if (n < 1) throw §new RangeError("small"); return n / 2; };\n[4, 0].map((n: number) => half(n));`,
  ],
  [
    "in a class with parameter properties",
    `class Point {\n  constructor(private readonly x: number) {}\n  check(): void {\n    throw §new Error(String(this.x));\n  }\n}\nnew Point(1).check();`,
  ],
  [
    "after an await",
    `const wait = async <T,>(x: T): Promise<T> => x;\nconst a = await wait<number>(1);\nthrow §new Error(String(a));`,
  ],
  ["beyond ASCII", `const name: string = "é😀"; throw §new Error(name);`],
  ["after text that SES refuses", `const html: string = "<!-- import( -->"; /* --> */ throw §new Error(html);`],
  ["after a lowered template", "const html: string = String.raw`<!--${1}`;\nthrow §new Error(html);"],
  ["after a first line for the shell", `#!/usr/bin/env codemode\nthrow §new Error("a");`],
  [
    "after imports that are gone",
    `import type { EchoInput } from "@codemode/servers/everything";\nimport { echo, GetSumInput } from "@codemode/servers/everything";\nconst a: EchoInput & GetSumInput = { text: "a" };\nawait echo(a);\nthrow §new Error("b");`,
  ],
];

test.each(FAILURES)("TypeScript: %s", async (_title, withMarker) => {
  const { code, place } = marked(withMarker);
  expect((await failingFrames(code))[0]).toBe(`script.ts:${place}`);
});

test.each(FAILURES.filter(([, code]) => !/[:<] ?(string|number|any|void|T|A)\b|enum|interface|import type/.test(code)))(
  "JavaScript: %s",
  async (_title, withMarker) => {
    const { code, place } = marked(withMarker);
    expect((await failingFrames(code, "script.js"))[0]).toBe(`script.js:${place}`);
  },
);

test("each frame of an error that passes through several modules", async () => {
  project.write({
    "lib/rows.ts": `export interface Row {\n  id: string;\n}\n\nexport function parseRow(text: string): Row {\n  if (text === "") throw new SyntaxError("empty row");\n  return { id: text };\n}\n`,
    "lib/load.mts": `import { type Row, parseRow } from "./rows.ts";\n\nexport const load = async (texts: readonly string[]): Promise<Row[]> =>\n  texts.map((text) => parseRow(text));\n`,
  });
  const code = `import { load } from "./lib/load.mts";\nimport { echo } from "@codemode/servers/everything";\n\nenum Mode { Fast = "fast" }\nconst said = (await echo({ text: Mode.Fast })) as string;\nexport default await load([said, ""]);\n`;
  const frames = await failingFrames(code, "script.ts");
  expect(frames).toEqual(["lib/rows.ts:6:26", "lib/load.mts:4:23", "lib/load.mts:4:9", "script.ts:6:22"]);
});

test("errors inside of a binding name the generated module", async () => {
  const code = `import { echo } from "@codemode/servers/everything";\nawait echo({ text: 1 } as never);`;
  const frames = await failingFrames(code);
  expect(frames.at(-2)).toMatch(/^@codemode\/servers\/everything\/tools\/echo\.js:\d+:\d+$/);
  expect(frames.at(-1)).toBe("script.ts:2:7");
});

test("the map names sources as the author knows them, and carries the text of no other", async () => {
  const code = `import { load } from "./lib/load.mts";\nexport default [load];`;
  const { map } = bundleOf(await project.bundle(code, "script.ts"));
  expect(map.sources).toEqual(["lib/rows.ts", "lib/load.mts", "script.ts"]);
  expect(map.sourcesContent?.[2]).toBe(code);
  const calling = `import { echo } from "@codemode/servers/everything";
await echo({ text: "a" });`;
  const called = bundleOf(await project.bundle(calling)).map;
  expect(called.sources.filter((name) => !name.startsWith("@codemode/"))).toEqual(["script.ts"]);
  expect(called.sourcesContent?.filter((content) => content !== null)).toHaveLength(1);
});
