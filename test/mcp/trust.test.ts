import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { trustRecordPath } from "@codemode/runtime/project-trust";
import {
  assertAuditTrusted,
  assertOutputTrusted,
  assertSandboxTrusted,
  assertTrusted,
  isTrustedStart,
  listUntrusted,
  ProjectUntrusted,
} from "../../runtime/mcp/trust/assert-trusted.ts";
import { listStarts } from "../../runtime/mcp/trust/project-starts.ts";
import { recordTrust, revokeTrust } from "../../runtime/mcp/trust/record-trust.ts";
import type { Config, ConfigFile } from "../../schemas/config/config.ts";
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
    message: expect.stringContaining(file),
  });
});

test("everything that decides what runs, and where variables go, makes another digest", () => {
  const base = { command: "npx", args: ["-y", "x"], env: { A: "${A}" } };
  const remote = { url: "https://one.example/" };
  const variants: ConfigFile["mcpServers"][string][] = [
    ...[
      base,
      { ...base, command: "node" },
      { ...base, args: ["-y"] },
      { ...base, env: { A: "${B}" } },
      { ...base, cwd: "sub" },
    ],
    ...[
      { ...base, inheritEnv: ["A"] },
      remote,
      { ...remote, headers: { X: "${A}" } },
      { ...remote, oauth: { clientId: "x" } },
    ],
    { ...remote, type: "sse" },
  ];
  const starts = variants.map((entry) => listStarts(configOf({ mcpServers: { name: entry } }))[0]);
  expect(new Set(starts.map((start) => start?.digest)).size).toBe(variants.length);
  expect(starts[0]).toMatchObject({ name: "name", variables: ["A"], subject: { ...base, transport: "stdio" } });
  expect(starts[7]?.subject).toMatchObject({ url: remote.url, headers: { X: "${A}" } });
  expect(starts[8]?.subject).toMatchObject({ oauth: { clientId: "x" } });
});
