import { parseAst } from "rollup/parseAst";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCompileError, toFunctionBody } from "../../../engine/bundle/program/compile-program.ts";
import type { SyntaxNode } from "../../../engine/bundle/syntax/syntax-tree.ts";
import { diagnosticsOf, makeBundleProject, type BundleProject } from "./bundle-project.ts";

function bodyOf(code: string) {
  return toFunctionBody(code, parseAst(code) as unknown as SyntaxNode);
}

/** Exports in every form that needs care where the words of the export are left out. */
const MODULES = [
  "export default ((() => {}))",
  "export default () => {}",
  "export default async () => {}",
  "export default a => a",
  "export default (0, () => {})",
  "export default /* ( */ (/* ) */ class {} /* ( */)",
  "export // (\n default (function () {})",
  "export default function () {} call()",
  "export default async function* () {}\n/a(?:b)/.test(text)",
  "export default class {} call()",
  "export default class {}/**/call()",
  "export default class extends (class {}) {}\n(call())",
  "export default class Named {} new Named()",
  "export default function named() {} named()",
  "export default other = 1; var other",
  "export default 2 ** 2",
  "export default await call()",
  "export default async function () { for await (const a of b); }",
  "export default { a: 1 }",
  "export default import.meta",
  "let a = 1\nexport { a }\n/(?:b)/.test(text)",
  'let a = 1\nexport * from "b"\n/(?:b)/.test(text)',
  'let a = 1\nimport "b"\n/(?:b)/.test(text)',
  "call()\nexport async function a() {}",
  "export const { a, b: [c] } = call(), d = import.meta.url",
];

test.each(MODULES)("compiles as a function's body: %j", (code) => {
  expect(findCompileError(`(async function () {"use strict";${bodyOf(code).text}\n})`)).toBeUndefined();
});

test.each(MODULES)("what follows keeps its place: %j", (code) => {
  const { text, toModuleOffset } = bodyOf(`${code};END`);
  expect(text.split("\n")).toHaveLength(code.split("\n").length);
  expect(toModuleOffset(text.indexOf("END"))).toBe(code.length + 1);
  expect(toModuleOffset(0)).toBe(0);
});

describe("a deleted import is the only mistake beside", () => {
  let project: BundleProject;
  beforeAll(async () => {
    project = await makeBundleProject();
  });
  afterAll(() => project.remove());

  const DELETED = 'import * as all from "@codemode/errors"; delete all?.ToolCallError;';
  /** As if another module had made them. */
  const GLOBALS = "void [globalThis.call, globalThis.text, globalThis.b];";
  const TYPED = [
    "export default (() => {}) as unknown",
    "export default (() => {}) satisfies unknown",
    "export default <unknown>(class {})",
    "export default ((function () {})!)",
    "export default <T,>(a: T): T => a",
  ];

  test.each([...MODULES.filter((code) => !code.includes('"b"')), ...TYPED])("%j", async (code) => {
    const diagnostics = diagnosticsOf(await project.bundle(`${DELETED}${GLOBALS}\n${code}`, "script.ts"));
    expect(diagnostics).toMatchObject([{ code: "SYNTAX_ERROR", message: "An import cannot be assigned to." }]);
    expect(diagnostics[0]?.path).toMatch(/^script\.ts:1:\d+$/);
  });
});
