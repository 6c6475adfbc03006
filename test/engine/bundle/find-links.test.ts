import { parseAst } from "rollup/parseAst";
import { describe, expect, test } from "vitest";
import { DEFAULT_VARIABLE, findLinks } from "../../../engine/bundle/find-links.ts";
import { mapToItself } from "../../../engine/bundle/syntax/source-position.ts";
import type { SyntaxNode } from "../../../engine/bundle/syntax/syntax-tree.ts";
import { decode } from "@jridgewell/sourcemap-codec";

const find = (code: string) => findLinks(parseAst(code) as unknown as SyntaxNode, new Set(["reserved"]));
const IMPORT = 'import { a } from "x";\n';

describe("the default export is held by", () => {
  test.each<[string, string | undefined]>([
    ["let a = 1;", undefined],
    ["export let a = 1;", undefined],
    ["export default 1;", DEFAULT_VARIABLE],
    ["const b = 1; export default b;", DEFAULT_VARIABLE],
    ["export default (function f() {});", DEFAULT_VARIABLE],
    ["export default (class F {});", DEFAULT_VARIABLE],
    ["export default f(() => 1);", DEFAULT_VARIABLE],
    ["export default function f() {}", "f"],
    ["export default class F {}", "F"],
    ["export let b = 1; export function c() {} export default 2;", DEFAULT_VARIABLE],
    ["let b = 1; export { b as default };", "b"],
    ['let b = 1; export { b as "default" };', "b"],
    ["let b = 1, c = 2; export { b }; export { b as d, c as default };", "c"],
  ])("%j: %s", (code, result) => {
    expect(find(code)).toEqual({ links: [], result });
  });

  test.each([
    ...["() => 1", "async () => 1", "function () {}", "class {}", "(function () {})", "(class {})"],
    ...["async function () {}", "class extends Object {}"],
  ])("no variable, where it gets its name from the language: %s", (value) => {
    expect(find(`export default ${value};`)).toBeUndefined();
  });
});

describe("an import is a link", () => {
  test("with its names, and whether anything refers to it", () => {
    expect(find('import { a, b as c, "d e" as f } from "x"; import { g } from "y"; c + f + g;')).toEqual({
      links: [
        { specifier: "x", imported: "a", local: "a", isUsed: false },
        { specifier: "x", imported: "b", local: "c", isUsed: true },
        { specifier: "x", imported: "d e", local: "f", isUsed: true },
        { specifier: "y", imported: "g", local: "g", isUsed: true },
      ],
      result: undefined,
    });
  });

  test.each([
    ["a;", true],
    ["({ a });", true],
    ["o[a];", true],
    ["({ [a]: 1 });", true],
    ["a.b = 1;", true],
    ["a[0]++;", true],
    ["for (a.b of []) ;", true],
    ["for (const b of a) ;", true],
    ["o.a;", false],
    ["f('a');", false],
    ["const { a: b } = {};", false],
    ["const { b = 'a' } = {};", false],
    ["({ a: 1, a() {} });", false],
    ["class C { a() {} }", false],
    ["class C { a = 1 }", false],
    ["let b = 1; export { b as a };", false],
  ])("that %j refers to: %j", (code, isUsed) => {
    expect(find(IMPORT + code)?.links).toEqual([{ specifier: "x", imported: "a", local: "a", isUsed }]);
  });

  test.each([
    ...['import a from "x";', 'import { default as a } from "x";', 'import * as a from "x";', 'import "x";'],
    ...['import {} from "x";', 'import { a } from "x" with { type: "json" };', 'import a, { b } from "x";'],
    ...['import { a } from "x"; import { b as a } from "y";'],
  ])("in no other form: %s", (code) => {
    expect(find(code)).toBeUndefined();
  });
});

describe("a script is left to the bundler", () => {
  test.each([
    ...["{ const a = 1; }", "{ let [a] = []; }", "{ const { b: a } = {}; }", "{ const { a } = {}; }"],
    ...["{ const { ...a } = {}; }", "{ let [[a = 1]] = []; }", "{ let b, a; }"],
    // Rather too many names than too few.
    ...["{ const { b = a } = {}; }"],
    ...[
      "{ function a() {} }",
      "function f(a) {}",
      "function f(b, { a }) {}",
      "(function a() {});",
      "(function (a) {});",
    ],
    ...["((a) => 1);", "((...a) => 1);", "{ class a {} }", "(class a {});", "try {} catch (a) {}"],
    ...["a: for (;;) break a;", "for (const a of []) ;", "for (let a in {}) ;", "function f() { var a; }"],
  ])("where a name may hide its import: %s", (code) => {
    expect(find(IMPORT + code)).toBeUndefined();
    expect(find(code)).toBeDefined();
  });

  test.each([
    ...["a = 1;", "a += 1;", "[a] = [];", "({ b: a } = {});", "({ a } = {});", "for (a in {}) ;", "for (a of []) ;"],
    ...["a++;", "--a;", "export { a };", "export { a as b };"],
  ])("where it does more with its import than to read it: %s", (code) => {
    expect(find(IMPORT + code)).toBeUndefined();
  });

  test.each([
    ...["const b = 1; b = 2;", "const { b } = {}; b++;", "const [c, b] = []; for (b of []) ;"],
    ...["const b = 1, c = 2; c = 3;", "const b = 1; { let b = 2; b = 3; }"],
  ])("where a constant is assigned to: %s", (code) => {
    expect(find(code)).toBeUndefined();
    expect(find(code.replace("const", "let"))).toBeDefined();
  });

  test.each([
    ...["reserved;", "let reserved;", "reserved = 1;", "let b; export { b as c }; f(reserved);"],
    ...['import { reserved } from "x"; reserved;', "export { reserved };"],
  ])("where it has a name of the program: %s", (code) => {
    expect(find(code)).toBeUndefined();
    expect(find(code.replaceAll("reserved", "free"))).toBeDefined();
  });

  test.each(["globalThis", "undefined"])("where %s is a variable of its own", (name) => {
    for (const code of [`{ let ${name}; }`, `function f(${name}) {}`, `import { a as ${name} } from "x";`]) {
      expect(find(code)).toBeUndefined();
    }
    expect(find(`f(${name});`)).toBeDefined();
  });

  test.each([
    ...["import.meta;", 'import("x");', 'export * from "x";', 'export * as b from "x";', 'export { b } from "x";'],
    ...["function f() { return new.target; }", "f(() => import.meta); let b;"],
  ])("where it has syntax of modules alone: %s", (code) => {
    expect(find(code)).toBeUndefined();
  });

  test.each([
    ...["function b() {} export function b() {}", "export default function b() {} function b() {}"],
    ...["var b; function b() {}", "function b() {} for (var b of []) ;", "function b() {} { var [c, b] = []; }"],
    ...["export const b = 1; export { c as b };", "export const [c, b] = []; export { d as b };"],
    ...["export function b() {} export { c as b };", "export class b {} export { c as b };"],
    ...["export let c, b; export { d as b };", "export { c as b, d as b };", "export { c as b }; export { d as b };"],
    ...["export default 1; export { b as default };", "export default 1; export default 2;"],
  ])("where a name is there twice: %s", (code) => {
    expect(find(code)).toBeUndefined();
  });
});

test.each([
  ...["function b() {} function c() {}", "function b() {} { function b() {} }", "function b() {} { let b; }"],
  ...["let b; export { b, b as c };", "export const b = 1; export { b as c };", "export let b, c; export { b as d };"],
  ...["reserve; o.reserved; ({ reserved: 1 });", "f(undefined, globalThis);", "export default 1; export let b;"],
])("names that are there once are linked: %s", (code) => {
  expect(find(code)).toBeDefined();
});

test("the map of a text has a segment for each word and sign of each line", () => {
  const columns = decode(mapToItself("script.ts", "const a1 = $b_.c;\n\n  ü(d);").mappings).map((segments) =>
    segments.map(([column, source, line, from]) => [column, source, line, from]),
  );
  const at = (line: number, ...places: number[]) => places.map((place) => [place, 0, line, place]);
  expect(columns).toEqual([at(0, 0, 6, 9, 11, 14, 15, 16), [], at(2, 2, 3, 4, 5, 6)]);
});
