import { expect, test } from "vitest";
import { type ConfigFile, DEFAULTS, type ServerEntry } from "../../schemas/config/config-file.ts";
import type { Config } from "../../schemas/config/config.ts";
import { toConfig, toSource } from "../../schemas/config/to-config.ts";

const configOf = (written: Partial<ConfigFile>): Config =>
  toConfig({ mcpServers: {}, ...written }, "/p/codemode.config.json", "/p");

test("a configuration that says nothing has every default, and no key without a value", () => {
  const { mcpServers: _ofServers, audit: _ofAudit, ...defaults } = DEFAULTS;
  expect(configOf({})).toStrictEqual({
    ...defaults,
    ...{ file: "/p/codemode.config.json", folder: "/p", servers: [], outputs: new Map(), log: {} },
    // What is usual depends on where runs come from.
    sandbox: {},
    ...{ scripts: new Map(), serve: { ...DEFAULTS.serve, clients: [] } },
  });
});

test("what a configuration says is kept, and its groups are filled in", () => {
  const written = {
    ...{ out: "made", typecheck: "error", relistAfterMs: 0, drift: "refuse", log: { level: "debug" } },
    ...{ bundle: { allow: ["date-fns"] }, sandbox: { reuse: 3 }, learn: { observe: true } },
    ...{ types: { openObjects: "index" }, telemetry: { payloads: true } },
  } as const satisfies Partial<ConfigFile>;
  const groups = {
    ...{ limits: { timeoutMs: 1 }, policy: { deny: ["x/*"] }, audit: { file: "audit.jsonl" } },
    serve: { toolName: "x", durable: true, queue: { maxRunning: 1 } },
  } satisfies Partial<ConfigFile>;
  expect(configOf({ ...written, ...groups })).toMatchObject({
    ...written,
    limits: { ...DEFAULTS.limits, timeoutMs: 1 },
    policy: { ...DEFAULTS.policy, deny: ["x/*"] },
    audit: { ...DEFAULTS.audit, file: "audit.jsonl" },
    serve: { ...DEFAULTS.serve, toolName: "x", durable: true, queue: { maxRunning: 1, maxWaiting: 64 }, clients: [] },
  });
});

test("clients of serve have their names, patterns of servers and own values", () => {
  const clients = {
    a: { token: "1" },
    b: { token: "2", servers: ["x"], policy: { allow: [] }, mayApprove: true },
    c: { token: "3", servers: { x: { env: { A: "1" } }, "y*": {} } },
  };
  expect(configOf({ serve: { clients } }).serve.clients).toStrictEqual([
    { name: "a", token: "1", servers: ["*"], mayApprove: false },
    { name: "b", token: "2", servers: ["x"], mayApprove: true, policy: { allow: [] } },
    {
      ...{ name: "c", token: "3", servers: ["x", "y*"], mayApprove: false },
      ownValues: new Map([["x", { env: { A: "1" } }]]),
    },
  ]);
});

test("disabled servers keep their ids and lose their outputs", () => {
  const server: ServerEntry = { command: "node" };
  const config = configOf({
    mcpServers: {
      Mail: { ...server, disabled: true },
      mail: {
        ...server,
        tools: { include: ["a"], exclude: ["b"] },
        timeoutMs: 5,
        idleMs: 9000,
        notSecret: ["args[0]"],
      },
      other: { ...server, disabled: false },
    },
    outputs: { "mail/a": {}, "mail--2/a": true, "other/b": true },
  });
  expect(config.servers).toStrictEqual([
    {
      ...{
        id: "mail--2",
        name: "mail",
        tools: { include: ["a"], exclude: ["b"] },
        timeoutMs: 5,
        idleMs: 9000,
        notSecret: ["args[0]"],
      },
      source: { transport: "stdio", command: "node", args: [], env: new Map() },
    },
    {
      ...{ id: "other", name: "other", tools: { include: [], exclude: [] }, timeoutMs: 60_000 },
      source: { transport: "stdio", command: "node", args: [], env: new Map() },
    },
  ]);
  expect([...config.outputs.keys()]).toEqual(["mail--2/a", "other/b"]);
});

test.each<[ServerEntry, readonly string[] | undefined, object]>([
  [{ url: "http://x" }, undefined, { transport: "http", url: "http://x", headers: new Map() }],
  [{ url: "http://x", type: "http" }, ["A"], { transport: "http", url: "http://x", headers: new Map() }],
  [
    { url: "http://x", type: "sse", headers: { a: "1" }, oauth: { scope: "s" } },
    undefined,
    { transport: "sse", url: "http://x", headers: new Map([["a", "1"]]), oauth: { scope: "s" } },
  ],
  [
    { command: "c", args: ["1"], env: { A: "2" }, cwd: "/w" },
    undefined,
    { transport: "stdio", command: "c", args: ["1"], env: new Map([["A", "2"]]), cwd: "/w" },
  ],
  [
    { command: "c", inheritEnv: ["B", "A"] },
    ["C", "A"],
    { transport: "stdio", command: "c", args: [], env: new Map(), inheritEnv: ["A", "B", "C"] },
  ],
])("the entry %j is reached as it says", (entry, inherited, source) => {
  expect(toSource(entry, inherited)).toStrictEqual(source);
});
