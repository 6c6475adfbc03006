import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { expect, test } from "vitest";
import { bundleOf, openBundleProject } from "./bundle-project.ts";
import { startCompartments } from "./compartment-runner.ts";

const [project, compartments] = await Promise.all([openBundleProject(), startCompartments()]);
project.write({
  "lib/rows.ts": `import { echo as say } from "@codemode/servers/everything";
export interface Row { id: string }
export const echo = (text: string): unknown => say({ text });
export enum Level { Low, High }
export abstract class Base<T> { constructor(readonly value: T) {} }
export function parse(text: string): Row { if (text === "") { throw new Error("empty"); } return { id: text }; }
export default <T,>(value: T): T => value;
`,
});

const SCRIPT = `import same, { echo as say, Level as Other, Base as OtherBase, parse as otherParse } from "./lib/rows.ts";
import { echo as tool } from "@codemode/servers/everything";
const echo = (a: number): number => a;
enum Level { Only }
class Base {}
function parse(): void {}
class Child extends OtherBase<number> {}
`;

test("TypeScript modules that declare the same names keep them, beside tools of those names", async () => {
  const code = `${SCRIPT}
await say("a"); await tool({ text: "b" });
export default [echo, say, Base, OtherBase, Child, parse, otherParse, same].map(({ name }) => name).concat(Other[1]!, Level[0]!);`;
  const bundle = bundleOf(await project.bundle(code, "script.ts"));
  expect(bundle.manifest.tools.map(({ toolName }) => toolName)).toEqual(["echo"]);
  const { result, calls } = await compartments.run(bundle.code);
  expect(result).toEqual(["echo", "echo", "Base", "Base", "Child", "parse", "parse", "default", "High", "Only"]);
  expect(calls).toEqual([
    ["everything", "echo", { text: "a" }],
    ["everything", "echo", { text: "b" }],
  ]);
});

test("names that codemode uses itself are free for an author", async () => {
  const code = `import { echo } from "@codemode/servers/everything";
function __codemode_default__(): string { return "own"; }
const __codemode_tools__ = "tools", __codemode_runtime__ = "runtime", linked$echo = "linked", result = "result";
await echo({ text: "a" });
export default function () {}
globalThis.__codemode_result__ = [__codemode_default__(), __codemode_default__.name, __codemode_tools__, __codemode_runtime__, linked$echo, result];`;
  const { result, calls } = await compartments.run(bundleOf(await project.bundle(code, "script.ts")).code);
  expect(result).toEqual(["own", "__codemode_default__", "tools", "runtime", "linked", "result"]);
  expect(calls).toEqual([["everything", "echo", { text: "a" }]]);
});

test("places of errors stay right after names are restored on their line", async () => {
  const code = `${SCRIPT}
const deep = [Level, Base, parse]; const nested = (text: string) => otherParse(text); nested("");`;
  const bundle = bundleOf(await project.bundle(code, "script.ts"));
  const { stack = "" } = await compartments.run(bundle.code);
  const trace = new TraceMap({ ...bundle.map });
  const frames = [...stack.matchAll(/(\w+) \(codemode:\/\/\/bundle\.js:(\d+):(\d+)/g)].map(([, name, line, column]) => {
    const place = originalPositionFor(trace, { line: Number(line), column: Number(column) - 1 });
    return `${name} ${place.source}:${place.line}:${(place.column ?? 0) + 1}`;
  });
  expect(frames.slice(0, 3)).toEqual(["parse lib/rows.ts:6:69", "nested script.ts:9:69", "eval script.ts:9:87"]);
});

test("a place on the line of a function that got its name back, behind it", async () => {
  project.write({ "lib/line.js": `export const parse = () => 1, fail = () => { throw new Error(parse.name); };\n` });
  const code = `import { fail } from "./lib/line.js";\nconst parse = 1;\nfail(parse);`;
  const bundle = bundleOf(await project.bundle(code, "script.js"));
  const { error, stack = "" } = await compartments.run(bundle.code);
  expect(error).toContain("parse");
  const [, line, column] = /bundle\.js:(\d+):(\d+)/.exec(stack) ?? [];
  const trace = new TraceMap({ ...bundle.map });
  expect(originalPositionFor(trace, { line: Number(line), column: Number(column) - 1 })).toMatchObject({
    source: "lib/line.js",
    line: 1,
    column: 51,
  });
});

test("a namespace of tools has their names alone, is sealed, and calls them", async () => {
  const code = `import * as files from "@codemode/servers/files";
const name = "read_file";
export default [Object.keys(files), Object.isSealed(files), Reflect.set(files, name, 1), await files[name]({ text: "a" })];`;
  const bundle = bundleOf(await project.bundle(code, "script.ts"));
  const { result, calls } = await compartments.run(bundle.code);
  expect(result).toEqual([["__meta__", "list_files", "read_file"], true, false, 'read_file:{"text":"a"}']);
  expect(calls).toEqual([["files", "read_file", { text: "a" }]]);
});

test("a program of one module is left as it is", async () => {
  const { code } = bundleOf(
    await project.bundle(`function parse() {}\nconst a = () => 1;\nexport default [parse, a];`),
  );
  expect(code).not.toContain("__codemode_name__");
  expect(code).not.toContain("__codemode_namespace__");
});
