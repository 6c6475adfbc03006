import { expect, test } from "vitest";
import { describeDifferences } from "../../../engine/project/clients/same-server.ts";
import { toOwnWords } from "../../../engine/project/clients/entry-parts.ts";
import type { ServerEntry } from "../../../schemas/config/config-file.ts";
import { toSource } from "../../../schemas/config/to-config.ts";
import type { JsonObject } from "../../../schemas/json/json.ts";

const STDIO: ServerEntry = { command: "x", args: ["1", "2"], env: { A: "1" } };
const HTTP: ServerEntry = { type: "http", url: "https://a.example/mcp", headers: { "X-A": "1" } };

test.each<[ServerEntry, ServerEntry, string[]]>([
  [STDIO, STDIO, []],
  [STDIO, { ...STDIO, command: "y" }, ["command"]],
  [STDIO, { ...STDIO, args: ["1"] }, ["command"]],
  [STDIO, { ...STDIO, args: ["1", "2", "3"] }, ["command"]],
  [STDIO, { ...STDIO, args: ["1", "3"] }, ["command"]],
  [STDIO, { ...STDIO, cwd: "b" }, ["cwd"]],
  [STDIO, { ...STDIO, env: { A: "2" } }, ["env A"]],
  [STDIO, { ...STDIO, env: { A: "1", B: "" } }, ["env B"]],
  [STDIO, { command: "x", args: ["1", "2"] }, ["env A"]],
  [STDIO, HTTP, ["type"]],
  [HTTP, STDIO, ["type"]],
  [HTTP, HTTP, []],
  [HTTP, { ...HTTP, type: "sse" }, ["type"]],
  [HTTP, { ...HTTP, url: "https://b.example/mcp" }, ["url"]],
  [HTTP, { ...HTTP, headers: { "x-a": "1" } }, []],
  [HTTP, { ...HTTP, headers: { "X-A": "2" } }, ["header x-a"]],
  [HTTP, { ...HTTP, oauth: { scope: "a" } }, ["oauth"]],
])("%j and %j differ in %j", (left, right, differs) => {
  expect(describeDifferences(toSource(left), toSource(right))).toEqual(differs);
});

test("what means the same is decided by the caller, also where one has nothing", () => {
  const always = (): boolean => true;
  const other = { command: "y", args: ["1", "3"], cwd: "b", env: { A: "2" } };
  expect(describeDifferences(toSource(STDIO), toSource(other), always)).toEqual([]);
  expect(describeDifferences(toSource(STDIO), toSource({ ...other, env: {} }), always)).toEqual(["env A"]);
});

test.each<[JsonObject, JsonObject]>([
  [{ serverUrl: "https://a.example" }, { url: "https://a.example" }],
  [{ httpUrl: "https://a.example", url: "https://b.example" }, { url: "https://b.example" }],
  [
    { url: "https://a.example", type: "streamable-http" },
    { type: "http", url: "https://a.example" },
  ],
  [
    { url: "https://a.example", transport: "http-stream" },
    { type: "http", url: "https://a.example" },
  ],
  [
    { url: "https://a.example", type: "remote" },
    { type: "http", url: "https://a.example" },
  ],
  [
    { command: "x", type: "remote" },
    { type: "remote", command: "x" },
  ],
  [
    { command: "x", type: "local" },
    { type: "stdio", command: "x" },
  ],
  [
    { command: "x", type: "odd" },
    { type: "odd", command: "x" },
  ],
  [
    { command: "x", env: { A: 1, B: true, C: "c", D: null } },
    { command: "x", env: { A: "1", B: "true", C: "c", D: null } },
  ],
  [
    { command: "x", env: "odd" },
    { command: "x", env: "odd" },
  ],
  [{ baseUrl: 7, command: "x" }, { command: "x" }],
])("the pasted entry %j is %j", (entry, own) => {
  expect(toOwnWords(entry)).toEqual(own);
});
