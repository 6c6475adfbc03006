import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { toCheckRequest } from "../../../engine/check/check-request.ts";
import { makeScriptChecker } from "../../../engine/check/check-script.ts";
import { lockfileOf } from "../../templates/lockfile-of.ts";
import { LOCKFILE, typeErrorsOf } from "./check-project.ts";

const PATHS = { path: expect.any(String) };

/** `path: message` of each finding. */
async function complaintsOf(code: string, name = "script.ts"): Promise<string[]> {
  return (await typeErrorsOf(code, { name })).map(({ path, message }) => `${path}: ${message}`);
}

describe("what is no mistake", () => {
  test.each([
    [
      "the tools, used as they are declared",
      `import { get_sum } from "@codemode/servers/everything";
       import * as files from "@codemode/servers/filesystem";
       import { list_tickets, type ListTicketsOutput } from "@codemode/servers/tickets";
       const { content } = await files.read_text_file({ path: "notes.txt" });
       const open = (found: ListTicketsOutput) => found.tickets.filter(({ status }) => status === "open");
       const sum = await get_sum({ a: content.length, b: 1 });
       export default { sum: String(sum), open: open(await list_tickets({ status: "open" })).map(({ id }) => id) };`,
    ],
    [
      "everything that the sandbox has",
      `const url = new URL("/a?b=1", "https://example.org");
       url.searchParams.append("c", "2");
       for (const [name, value] of url.searchParams) console.info(name, value);
       console.table([{ a: 1 }]); console.group("x"); console.groupEnd(); console.assert(true, "fine");
       const bytes: Uint8Array = new TextEncoder().encode("a");
       const text: string = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
       const timer: number = setTimeout((word: string) => console.log(word), 10, "later");
       clearTimeout(timer);
       await new Promise((resolve) => setTimeout(resolve, 1));
       const { city } = globalThis.__codemode_input__;
       globalThis.__codemode_result__ = { city, text, sorted: [2, 1].toSorted() };`,
    ],
    [
      "modules of codemode's own",
      `import { getTool, listServers, searchTools } from "@codemode/discovery";
       import { SchemaValidationError, ToolCallError } from "@codemode/errors";
       const { results } = await searchTools("sum", { detail: "full", limit: 3 });
       try { console.log(results[0]?.inputSchema, await listServers(), await getTool("memory", "read_graph")); }
       catch (error) {
         if (error instanceof SchemaValidationError) console.log(error.pointer);
         if (error instanceof ToolCallError) console.log(error.toolName);
         console.log(error.message);
       }`,
    ],
    ["asking whether a name is there", 'console.log(typeof process === "undefined", typeof Buffer);'],
    ["variables and imports that nothing uses", 'import { echo } from "@codemode/servers/everything";\nconst a = 1;'],
    ["a namespace passed on", 'import * as memory from "@codemode/servers/memory";\nconsole.log(Object.keys(memory));'],
    [
      "a module that is imported where it is needed",
      'const { echo } = await import("@codemode/servers/everything");\nawait echo({ message: "hi" });',
    ],
    ["a hashbang", "#!/usr/bin/env -S codemode run\nconsole.log(1);"],
  ])("%s", async (_title, code) => {
    expect(await complaintsOf(code)).toEqual([]);
  });
});

test("JavaScript is checked too, by the names of its parameters and not by their types", async () => {
  const code = `import { echo } from "@codemode/servers/everything";
const say = (message) => echo({ message });
await say("a");
await echo({ message: 5 });`;
  const findings = await typeErrorsOf(code, { name: "script.js" });
  expect(findings.filter(({ severity }) => severity === "error").map(({ path }) => path)).toEqual(["script.js:4:14"]);
});

test("what the bundler says is not said twice", async () => {
  expect(await complaintsOf("const = 1;\nconst a: number = 'x';")).toEqual([]);
  expect(await complaintsOf('import { nothing } from "@codemode/servers/memory"; nothing();')).toEqual([]);
  expect(await complaintsOf('import { nothing } from "@codemode/servers/absent"; nothing();')).toEqual([]);
  expect(await complaintsOf('import axios from "axios"; axios.get("x");')).toEqual([]);
  expect(await complaintsOf('const fs = require("fs"); module.exports = fs;')).toEqual([]);
  expect(await complaintsOf("return 1;")).toEqual([]);
});

test("a type that is not there is no part of the bundle, so that it is said here", async () => {
  const [finding] = await typeErrorsOf(
    'import type { EchoInputs } from "@codemode/servers/everything";\nlet a: EchoInputs;\nconsole.log(1);',
  );
  expect(finding).toMatchObject({ code: "TYPE_ERROR", path: "script.ts:1:15" });
});

describe("modules beside the script", () => {
  function folderWith(files: Record<string, string>): string {
    const folder = mkdtempSync(join(tmpdir(), "codemode-check-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  }

  test("are checked with it, and each mistake is placed in its own file", async () => {
    const folder = folderWith({
      "sum.ts":
        'import { get_sum } from "@codemode/servers/everything";\nexport const sum = (a: number) => get_sum({ a });\n',
      "data.json": '{ "cities": ["Rome"] }',
    });
    const code = `import data from "./data.json";
import { sum } from "./sum.ts";
import * as own from "./sum.ts";
await sum(data.cities);
const wrong: string = own;
export default [wrong, import.meta satisfies number];`;
    const findings = await typeErrorsOf(code, { name: "main.ts", folder });
    expect(findings.map(({ path }) => path)).toEqual(["main.ts:4:11", "main.ts:5:7", "main.ts:6:36", "sum.ts:2:43"]);
    expect(JSON.stringify(findings)).not.toContain(folder);
  });

  test("no reference of the script's leads to a file of the machine", async () => {
    const folder = folderWith({ "outside.d.ts": "declare const secret: 'leaked';" });
    const code = `/// <reference path="${folder}/outside.d.ts" />
/// <reference types="node" />
/// <reference lib="dom" />
const shown: typeof secret = 1;
const file: import("${folder}/outside").Nothing = 1;
const settings: typeof import("${process.cwd()}/package.json") = 1;`;
    const findings = await typeErrorsOf(code);
    expect(findings.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      "script.ts:4:21: Cannot find name 'secret'.",
      expect.stringMatching(/^script.ts:5:20: Cannot find module/),
      expect.stringMatching(/^script.ts:6:31: Cannot find module/),
    ]);
    expect(JSON.stringify(findings)).not.toContain("leaked");
  });
});

describe("the declarations are those of the lockfile", () => {
  const serverOf = (type: string) =>
    lockfileOf({
      trips: [{ name: "book", inputSchema: { type: "object", properties: { days: { type } }, required: ["days"] } }],
    });
  const code = 'import { book } from "@codemode/servers/trips";\nawait book({ days: 3 });';

  test("and follow it when it changes", async () => {
    const checker = makeScriptChecker();
    const check = (type: string) => checker.check(toCheckRequest({ code, name: "script.ts" }, serverOf(type)));
    expect(await check("number")).toEqual([]);
    expect(await check("string")).toMatchObject([{ path: "script.ts:2:14", hint: 'Put it in quotes: `"3"`.' }]);
    expect(await check("number")).toEqual([]);
  });

  test("a hidden tool does not exist, although the integrity of its server is the same", async () => {
    const checker = makeScriptChecker();
    const trips = lockfileOf({ trips: [{ name: "book" }, { name: "cancel" }] }).servers.get("trips");
    if (trips === undefined) throw new Error("There is no such server.");
    const both = 'const trips = await import("@codemode/servers/trips");\nawait trips.cancel({});';
    const check = (server: typeof trips) =>
      checker.check(toCheckRequest({ code: both, name: "script.ts" }, { servers: new Map([["trips", server]]) }));
    expect(await check(trips)).toEqual([]);
    const hidden = { ...trips, isPartial: true as const, tools: trips.tools.filter(({ name }) => name === "book") };
    expect(await check(hidden)).toMatchObject([{ code: "TYPE_ERROR", path: "script.ts:2:13" }]);
    expect(await check(trips)).toEqual([]);
  });

  test("also those of a chain of 3,000 references", async () => {
    const steps = Array.from({ length: 3000 }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]);
    const $defs = Object.fromEntries([...steps, ["d3000", { type: "string" }]]) as object;
    const properties = { chain: { $ref: "#/$defs/d0" }, days: { type: "string" } };
    const trips = lockfileOf({ trips: [{ name: "book", inputSchema: { type: "object", properties, $defs } }] });
    const used = code.replace("days: 3", "days: 3, chain: {}");
    const findings = await makeScriptChecker().check(toCheckRequest({ code: used, name: "script.ts" }, trips));
    expect(findings).toMatchObject([{ code: "TYPE_ERROR", path: "script.ts:2:14" }]);
  });

  test("with any names and texts of a server", async () => {
    const hostile = lockfileOf({
      odd: [
        {
          name: "constructor",
          description: "*/ declare const injected: 1; /*",
          inputSchema: {
            type: "object",
            properties: { "a`b\n\u001b[31m": { type: "string" }, __proto__: { enum: ["*/", '"; injected'] } },
            required: ["a`b\n\u001b[31m"],
          },
        },
      ],
    });
    const code =
      'import * as odd from "@codemode/servers/odd";\nawait odd.constructor_({});\nexport type Found = typeof injected;';
    const findings = await makeScriptChecker().check(toCheckRequest({ code, name: "script.ts" }, hostile));
    expect(findings.map(({ message }) => message)).toContain("Cannot find name 'injected'.");
    for (const { hint } of findings) expect(hint).not.toContain("\u001b");
  });
});

test("code that is nested too deeply is said to be, and the next script is checked as ever", async () => {
  const deep = `const list = ${"[".repeat(20_000)}${"]".repeat(20_000)};`;
  expect(await typeErrorsOf(deep)).toEqual([
    {
      severity: "warning",
      code: "CHECK_INCOMPLETE",
      message: expect.stringContaining("nested too deeply"),
      hint: expect.any(String),
    },
  ]);
  expect(await typeErrorsOf("const count: number = 'one';")).toMatchObject([PATHS]);
});

test("of a hundred mistakes the first dozen is reported", async () => {
  const findings = await typeErrorsOf(
    "const count: number = 'one';\n"
      .replace("count", "a")
      .concat(Array.from({ length: 99 }, (_, index) => `const b${index}: number = "x";`).join("\n")),
  );
  expect(findings).toHaveLength(12);
  expect(findings[11]).toMatchObject({ path: "script.ts:12:7" });
});

test("a type of the server's is called by its own name, without any path", async () => {
  const findings = await typeErrorsOf(
    'import * as memory from "@codemode/servers/memory";\nconst wrong: number = memory.read_graph();\nconst all: number = memory;',
  );
  expect(findings.map(({ message }) => message)).toEqual([
    "Type 'Promise<ReadGraphOutput>' is not assignable to type 'number'.",
    "Type 'typeof import(\"@codemode/servers/memory\")' is not assignable to type 'number'.",
  ]);
});

test("the lockfile of these tests has real servers", () => {
  expect([...LOCKFILE.servers.keys()]).toEqual(["everything", "filesystem", "memory", "tickets"]);
});

describe("a promise among the arguments of a tool is found", () => {
  const inputSchema = { type: "object", properties: { title: { type: "string" }, body: {} }, required: ["title"] };
  const lockfile = lockfileOf({ s: [{ name: "create_note", inputSchema }, { name: "get_text" }] });
  const checker = makeScriptChecker();
  const check = (code: string) => checker.check(toCheckRequest({ code, name: "script.ts" }, lockfile));

  test.each([
    ["in a member", "await create_note({ title: 'a', body: ⟪get_text() });"],
    ["in an object before", "const input = { title: 'a', body: get_text() };\nawait create_note(⟪input);"],
    ["of its own", "const found = get_text();\nawait create_note({ title: 'a', body: ⟪found });"],
    ["in a list", "await create_note({ title: 'a', body: { list: [1, ⟪get_text()] } });"],
    ["many", "const all = ['a'].map(() => get_text());\nawait create_note({ title: 'a', body: ⟪all });"],
    ["behind a choice", "await create_note({ title: 'a', body: Math.random() > 1 ? 'b' : (⟪get_text()) });"],
  ])("%s", async (_, marked) => {
    const script = `import { create_note, get_text } from "@codemode/servers/s";\n${marked}`;
    const lines = script.slice(0, script.indexOf("⟪")).split("\n");
    const code = script.replace("⟪", "");
    const path = `script.ts:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
    expect(await check(code)).toMatchObject([{ severity: "error", code: "MISSING_AWAIT", path }]);
    const awaited = code
      .replaceAll("get_text()", "await get_text()")
      .replace("map(() => await get_text())", "map(() => 1)");
    expect(await check(awaited)).toEqual([]);
  });
});

test("a number that no double holds is found where it is written", async () => {
  const code = "export default [9007199254740993, 9_007_199_254_740_993, 0x20000000000001, 18446744073709551615];";
  const found = await typeErrorsOf(code);
  expect(found.map(({ code: kind, path }) => [kind, path])).toEqual(
    [17, 35, 58, 76].map((column) => ["NUMBER_CHANGED", `script.ts:1:${column}`]),
  );
  expect(found[0]?.message).toBe(
    "The number 9007199254740993 is 9007199254740992 in JavaScript, which has no integers of this size.",
  );
  expect(
    await typeErrorsOf("export default [9007199254740992, 1e22, 2 ** 64, 0xffff, 9007199254740993n > 1n];"),
  ).toEqual([]);
});
