import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { makeTestFolder } from "../make-test-folder.ts";
import { serveProject } from "./serve-project.ts";

const RESERVED =
  `break case class const continue debugger default delete do else export extends false finally for function if import in
instanceof new null return super switch this throw true try typeof var void while with yield let static await`.split(
    /\s+/,
  );

const input = (properties: object, rest: object = {}): object => ({
  inputSchema: { type: "object", properties, required: Object.keys(properties), additionalProperties: false, ...rest },
});
const node = { type: "object", properties: { next: { $ref: "#/$defs/node" } }, additionalProperties: false };
const annotations = { readOnlyHint: true, idempotentHint: true, destructiveHint: false };

const { client, resultOf } = serveProject(() => ({
  servers: {
    names: [
      ...["a.b", "a-b", "a_b", "a b"].map((name) => ({ name, inputSchema: {} })),
      { name: "123tool", inputSchema: {} },
      { name: "naïve/ü", inputSchema: {} },
    ],
    reserved: RESERVED.map((name) => ({ name, inputSchema: {} })),
    types: [
      { name: "choice", ...input({ one: { enum: ["a", 1] }, only: { const: "x" } }) },
      {
        name: "either",
        ...input({
          one: { oneOf: [{ type: "string" }, { type: "number" }] },
          any: { anyOf: [{ type: "boolean" }, { type: "null" }] },
        }),
      },
      { name: "maybe", ...input({ value: { type: "string", nullable: true } }) },
      { name: "referring", ...input({ a: { $ref: "#/$defs/short" } }, { $defs: { short: { type: "string" } } }) },
      { name: "tree", ...input({ root: { $ref: "#/$defs/node" } }, { $defs: { node } }) },
      { name: "rest", ...input({ map: { type: "object", additionalProperties: { type: "number" } } }) },
      {
        name: "patterns",
        ...input({
          map: { type: "object", patternProperties: { "^x-": { type: "number" } }, additionalProperties: false },
        }),
      },
      {
        name: "pair",
        ...input({
          both: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false, minItems: 2 },
        }),
      },
      { name: "odd", ...input({ value: { not: { type: "string" } } }) },
      { name: "annotated", annotations, inputSchema: {} },
    ],
  },
}));

describe("the name of an export", () => {
  const mapping = async (server: string): Promise<[string, string][]> => {
    const code = `import { __meta__ } from "@codemode/servers/${server}";
export default __meta__.tools.map(({ toolName, exportName }) => [toolName, exportName]);`;
    return (await resultOf(code)) as [string, string][];
  };

  // A name that needs no change is its tool's own; of the others the first by tool name comes next (contract, "Names").
  test("is an identifier; of equal ones the first by tool name stays clean [6.1/illegal] [6.1/digit] [6.1/collision] [6.1/first-clean] [6.1/deterministic]", async () => {
    expect(Object.fromEntries(await mapping("names"))).toEqual({
      "a b": "a_b",
      "a-b": "a_b__2",
      "a.b": "a_b__3",
      a_b: "a_b__4",
      "123tool": "_123tool",
      "naïve/ü": expect.stringMatching(/^na(?:ï|_)ve_(?:ü|_)$/),
    });
  });

  test("has a line behind it where it is a reserved word [6.1/reserved]", async () => {
    expect(Object.fromEntries(await mapping("reserved"))).toEqual(
      Object.fromEntries(RESERVED.map((word) => [word, `${word}_`])),
    );
  });

  test("is the same each time, in __meta__, in discovery and as the export itself [6.1/stable] [6.1/reflected]", async () => {
    const before = await mapping("names");
    const code = `import * as names from "@codemode/servers/names";
import { listTools } from "@codemode/discovery";
const listed = (await listTools("names")).map(({ toolName, exportName }) => [toolName, exportName]);
const called = [];
for (const [toolName, exportName] of listed) called.push([toolName, (await names[exportName]()).startsWith(toolName + " ")]);
export default [listed, called];`;
    const [listed, called] = (await resultOf(code)) as [[string, string][], [string, boolean][]];
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(before));
    expect(called).toEqual(listed.map(([toolName]) => [toolName, true]));
  });
});

/** The declarations as an agent can read them. */
async function readDeclarations(): Promise<string> {
  const { contents } = await client().readResource({ uri: "codemode://types/types" });
  return (contents[0] as { text: string }).text;
}

const TSC = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

/** What TypeScript says of calls that are typed by the declarations. */
async function typeErrors(lines: readonly string[]): Promise<string> {
  const folder = await makeTestFolder();
  await writeFile(join(folder, "types.d.ts"), await readDeclarations());
  const code = ['import * as t from "@codemode/servers/types";', ...lines].join("\n");
  await writeFile(join(folder, "calls.ts"), code);
  const args = [
    TSC,
    "--noEmit",
    "--strict",
    "--module",
    "esnext",
    "--target",
    "es2023",
    "--types",
    "",
    "calls.ts",
    "types.d.ts",
  ];
  return promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

describe("the declarations", () => {
  test("take what the schemas take, and nothing else [6.2/declarations] [6.2/enum-const] [6.2/one-of] [6.2/nullable] [6.2/ref] [6.2/recursive] [6.2/additional-properties] [6.2/pattern-properties] [6.2/tuple]", async () => {
    const right = [
      't.choice({ one: "a", only: "x" });',
      't.choice({ one: 1, only: "x" });',
      't.either({ one: "a", any: true });',
      "t.either({ one: 1, any: null });",
      't.maybe({ value: "a" });',
      "t.maybe({ value: null });",
      't.referring({ a: "a" });',
      "t.tree({ root: { next: { next: { next: {} } } } });",
      "t.rest({ map: { a: 1, b: 2 } });",
      't.patterns({ map: { "x-a": 1 } });',
      't.pair({ both: ["a", 1] });',
    ];
    const wrong = [
      't.choice({ one: "b", only: "x" });',
      't.choice({ one: "a", only: "y" });',
      "t.either({ one: true, any: true });",
      't.either({ one: 1, any: "a" });',
      "t.maybe({ value: 1 });",
      "t.referring({ a: 1 });",
      "t.tree({ root: { next: { next: { next: 1 } } } });",
      't.rest({ map: { a: "1" } });',
      't.patterns({ map: { "x-a": "1" } });',
      't.pair({ both: [1, "a"] });',
      't.choice({ one: "a", only: "x", more: 1 });',
      "t.choice({});",
    ];
    expect(await typeErrors([...right, ...wrong.flatMap((line) => ["// @ts-expect-error", line])])).toBe("");
  });

  test("say unknown, and why, where a schema says more than a type can [6.2/fallback]", async () => {
    expect(await readDeclarations()).toMatch(/\/\*\*[^/]*\bnot\b[^/]*\*\/\s+value: unknown;/);
    expect(await typeErrors(["t.odd({ value: 1 });", "t.odd({ value: {} });"])).toBe("");
  });

  test("show annotations in doc comments [6.3/doc-comments]", async () => {
    const [, comment = ""] =
      /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s+export function annotated\(/.exec(await readDeclarations()) ?? [];
    expect(comment).toMatch(/read-only/i);
    expect(comment).toMatch(/idempotent/i);
  });
});

test("annotations are in what discovery tells [6.3/definitions]", async () => {
  const code = `import { getTool, listTools } from "@codemode/discovery";
const summary = (await listTools("types")).find(({ toolName }) => toolName === "annotated");
export default [summary.annotations, (await getTool("types", "annotated")).annotations];`;
  expect(await resultOf(code)).toEqual([annotations, annotations]);
});
