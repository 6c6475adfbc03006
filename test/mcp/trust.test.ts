import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { trustRecordPath } from "@codemode/runtime/project-trust";
import {
  assertFilesTrusted,
  assertSettingTrusted,
  assertTrusted,
  isTrustedStart,
  listUntrusted,
  ProjectUntrusted,
} from "../../runtime/mcp/trust/assert-trusted.ts";
import { listStarts } from "../../runtime/mcp/trust/gated-settings.ts";
import { recordTrust, revokeTrust } from "../../runtime/mcp/trust/record-trust.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { ConfigFile } from "../../schemas/config/config-file.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { testOnPosix } from "../platforms/needs.ts";

const FOLDER = "/work/project";
const SERVERS: ConfigFile["mcpServers"] = {
  local: { command: "npx", args: ["--key=s3cr3t"], env: { A: "${TOKEN}" } },
  remote: { url: "https://a.example/mcp?key=s3cr3t#x" },
};
const configOf = (more: Partial<ConfigFile> = {}): Config =>
  toConfig({ mcpServers: SERVERS, ...more }, `${FOLDER}/c.json`, FOLDER);

let state: string;
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "codemode-trust-"));
  vi.stubEnv("XDG_STATE_HOME", state);
  vi.stubEnv("CODEMODE_TRUST", undefined);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(state, { recursive: true, force: true });
  });
});

const assertAuditTrusted = (config: Config): void => assertSettingTrusted(config, "audit.file");
const assertSandboxTrusted = (config: Config): void => assertSettingTrusted(config, "sandbox.command");
const assertOutputTrusted = (config: Config): void => assertSettingTrusted(config, "out");

const failureOf = (assert: () => void): ProjectUntrusted => {
  try {
    assert();
  } catch (error) {
    if (error instanceof ProjectUntrusted) return error;
  }
  throw new Error("it was trusted");
};

test("nothing starts without approval, and all that needs it is named without a value", () => {
  const failure = failureOf(() => assertTrusted(configOf()));
  expect(failure).toMatchObject({ code: "PROJECT_UNTRUSTED", exitCode: 2, folder: FOLDER });
  expect(failure.starts.map(({ name }) => name)).toEqual(["local", "remote"]);
  expect(failure.message).toContain("local (npx, gets TOKEN), remote (https://a.example/mcp).");
  expect(failure.message).not.toContain("s3cr3t");
});

test("one server is asked for alone, and the question is about all of them", async () => {
  const config = configOf();
  await recordTrust(FOLDER, listStarts(config).slice(0, 1));
  const [local, remote] = config.servers;
  expect(() => assertTrusted(config, local)).not.toThrow();
  expect(failureOf(() => assertTrusted(config, remote)).starts.map(({ name }) => name)).toEqual(["remote"]);
  expect(failureOf(() => assertTrusted(config)).starts).toHaveLength(1);
});

test("an audit log inside of the project needs no approval, one outside of it does", async () => {
  for (const file of ["audit.jsonl", "logs/../a", "..audit", "."])
    expect(() => assertAuditTrusted(configOf({ audit: { file } }))).not.toThrow();
  for (const file of ["../audit.jsonl", "/var/log/a", "..", "logs/../../x"]) {
    expect(failureOf(() => assertAuditTrusted(configOf({ audit: { file } }))).message).toContain("audit (writes /");
  }
  expect(() => assertAuditTrusted(configOf())).not.toThrow();
  const config = configOf({ audit: { file: "../a" } });
  await recordTrust(FOLDER, listStarts(config));
  expect(() => assertAuditTrusted(config)).not.toThrow();
});

test("the command of the sandboxes and a folder of packages outside of the project need approval", async () => {
  const config = configOf({ sandbox: { command: ["bwrap", "--s3cr3t"] }, out: "../packages" });
  expect(failureOf(() => assertSandboxTrusted(config)).message).toContain("sandbox.command (bwrap)");
  expect(failureOf(() => assertOutputTrusted(config)).message).toMatch(/out \(writes .*packages\)/);
  for (const assert of [assertSandboxTrusted, assertOutputTrusted]) {
    expect(() => assert(configOf())).not.toThrow();
    expect(() => assert({ ...config, isTrusted: true })).not.toThrow();
  }
  const starts = listStarts(config);
  expect(starts.map(({ name }) => name)).toEqual(["local", "remote", "sandbox.command", "out"]);
  const areTrusted = (vouched = false) =>
    starts.map((start) => isTrustedStart({ ...config, isTrusted: vouched }, start));
  expect([areTrusted(), areTrusted(true)]).toEqual([Array(4).fill(false), Array(4).fill(true)]);
  await recordTrust(FOLDER, starts.slice(1));
  expect(areTrusted()).toEqual([false, true, true, true]);
  expect(() => assertSandboxTrusted(config)).not.toThrow();
  expect(() => assertOutputTrusted(config)).not.toThrow();
});

test("who vouches for a command is not asked", () => {
  const config = configOf({ audit: { file: "../a" } });
  for (const assert of [assertTrusted, assertAuditTrusted]) {
    expect(() => assert({ ...config, isTrusted: true })).not.toThrow();
    expect(() => assert({ ...config, isTrusted: false })).toThrow(ProjectUntrusted);
  }
  vi.stubEnv("CODEMODE_TRUST", "1");
  for (const assert of [assertTrusted, assertAuditTrusted]) expect(() => assert(config)).not.toThrow();
});

testOnPosix("modes of files")("approvals of an account add up, each once, and are forgotten together", async () => {
  const config = configOf();
  const [local, remote] = listStarts(config);
  if (local === undefined || remote === undefined) throw new Error("no servers");
  expect(await revokeTrust(FOLDER)).toBe(false);
  await recordTrust(FOLDER, [local]);
  await recordTrust(FOLDER, [remote, { ...local, name: "renamed" }]);
  expect(listUntrusted(config)).toEqual([]);
  const record = JSON.parse(await readFile(trustRecordPath(FOLDER), "utf8")) as { trusted: object[] };
  expect(record.trusted).toEqual([
    { name: "remote", digest: remote.digest },
    { name: "renamed", digest: local.digest },
  ]);
  expect((await stat(trustRecordPath(FOLDER))).mode & 0o777).toBe(0o600);
  expect(await revokeTrust(FOLDER)).toBe(true);
  expect(listUntrusted(config)).toHaveLength(2);
});

test("an approval that cannot be kept is an error with its file", async () => {
  const file = join(state, "file");
  await writeFile(file, "");
  vi.stubEnv("XDG_STATE_HOME", file);
  await expect(recordTrust(FOLDER, [])).rejects.toMatchObject({
    code: "FILE_INACCESSIBLE",
    message: expect.stringMatching(/\/file\/.* \(?ENOTDIR\)?\.?$/),
  });
});

test("files of variables outside of the project need approval, each by its path: of the configuration and of each server", async () => {
  const local = { command: "npx", envFile: ["own.env", "../server.env"] };
  const config = configOf({ mcpServers: { local }, envFile: ["inside.env", "../shared.env"] });
  const failure = failureOf(() => assertSettingTrusted(config, "envFile"));
  expect(failure.starts.map(({ name, subject }) => [name, "path" in subject && subject.path])).toEqual([
    ["local", false],
    ["envFile", "/work/shared.env"],
    ["local: envFile", "/work/server.env"],
  ]);
  expect(failure.message).toContain("envFile (reads /work/shared.env), local: envFile (reads /work/server.env)");
  expect(() => assertFilesTrusted(config, { envFile: ["inside.env"] })).not.toThrow();
  expect(() => assertFilesTrusted({ ...config, isTrusted: true }, config)).not.toThrow();
  expect(() => assertFilesTrusted(config, config)).toThrow(ProjectUntrusted);
  await recordTrust(FOLDER, failure.starts.slice(1));
  expect(() => assertFilesTrusted(config, config)).not.toThrow();
  expect(() => assertFilesTrusted(config, { envFile: ["../other.env"] })).toThrow(ProjectUntrusted);
});

test("servers of the program, an empty address of a store and a login that a server does not name ask for nothing", () => {
  const source = { transport: "program" as const, program: { kind: "functions" as const, tools: new Map() } };
  const own = [{ id: "todos", name: "todos", source, tools: { include: [], exclude: [] }, timeoutMs: 1000 }];
  const config: Config = { ...configOf({ mcpServers: {}, serve: { store: "" } }), own };
  expect(listStarts(config)).toEqual([]);
  expect(() => assertTrusted(config)).not.toThrow();
  expect(() => assertSettingTrusted(config, "serve.store")).not.toThrow();
  const [remote] = listStarts(configOf({ mcpServers: { remote: { url: "https://one.example/" } } }));
  expect(remote?.subject).toMatchObject({ oauth: undefined });
});

test("everything that decides what runs, and where variables go, makes another digest, and nothing else does", () => {
  const base = { command: "npx", args: ["-y", "x"], env: { A: "${A}" } };
  const remote = { url: "https://one.example/" };
  const startOf = (entry: ConfigFile["mcpServers"][string], name = "name") =>
    listStarts(configOf({ mcpServers: { [name]: entry } }))[0];
  const variants: ConfigFile["mcpServers"][string][] = [
    base,
    { ...base, command: "node" },
    { ...base, args: ["-y", "y"] },
    { ...base, args: ["-y x"] },
    { ...base, args: ["-y"] },
    { ...base, env: { A: "${B}" } },
    { ...base, env: { A: "${A}", NODE_OPTIONS: "--require=./x.js" } },
    { ...base, cwd: "sub" },
    { ...base, inheritEnv: ["A"] },
    remote,
    { url: "https://two.example/" },
    { ...remote, headers: { X: "${A}" } },
    { ...remote, oauth: { clientId: "x" } },
    { ...remote, type: "sse" },
  ];
  const starts = variants.map((entry) => startOf(entry));
  expect(new Set(starts.map((start) => start?.digest)).size).toBe(variants.length);
  expect(starts[0]).toMatchObject({ name: "name", variables: ["A"], subject: { ...base, transport: "stdio" } });
  expect(starts[11]?.subject).toMatchObject({ url: remote.url, headers: { X: "${A}" } });
  expect(starts[12]?.subject).toMatchObject({ oauth: { clientId: "x" } });
  for (const other of [{ timeoutMs: 5 }, { tools: { include: ["a"] } }])
    expect(startOf({ ...base, ...other }, "renamed")?.digest).toBe(starts[0]?.digest);
});

test("a store needs the approval of its URL as written, with the variables that it gets", async () => {
  const store = "postgres://:${CLOUD_KEY}@203.0.113.7:5432/0?password=s3cr3t";
  const config = configOf({ mcpServers: {}, serve: { store } });
  const { message, starts } = failureOf(() => assertSettingTrusted(config, "serve.store"));
  expect(message).toMatch(/serve\.store \(postgres:.*203\.0\.113\.7.*, gets CLOUD_KEY\)/);
  expect(message).not.toContain("s3cr3t");
  await recordTrust(FOLDER, starts);
  expect(() => assertSettingTrusted(config, "serve.store")).not.toThrow();
  // What a later `git pull` brings is another address.
  const pulled = configOf({ mcpServers: {}, serve: { store: "postgres://${CLOUD_KEY}@203.0.113.8/x" } });
  expect(listUntrusted(pulled).map(({ name }) => name)).toEqual(["serve.store"]);
  expect(() => assertSettingTrusted(pulled, "serve.store")).toThrow(ProjectUntrusted);
});

/** A configuration in which every key has a value; placeholders stand for values of variables. */
const ALL_KEYS: ConfigFile = {
  $schema: "x",
  mcpServers: {
    program: {
      ...{ type: "stdio", command: "npx", args: ["a"], env: { A: "1" }, inheritEnv: ["B"], cwd: "sub", roots: ["."] },
      envFile: "/nowhere/program.env",
      ...{
        tools: { include: ["a"], exclude: ["b"] },
        notSecret: ["args[0]"],
        disabled: false,
        timeoutMs: 1,
        idleMs: 1,
      },
    },
    address: {
      ...{ type: "http", url: "https://a.example/", headers: { X: "1" }, roots: ["."] },
      oauth: {
        ...{ grant: "jwt_bearer", issuer: "a", clientId: "a", clientSecret: "a", privateKey: "a", privateKeyFile: "a" },
        ...{ assertion: "a", assertionFile: "a", idpIssuer: "a", idpTokenEndpoint: "a", idpClientId: "a" },
        ...{ idpClientSecret: "a", idToken: "a", idTokenFile: "a", clientMetadataUrl: "a", scope: "a", dpop: true },
      },
    },
  },
  inheritEnv: ["C"],
  envFile: "/nowhere/project.env",
  limits: { timeoutMs: 1, maxMemoryBytes: 1, maxLogBytes: 1, maxToolCalls: 1, maxResultBytes: 1 },
  policy: { allow: ["a"], ask: ["a"], askEach: ["a"], deny: ["a"] },
  ...{ out: "../out", drift: "warn", typecheck: "off", relistAfterMs: 1 },
  outputs: { "program/a": {} },
  scripts: { a: { file: "a.ts", source: "a.ts", description: "a", tool: true } },
  serve: {
    ...{ surface: "run", toolName: "a", typesBudget: 1, bindingLevel: "tool", description: "a", trace: "auto" },
    ...{ maxResultBytes: 1, direct: ["a"], detachAfterMs: 1, durable: true, drainMs: 1, token: "a" },
    ...{ queue: { maxRunning: 1, maxWaiting: 1 }, rateLimit: { runsPerMinute: 1 }, operatorToken: "a" },
    ...{
      store: "postgres://a",
      project: "a",
      storeKey: "a",
      mayApprove: true,
      metrics: { address: "1", token: "a" },
    },
    ...{ allowedHosts: ["a"], allowedOrigins: ["a"], maxServerProcesses: 1 },
    clients: {
      ada: {
        token: "a",
        servers: { program: { env: { A: "2" } }, address: { headers: { X: "2" } } },
        policy: { allow: ["a"], ask: ["a"], askEach: ["a"], deny: ["a"] },
        mayApprove: true,
      },
    },
  },
  bundle: { allow: ["a"] },
  learn: { observe: true },
  types: { openObjects: "index" },
  sandbox: { isolation: "realm", reuse: 1, command: ["bwrap"] },
  telemetry: { payloads: true },
  log: { level: "info" },
  audit: { file: "../audit", required: true, payloads: "all", maxPayloadBytes: 1, redact: ["a"] },
};

/** A place in the schema of the configuration. Its kind is its own, or the one of a group that it is in. */
interface Place {
  $ref?: string;
  "x-trust"?: string;
  definitions?: Record<string, Place>;
  properties?: Record<string, Place>;
  additionalProperties?: Place | false;
}

const schema = JSON.parse(readFileSync("schemas/config.schema.json", "utf8")) as Place;

/** The keys in a place, or `each` in a map, with the kind that they have from it. */
function membersOf({ properties = {}, additionalProperties, ...group }: Place): Map<string, Place> {
  const each = typeof additionalProperties === "object" ? [["each", additionalProperties] as const] : [];
  const members = [...Object.entries(properties), ...each].map(([key, { $ref = "", ...own }]) => {
    const kind = group["x-trust"] === undefined ? {} : { "x-trust": group["x-trust"] };
    return [key, { ...kind, ...schema.definitions?.[$ref.replace("#/definitions/", "")], ...own }] as const;
  });
  return new Map(members);
}

function leavesOf(place: Place, path: string[] = []): string[] {
  const members = [...membersOf(place)];
  return members.length === 0 ? [path.join(".")] : members.flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

/** A value of the configuration with all keys: where it stands, and its place in the schema. */
interface Value {
  path: string[];
  leaf: string[];
  kind: string | undefined;
}

function valuesOf(value: unknown, place: Place, path: string[] = [], leaf: string[] = []): Value[] {
  const members = membersOf(place);
  if (members.size === 0) return [{ path, leaf, kind: place["x-trust"] }];
  return Object.entries(value as object).flatMap(([key, member]) => {
    const name = members.has(key) ? key : "each";
    return valuesOf(member, members.get(name) ?? {}, [...path, key], [...leaf, name]);
  });
}

/** The configuration with all keys, and another value at one of them. */
function withChange(path: readonly string[]): ConfigFile {
  const changed = structuredClone(ALL_KEYS);
  const owner = path.slice(0, -1).reduce<object>((each, step) => each[step as keyof object], changed);
  const key = path.at(-1) as keyof object;
  Object.assign(owner, { [key]: changeOf(owner[key]) });
  return changed;
}

function changeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...(value as unknown[]), "other"];
  if (typeof value === "object") return { ...value, other: "other" };
  if (value === "http") return "sse";
  return typeof value === "string" ? `${value}2` : typeof value === "number" ? value + 1 : !(value as boolean);
}

test("the gate notices a change of every setting that starts, reaches or writes something, and of no other", () => {
  const digestsOf = (file: ConfigFile): string[] =>
    listStarts(toConfig(file, `${FOLDER}/c.json`, FOLDER)).map(({ digest }) => digest);
  const before = digestsOf(ALL_KEYS);
  const values = valuesOf(ALL_KEYS, schema);
  for (const { path, kind } of values) {
    const isNoticed = digestsOf(withChange(path)).some((digest) => !before.includes(digest));
    const key = path.join(".");
    expect({ key, isNoticed }).toEqual({ key, isNoticed: kind !== "plain" && key !== "mcpServers.program.type" });
  }
  expect(new Set(values.map(({ leaf }) => leaf.join(".")))).toEqual(new Set(leavesOf(schema)));
});
