import { decode, encode } from "@jridgewell/sourcemap-codec";
import { describe, expect, test } from "vitest";
import { serverNameInPath, serverOfPath } from "../../../engine/bundle/imports/server-paths.ts";
import { wrapReturn } from "../../../engine/bundle/imports/top-level-return.ts";

describe("the server that a relative path means", () => {
  const tools = [{ name: "get-issue" }, { name: "listIssues" }];
  const modules = new Map([
    ["google-drive", { tools: [] }],
    ["github", { tools }],
    ["github/resources", { tools: [] }],
    ["Github", { tools: [] }],
  ]);

  test.each([
    ["./servers/github", "github"],
    ["../servers/github", "github"],
    ["../../servers/github/", "github"],
    ["./../servers/github/index", "github"],
    ["./servers/github/index.mjs", "github"],
    ["./servers/github.ts", "github"],
    ["./servers/Github", "Github"],
    ["./servers/GITHUB", "github"],
    ["./servers/googleDrive", "google-drive"],
    ["./servers/github/getIssue", "github"],
    ["./servers/github/list_issues.cts", "github"],
    ["./servers/github/resources", "github/resources"],
  ])("%s is %s", (path, id) => {
    expect(serverOfPath(path, modules)).toBe(`@codemode/servers/${id}`);
    expect(serverNameInPath(path)).toBeDefined();
  });

  test.each([
    "./servers/github/closeIssue",
    "./servers/github/getIssue/index/deep.js",
    "./servers/github/src/getIssue.js",
    "./servers/jira",
    "./servers/",
    "./lib/servers/github",
    "servers/github",
    "./server/github",
    "./servers/google-drive/getIssue",
    "./servers/jira/getIssue",
  ])("%s is none", (path) => {
    expect(serverOfPath(path, modules)).toBeUndefined();
  });

  test.each(["./lib/a.js", "./servers", "servers/github", "@codemode/servers/github"])("%s names no server", (path) => {
    expect(serverNameInPath(path)).toBeUndefined();
  });
});

describe("a script that ends with `return`, as a module", () => {
  const START = ";export default await (async () => {";

  test.each([
    ["return 1;", 0],
    ["import 'a'; return 1;", 11],
    ["import 'a';;import 'b'\nreturn 1;", 22],
    ["// first\nimport a from 'a'; // then\nreturn a;", 27],
    ["import { a, b as c } from 'a' with { type: 'json' };\nreturn c;", 29],
    ["import type { T } from 'a';\nimport * as a from 'b';\nreturn a;", 51],
    ["import('a').then(b); return 1;", 0],
    ["import 'a'; import.meta.url; return 1;", 11],
    ["import 'a'; import b; return 1;", 11],
    ["import 'a'; import b from", 11],
    ["import 'a'; return `\n", 11],
    ["@ return", 0],
  ])("%j begins its function at %i", async (code, start) => {
    const wrapped = await wrapReturn(code.includes("return") ? code : `${code} return`);
    expect(wrapped?.source.indexOf(START)).toBe(start);
    expect(wrapped?.source.endsWith("\n})();")).toBe(true);
  });

  test("without the word there is nothing to do", async () => {
    expect(await wrapReturn("export default returned;")).toBeUndefined();
  });

  test("places are the ones that the author sees, also in what was added", async () => {
    const wrapped = await wrapReturn("import 'a'; return b;\nlast");
    const [, added] = [wrapped, START.length];
    const at = (line: number, column: number) => wrapped?.toWritten({ line, column });
    expect(at(1, 1)).toEqual({ line: 1, column: 1 });
    expect(at(1, 12)).toEqual({ line: 1, column: 12 });
    expect(at(1, 13)).toEqual({ line: 1, column: 12 });
    expect(at(1, 12 + added)).toEqual({ line: 1, column: 12 });
    expect(at(1, 13 + added)).toEqual({ line: 1, column: 13 });
    expect(at(2, 60)).toEqual({ line: 2, column: 60 });
    expect(at(3, 1)).toEqual({ line: 2, column: 5 });
  });

  test("a map leads to the text of the author, with its names", async () => {
    const wrapped = await wrapReturn("return b;\nlast");
    const mappings = encode([[[0], [4, 0, 0, START.length, 0]], [[0, 0, 1, 2]]]);
    const map = wrapped?.toWrittenMap({ version: 3, names: ["b"], sources: ["a.ts"], mappings });
    expect(map).toMatchObject({ version: 3, names: ["b"], sources: ["a.ts"] });
    expect(decode(map?.mappings ?? "")).toEqual([[[0], [4, 0, 0, 0, 0]], [[0, 0, 1, 2]]]);
  });

  test("the first line of an executable script is a comment", async () => {
    expect((await wrapReturn("#!/bin/node\nreturn '#!';"))?.source).toContain("///bin/node\nreturn '#!';");
  });
});
