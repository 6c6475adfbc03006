import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { parseEnvText } from "@codemode/runtime/connections/env-files";
import { findSecrets } from "../../engine/log/find-secrets.ts";
import { planSealer, planStore } from "../../engine/store-plan.ts";
import { findMoved, targetsOf } from "../../extras/durable/targets.ts";
import { describeUnsetVariables, findUnsetVariables, listVariablesFromOutside } from "../../engine/variables.ts";
import { findCredentials, listCredentials } from "../../runtime/mcp/mask-credentials.ts";
import { resolveTarget } from "../../runtime/mcp/resolve-target.ts";
import { ProjectUntrusted } from "../../runtime/mcp/trust/assert-trusted.ts";
import { recordTrust, revokeTrust } from "../../runtime/mcp/trust/record-trust.ts";
import { listStarts } from "../../runtime/mcp/trust/gated-settings.ts";
import { filledVariables } from "../../runtime/mcp/variables.ts";
import { toLockedSource } from "../../schemas/lock/lock-server.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { ConfigFile } from "../../schemas/config/config-file.ts";
import { toConfig, toSource } from "../../schemas/config/to-config.ts";
import { planHttp } from "../../serve/http/http-plan.ts";
import { planMetrics } from "../../serve/http/serve-metrics.ts";
import { testOnPosix } from "../platforms/needs.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "codemode-env-"));
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  vi.stubEnv("CODEMODE_TRUST", undefined);
  mkdirSync(join(folder, "project"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
});

const write = (name: string, text: string | Uint8Array): void => writeFileSync(join(folder, "project", name), text);
const configOf = (file: ConfigFile, more: Partial<Config> = {}): Config => ({
  ...toConfig(file, join(folder, "project", "codemode.config.json"), join(folder, "project")),
  ...more,
});

function targetOf(config: Config, env: NodeJS.ProcessEnv = {}, at = 0) {
  const server = config.servers[at];
  if (server === undefined) throw new Error("no server");
  return resolveTarget(server, config.folder, filledVariables(config, env, server));
}

function failureOf(work: () => unknown): CodemodeError {
  try {
    work();
  } catch (error) {
    if (error instanceof CodemodeError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

test("lines, quotes and comments of a file are read as Node reads them", () => {
  const text = [
    "# a comment",
    "  export   A=1",
    "B = two words ",
    "C='a # b' # c",
    'D="one\\ntwo"',
    'E="first',
    '  second"',
    "F=it's # x",
    "G=",
    "H=`\"'`",
    "A=later",
  ].join("\r\n");
  expect(parseEnvText(text, "x")).toEqual({
    ...{ A: "later", B: "two words", C: "a # b", D: "one\ntwo" },
    ...{ E: "first\n  second", F: "it's", G: "", H: "\"'" },
  });
});

describe("a file that cannot be used", () => {
  it.each<[problem: string, text: string | Uint8Array]>([
    ["bad.env:2: the line is not NAME=value", "A=1\ns3cr3t line\n"],
    ["bad.env:3: the line is not NAME=value", "A=1\n\n=s3cr3t"],
    ["bad.env:1: the line is not NAME=value", "API KEY=s3cr3t"],
    ["bad.env:2: the value of B begins with a quote that does not end", 'A=1\nB="s3cr3t\nC=2\n'],
    ["bad.env:1: something follows the closing quote of A", 'A="x" s3cr3t'],
    ["bad.env:2: the line has a zero byte", "A=1\nB=s3cr3t\0"],
    ["bad.env:3: the line is not UTF-8", Buffer.from("A=1\nB=2\nC=s3cr3t\xfc\n", "latin1")],
    ["bad.env:1: the line is not UTF-8", Buffer.from("\ufeffA=s3cr3t", "utf16le")],
    ["bad.env: it has more than 256 KiB", `A=${"s3cr3t".repeat(50_000)}`],
  ])("is named with its line and without a value: %s", (problem, text) => {
    write("bad.env", text);
    for (const envFile of ["bad.env", ["bad.env"]]) {
      const ofServer = configOf({ mcpServers: { one: { command: "x", envFile } } });
      const ofProject = configOf({ envFile, mcpServers: { one: { command: "x" } } });
      for (const config of [ofServer, ofProject]) {
        const failure = failureOf(() => targetOf(config));
        expect(failure).toMatchObject({ code: "ENV_FILE_INVALID", exitCode: 2 });
        expect(failure.message).toContain(problem);
        expect(failure.message + failure.hint).not.toContain("s3cr3t");
        expect(findUnsetVariables(config, {}).problems.map(({ code }) => code)).toEqual(["ENV_FILE_INVALID"]);
        expect(describeUnsetVariables(config, {}).join("\n")).toContain(problem);
      }
    }
  });

  it("may be missing, or be a folder, and is read when it is there", () => {
    const config = configOf({ mcpServers: { one: { command: "x", args: ["${A}"], envFile: "late.env" } } });
    expect(failureOf(() => targetOf(config)).message).toMatch(/late\.env: there is no such file/);
    write("late.env", "\ufeffA=here");
    expect(targetOf(config)).toMatchObject({ args: ["here"], env: { A: "here" } });
    mkdirSync(join(folder, "project", "sub"));
    const ofFolder = configOf({ mcpServers: { one: { command: "x", envFile: "sub" } } });
    expect(failureOf(() => targetOf(ofFolder)).message).toContain("it is a folder, a device or a pipe");
  });
});

testOnPosix("pipes")("a pipe is refused at once", () => {
  execFileSync("mkfifo", [join(folder, "project", "pipe")]);
  const config = configOf({ envFile: "pipe", mcpServers: { one: { command: "x" } } });
  expect(failureOf(() => targetOf(config)).message).toContain("it is a folder, a device or a pipe");
});

test("the environment wins over files, a server's file over the project's, a later file over an earlier one", () => {
  write("project.env", "A=project\nB=project\nC=project\nD=project");
  write("first.env", "A=first\nB=first\nC=first");
  write("second.env", "A=second\nB=second");
  const config = configOf({
    envFile: "project.env",
    mcpServers: {
      one: { command: "x", args: ["${A} ${B} ${C} ${D}"], env: { C: "own" }, envFile: ["first.env", "second.env"] },
      two: { command: "x", args: ["${A} ${B} ${C} ${D}"] },
      three: { url: "https://${D}.example/${C}", headers: { X: "${B}" }, envFile: "${workspaceFolder}/second.env" },
    },
  });
  const env = { A: "process", B: "" };
  expect(targetOf(config, env)).toMatchObject({ args: ["process second first project"] });
  // A program gets what its own files name, and what its entry sets; nothing of the project's file, and of no other server.
  expect(targetOf(config, env)).toMatchObject({ env: { A: "process", B: "second", C: "own" } });
  expect(targetOf(config, env, 1)).toMatchObject({ args: ["process project project project"], env: {} });
  expect(targetOf(config, env, 2)).toMatchObject({ url: "https://project.example/project", headers: { X: "second" } });
});

test("what a file gives is masked for its server under every name, but for plain words", () => {
  write(".env", "PLACE=ab12-cd34\nMODE=production\nPGPASSWORD=correcthorse\nSIZE=4096");
  write("project.env", "WORD=project-value-1\nUNUSED=unused-value-1");
  const config = configOf({
    envFile: "project.env",
    mcpServers: { one: { command: "x", args: ["${WORD}"], envFile: ".env" }, two: { command: "x" } },
  });
  const values = (found: Record<string, string>): string[] => [...new Set(Object.values(found))].toSorted();
  const masked = ["ab12-cd34", "correcthorse", "project-value-1"];
  expect(values(findCredentials(targetOf(config)))).toEqual(masked);
  expect(values(findSecrets(config, {}))).toEqual(masked);
  expect(values(Object.fromEntries(listCredentials(config, {})))).toEqual(masked);
  expect(findCredentials(targetOf(config, {}, 1))).toEqual({});
  expect(JSON.stringify(config)).not.toContain("correcthorse");
});

test("the lock entry of a server knows nothing of its files: another value needs no new lock", () => {
  const entry = { command: "x", args: ["${A}"] };
  const [plain, ofFile] = [entry, { ...entry, envFile: ".env" }].map((each) =>
    toLockedSource({ name: "one", source: toSource(each) }),
  );
  expect(ofFile).toEqual(plain);
});

test("tokens, keys and the address of the store are filled from the project's file", async () => {
  const secret = "x".repeat(40);
  write(
    ".env",
    `TOKEN=client-token\nOPERATOR=operator-token\nKEY=${secret}\nDB=postgres://h/db\nMETRICS=metrics-token`,
  );
  const serve: ConfigFile["serve"] = {
    ...{ token: "${TOKEN}", operatorToken: "${OPERATOR}", store: "${DB}", storeKey: "${KEY}" },
    metrics: { address: "9000", token: "${METRICS}" },
  };
  const config = configOf({ envFile: ".env", mcpServers: {}, serve }, { isTrusted: true });
  expect(planHttp("0.0.0.0:8080", config, {}).operatorDigest).toBeDefined();
  expect(planMetrics(config, {})?.tokenDigest).toBeDefined();
  expect(planStore(config, {})).toMatchObject({ url: "postgres://h/db" });
  expect(planSealer(config, {})).toBeDefined();
  expect(findUnsetVariables(config, {})).toEqual({ servers: [], serve: [], problems: [] });
  expect(Object.values(findSecrets(config, {}))).toContain("operator-token");
  expect(listCredentials(config, {}).map(([name]) => name)).toContain("OPERATOR");
});

describe("trust", () => {
  const writeOutside = (): void => writeFileSync(join(folder, "outside.env"), "KEY=outside-1");

  it.each([
    ["a path up", "../outside.env"],
    ["an absolute path", undefined],
    ["a placeholder", "${workspaceFolder}/../outside.env"],
    ["a path below the home folder", "~/outside.env"],
    ["a symbolic link", "link.env"],
  ])("a file outside of the project is not opened before the account agrees: %s", async (_, written) => {
    writeOutside();
    vi.stubEnv("HOME", folder);
    vi.stubEnv("USERPROFILE", folder);
    if (written === "link.env") symlinkSync(join(folder, "outside.env"), join(folder, "project", "link.env"));
    const envFile = written ?? join(folder, "outside.env");
    const servers = { one: { command: "x", args: ["${KEY}"] } };
    const ofProject = { envFile, mcpServers: servers };
    const ofServer = { mcpServers: { one: { ...servers.one, envFile } } };
    for (const file of [ofProject, ofServer]) {
      const config = configOf(file);
      const failure = failureOf(() => targetOf(config));
      expect(failure).toBeInstanceOf(ProjectUntrusted);
      expect(failure.message).toMatch(/envFile \(reads .*outside\.env\)/);
      expect(targetOf({ ...config, isTrusted: true })).toMatchObject({ args: ["outside-1"] });
      await recordTrust(config.folder, listStarts(config));
      expect(targetOf(configOf(file))).toMatchObject({ args: ["outside-1"] });
      await revokeTrust(config.folder);
    }
  });

  it("a changed file of the project needs approval again, unless only credentials are others", async () => {
    const digestOf = (text: string): string[] => {
      write(".env", text);
      const config = configOf({
        envFile: ".env",
        mcpServers: {
          one: { url: "${API}/mcp", headers: { A: "${API_KEY}" } },
          two: { command: "x", envFile: ".env" },
        },
        serve: { store: "postgres://${API}" },
      });
      return listStarts(config).map(({ digest }) => digest);
    };
    const before = digestOf("API=https://a.example\nAPI_KEY=one\nOTHER=1");
    expect(digestOf("API=https://a.example\nAPI_KEY=two\nOTHER=1")).toEqual(before);
    const [remote, , store] = digestOf("API=https://a.example\nAPI_KEY=two\nOTHER=1\nNODE_OPTIONS=--import=./x.mjs");
    expect([remote, store]).toEqual([before[0], before[2]]);
    const moved = digestOf("API=https://evil.example\nAPI_KEY=two\nOTHER=1");
    expect(moved.every((digest, at) => digest !== before[at])).toBe(true);
  });

  it("what was approved is what is used, also where the file changes in between", () => {
    write(".env", "API=https://a.example");
    const config = configOf({ envFile: ".env", mcpServers: { one: { url: "${API}" } } });
    listStarts(config);
    write(".env", "API=https://evil.example");
    expect(targetOf(config)).toMatchObject({ url: "https://a.example" });
  });
});

test("what a file has is asked of no client, and a target of a durable run follows it", () => {
  write(".env", "BASE=https://a.example\nKEY=1");
  const config = configOf({
    envFile: ".env",
    mcpServers: { one: { url: "${BASE}", headers: { A: "${KEY} ${OTHER}" } } },
  });
  expect(listVariablesFromOutside(config)).toEqual({ required: ["OTHER"], optional: [] });
  write(".env", "BASE=https://b.example\nKEY=1");
  const moved = configOf({ envFile: ".env", mcpServers: { one: { url: "${BASE}" } } });
  expect(findMoved(targetsOf(config, {}), targetsOf(moved, {}))).toEqual(["one"]);
});

test("an unset variable is named with its server, and the way to set it where no shell is", () => {
  write(".env", "A=1");
  const config = configOf({
    mcpServers: { one: { command: "x", args: ["${A} ${B}"], envFile: ".env" }, two: { command: "x", args: ["${A}"] } },
  });
  expect(findUnsetVariables(config, {}).servers).toEqual([
    { name: "one", unset: ["B"] },
    { name: "two", unset: ["A"] },
  ]);
  expect(failureOf(() => targetOf(config)).hint).toContain('write it into a file that "envFile" of the server names');
});

test("a value of many lines is read, and a quote that does not end is found, in time that grows with the file", () => {
  const lines = "\n".repeat(120_000);
  expect(parseEnvText(`A="${lines}x" # end\nB='y'`, "a.env")).toEqual({ A: `${lines}x`, B: "y" });
  expect(() => parseEnvText(`A="${lines}`, "a.env")).toThrow("begins with a quote that does not end");
});
