import { expect, test } from "vitest";
import type { ConfigFile } from "../../schemas/config/config-file.ts";
import { diffLockfiles } from "../../schemas/diff/diff-lockfiles.ts";
import { findLockMismatches, findRetyped } from "../../schemas/lock/lock-mismatch.ts";
import { lockServer } from "../../schemas/lock/lock-server.ts";
import type { LockedServer } from "../../schemas/lock/lockfile.ts";
import type { WireTool } from "../../schemas/lock/server-snapshot.ts";
import { toConfig } from "../../schemas/config/to-config.ts";

const TOOLS: WireTool[] = [{ name: "read", outputSchema: { type: "string" } }, { name: "write" }];

type Outputs = NonNullable<ConfigFile["outputs"]>;

function configOf(entry: ConfigFile["mcpServers"][string], outputs: Outputs = {}) {
  return toConfig({ mcpServers: { files: entry }, outputs }, "/p/c.json", "/p");
}

function lockedOf(config: ReturnType<typeof configOf>, more: object = {}): LockedServer {
  const [server] = config.servers;
  if (server === undefined) throw new Error("no server");
  const known = {
    serverInfo: {},
    protocolVersion: "2025-11-25",
    era: "legacy" as const,
    capabilities: {},
    clientCapabilities: {},
  };
  return lockServer({ ...server, outputs: config.outputs, ...more }, { ...known, tools: TOOLS });
}

const LOCAL = { command: "node", args: ["a.js"], env: { A: "1" } };
const REMOTE = { url: "https://a.example/mcp?key=1", headers: { B: "1" } };

test.each<[string, ConfigFile["mcpServers"][string], ConfigFile["mcpServers"][string], string | undefined]>([
  ["nothing", LOCAL, LOCAL, undefined],
  ["the value of a variable", LOCAL, { ...LOCAL, env: { A: "2" } }, undefined],
  ["nothing of a remote server", REMOTE, REMOTE, undefined],
  ["the value of a header", REMOTE, { ...REMOTE, headers: { B: "2" } }, undefined],
  ["the value in a query", REMOTE, { ...REMOTE, url: "https://a.example/mcp?key=2" }, undefined],
  ["an argument", LOCAL, { ...LOCAL, args: [] }, "changed in the configuration: args"],
  ["a folder that was not there", LOCAL, { ...LOCAL, cwd: "x" }, "changed in the configuration: cwd"],
  ["a folder that is gone", { ...LOCAL, cwd: "x" }, LOCAL, "changed in the configuration: cwd"],
  [
    "a command and a variable",
    LOCAL,
    { ...LOCAL, command: "deno", env: {} },
    "changed in the configuration: command, env",
  ],
  ["an address", REMOTE, { ...REMOTE, url: "https://b.example" }, "changed in the configuration: url"],
  [
    "a tool that is left out",
    LOCAL,
    { ...LOCAL, tools: { exclude: ["w*", "read"] } },
    '"tools" leaves out read, write',
  ],
  ["tools that are not taken in", LOCAL, { ...LOCAL, tools: { include: ["read"] } }, '"tools" leaves out write'],
])("a change of %s", (_name, before, after, problem) => {
  const lockfile = { servers: new Map([["files", lockedOf(configOf(before))]]) };
  const expected = problem === undefined ? [] : [{ serverId: "files", problem }];
  expect(findLockMismatches(configOf(after), lockfile, ["files"])).toEqual(expected);
});

test.each<[string, Outputs, Outputs, string | undefined]>([
  ["the same", { "files/read": { type: "number" } }, { "files/read": { type: "number" } }, undefined],
  ["in another order", { "files/read": { a: 1, b: 2 } }, { "files/read": { b: 2, a: 1 } }, undefined],
  ["of another server", {}, { "other/read": true }, undefined],
  ["new", {}, { "files/read": { type: "string" } }, '"outputs" has another schema for read'],
  ["gone", { "files/read": true }, {}, '"outputs" has another schema for read'],
  [
    "changed",
    { "files/read": true, "files/write": {} },
    { "files/read": false },
    '"outputs" has another schema for read, write',
  ],
])("a configured output schema that is %s", (_name, before, after, problem) => {
  const lockfile = { servers: new Map([["files", lockedOf(configOf(LOCAL, before))]]) };
  const expected = problem === undefined ? [] : [{ serverId: "files", problem }];
  expect(findLockMismatches(configOf(LOCAL, after), lockfile, ["files"])).toEqual(expected);
});

test("types of another form", () => {
  const [closed, index] = [configOf(LOCAL), { ...configOf(LOCAL), types: { openObjects: "index" as const } }];
  const lockfile = { servers: new Map([["files", lockedOf(closed)]]) };
  const expected = [{ serverId: "files", problem: '"types.openObjects" is index now' }];
  expect(findLockMismatches(index, lockfile, ["files"])).toEqual(expected);
  expect(findRetyped(index, lockfile)).toEqual(expected);
  expect(findRetyped(closed, lockfile)).toEqual([]);
  const relocked = { servers: new Map([["files", lockedOf(closed, { openObjects: "index" })]]) };
  expect(findRetyped(index, relocked)).toEqual([]);
  expect(findRetyped(closed, relocked)).toEqual([{ serverId: "files", problem: '"types.openObjects" is closed now' }]);
  expect(diffLockfiles(lockfile, relocked)).toMatchObject([
    {
      ...{ serverId: "files", kind: "changed", severity: "compatible", toolsChanged: [] },
      changes: [{ pointer: "/openObjects", before: "closed", after: "index" }],
    },
  ]);
});

test("a server that one of both does not have, and no other is looked at", () => {
  const config = configOf(LOCAL);
  const servers = new Map([["old", lockedOf(config)]]);
  expect(findLockMismatches(config, { servers }, ["old", "files"])).toEqual([
    { serverId: "old", problem: "it is not in the configuration" },
    { serverId: "files", problem: "it is not in the lockfile" },
  ]);
  expect(findLockMismatches(config, { servers }, [])).toEqual([]);
});

test("the package that a command started is found when it is locked, and older lockfiles hold whole addresses", () => {
  const started = { package: { name: "x", version: "1.0.0", floats: false } };
  const servers = new Map([["files", lockedOf(configOf(LOCAL), started)]]);
  expect(findLockMismatches(configOf(LOCAL), { servers }, ["files"])).toEqual([]);
  const remote = lockedOf(configOf(REMOTE));
  const older = { ...remote, source: { ...remote.source, url: REMOTE.url } as LockedServer["source"] };
  expect(findLockMismatches(configOf(REMOTE), { servers: new Map([["files", older]]) }, ["files"])).toEqual([]);
});
