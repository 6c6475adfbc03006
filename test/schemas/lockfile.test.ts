import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileSchema } from "../../runtime/host/checks/compile-schema.ts";
import { diffLockfiles } from "../../schemas/diff/diff-lockfiles.ts";
import { formatLockfile, parseLockfile } from "../../schemas/lock/lockfile-text.ts";
import type { JsonValue } from "../../schemas/json/json.ts";
import { cleanSchema } from "../../schemas/json-schema/clean-schema.ts";
import { lockServer, type SnapshotOrigin, lockedIntegrity } from "../../schemas/lock/lock-server.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { ServerSnapshot, WireTool } from "../../schemas/lock/server-snapshot.ts";

const origin: SnapshotOrigin = {
  id: "files",
  name: "Files",
  source: {
    transport: "stdio",
    command: "node",
    args: ["server.js", "${ROOT}"],
    env: new Map([
      ["TOKEN", "s3cr3t-value"],
      ["API_KEY", "${API_KEY}"],
    ]),
  },
};

const echo: WireTool = {
  name: "echo",
  description: "Echoes.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
};
const add: WireTool = { name: "add", inputSchema: { type: "object" }, "x-vendor": true };

function snapshot(tools: WireTool[]): ServerSnapshot {
  return {
    serverInfo: { name: "files", version: "1.0.0" },
    protocolVersion: "2025-11-25",
    era: "legacy",
    capabilities: { tools: {} },
    clientCapabilities: {},
    tools,
  };
}

function lockfileOf(...tools: WireTool[]): Lockfile {
  return { servers: new Map([["files", lockServer(origin, snapshot(tools))]]) };
}

test("the order of the tools on the wire does not show", () => {
  expect(formatLockfile(lockfileOf(echo, add))).toBe(formatLockfile(lockfileOf(add, echo)));
});

test("the order of the keys of a schema does not show", () => {
  const reordered: WireTool = { ...echo, inputSchema: { properties: { text: { type: "string" } }, type: "object" } };
  expect(formatLockfile(lockfileOf(reordered))).toBe(formatLockfile(lockfileOf(echo)));
  // Not only in the text: code generated right after locking must equal code generated from the file.
  expect(JSON.stringify([...lockfileOf(reordered).servers])).toBe(JSON.stringify([...lockfileOf(echo).servers]));
});

test("a lockfile is read back as it was written, and meets its published schema", () => {
  const text = formatLockfile(lockfileOf(echo, add));
  expect(formatLockfile(parseLockfile(text, "codemode.lock.json"))).toBe(text);
  const schema = JSON.parse(readFileSync("schemas/lockfile.schema.json", "utf8")) as JsonValue;
  expect(compileSchema(cleanSchema(schema, "output"))(JSON.parse(text))).toEqual([]);
});

test("placeholders and names of variables are kept, values are not", () => {
  const text = formatLockfile(lockfileOf(echo));
  expect(text).toContain("${ROOT}");
  expect(text).toContain('"TOKEN"');
  expect(text).not.toContain("s3cr3t-value");
});

test.each([
  ["description", "Echoes!"],
  ["title", "Echo"],
  ["annotations", { readOnlyHint: true, category: "unknown to the SDK" }],
  ["outputSchema", { type: "object" }],
])("a changed %s changes the integrity and is drift", (key, value) => {
  const before = lockfileOf(echo, add);
  const after = lockfileOf({ ...echo, [key]: value }, add);
  expect(diffLockfiles(before, after)).toMatchObject([
    { serverId: "files", kind: "changed", toolsAdded: [], toolsRemoved: [], toolsChanged: ["echo"] },
  ]);
});

test("equal lockfiles have no changes", () => {
  expect(diffLockfiles(lockfileOf(echo, add), lockfileOf(add, echo))).toEqual([]);
});

test("an entry of before a key was known keeps its integrity", () => {
  expect(lockedIntegrity({ name: "add", description: "Adds.", inputSchema: { type: "object" } })).toBe(
    "sha256-ch9uZYylPhsbic1+nS1zVZRUEDyBDQ+hWr99wrO3/H8=",
  );
});

const good = formatLockfile(lockfileOf(echo));
const typed = formatLockfile({
  servers: new Map([
    ["files", lockServer({ ...origin, outputs: new Map([["files/echo", { type: "string" }]]) }, snapshot([echo]))],
  ]),
});
const served = formatLockfile(lockfileOf({ ...echo, outputSchema: { type: "string" } }));

test.each([
  ["a merge conflict", `<<<<<<< ours\n${good}=======\n${good}>>>>>>> theirs\n`, /merge conflict/],
  ["half a file", good.slice(0, 200), /not valid JSON/],
  ["another document", "[]", /not a JSON object/],
  ["a newer version", good.replace('"lockfileVersion": 1', '"lockfileVersion": 2'), /newer than this codemode reads/],
  ["an edited description", good.replace("Echoes.", "Echoes and steals."), /integrity of "echo" does not match/],
  [
    "the removed mark of a schema of the configuration",
    typed.replace(/,\s*"outputSchemaFrom": "configuration"/, ""),
    /integrity of "echo" does not match/,
  ],
  [
    "a schema of the server that is passed off as the configuration's",
    served.replace('"outputSchema": {', '"outputSchemaFrom": "configuration",\n"outputSchema": {'),
    /integrity of "echo" does not match/,
  ],
  ["an edited server", good.replace('"version": "1.0.0"', '"version": "1.0.1"'), /integrity does not match/],
  [
    "an export name that is code",
    good.replace('"exportName": "echo"', '"exportName": "x;alert()"'),
    /"exportName" of "echo" is not echo/,
  ],
  ["an id that is a path", good.replace('"files": {', '"../files": {'), /id is not normalized/],
])("%s is refused with one clear line", (_, text, want) => {
  expect(() => parseLockfile(text, "codemode.lock.json")).toThrow(want);
});
