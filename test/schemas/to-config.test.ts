import { expect, test } from "vitest";
import { DEFAULTS, type ConfigFile, type ServeEntry, type ServerEntry } from "../../schemas/config/config-file.ts";
import type { Config } from "../../schemas/config/config.ts";
import { toConfig, toSource } from "../../schemas/config/to-config.ts";

const configOf = (written: Partial<ConfigFile>): Config =>
  toConfig({ mcpServers: {}, ...written }, "/p/codemode.config.json", "/p");

test("a configuration that says nothing has every default, and no key without a value", () => {
  expect(configOf({})).toStrictEqual({
    ...{ file: "/p/codemode.config.json", folder: "/p", servers: [], limits: DEFAULTS.limits },
    ...{ policy: { allow: ["*"], ask: [], deny: [] }, out: "generated", typecheck: "on-error", relistAfterMs: 300_000 },
    ...{ outputs: new Map(), scripts: new Map(), bundle: { allow: [] }, sandbox: {} },
    ...{ learn: { observe: false }, types: { openObjects: "closed" } },
    ...{ telemetry: { payloads: false }, log: {} },
    serve: {
      ...{ surface: "run", bindingLevel: "server", direct: [], clients: [], trace: "auto", maxResultBytes: 32_768 },
      ...{ queue: { maxRunning: 8, maxWaiting: 64 }, allowedHosts: [], allowedOrigins: [] },
      ...{ maxServerProcesses: 32, detachAfterMs: 45_000, drainMs: 10_000 },
    },
  });
});

test("what a configuration says is kept", () => {
  const written = {
    ...{
      out: "made",
      typecheck: "error",
      relistAfterMs: 0,
      drift: "refuse",
      limits: { timeoutMs: 1 },
      policy: { deny: ["x/*"] },
    },
    ...{
      bundle: { allow: ["date-fns"] },
      sandbox: { reuse: 3 },
      learn: { observe: true },
      types: { openObjects: "index" as const },
      telemetry: { payloads: true },
      log: { level: "debug" },
    },
    audit: { file: "audit.jsonl" },
  } satisfies Partial<ConfigFile>;
  expect(configOf(written)).toMatchObject({
    ...written,
    limits: { ...DEFAULTS.limits, timeoutMs: 1 },
    policy: { allow: ["*"], ask: [], deny: ["x/*"] },
    audit: { file: "audit.jsonl", required: false, payloads: false, redact: [], maxPayloadBytes: 16_384 },
  });
  const audit = { file: "a", required: true, payloads: "all" as const, redact: ["*token*"], maxPayloadBytes: 1 };
  expect(configOf({ audit }).audit).toEqual(audit);
});

test("each key of serve is kept", () => {
  const serve: ServeEntry = {
    ...{ surface: "files" as const, toolName: "x", typesBudget: 0, bindingLevel: "tool" as const, description: "d" },
    ...{ trace: "none" as const, maxResultBytes: 5 },
    ...{ direct: ["a/b"], queue: { maxRunning: 1, maxWaiting: 2 }, rateLimit: { runsPerMinute: 3 }, token: "t" },
    ...{
      operatorToken: "o",
      approvalKey: "k",
      mayApprove: false,
      metrics: { address: "9464" },
      allowedHosts: ["h"],
      allowedOrigins: ["o"],
      ...{ maxServerProcesses: 3, detachAfterMs: 4, drainMs: 5, durable: true },
      ...{ store: "postgres://h", storeKey: "s" },
    },
  };
  const clients = {
    a: { token: "1" },
    b: { token: "2", servers: ["x"], policy: { allow: [] }, mayApprove: true },
    c: { token: "3", servers: { x: { env: { A: "1" } }, "y*": {} } },
  };
  expect(configOf({ serve: { ...serve, clients } }).serve).toStrictEqual({
    ...serve,
    clients: [
      { name: "a", token: "1", servers: ["*"], mayApprove: false },
      { name: "b", token: "2", servers: ["x"], mayApprove: true, policy: { allow: [] } },
      {
        name: "c",
        token: "3",
        servers: ["x", "y*"],
        mayApprove: false,
        ownValues: new Map([["x", { env: { A: "1" } }]]),
      },
    ],
  });
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
