import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { trustOnTerminal } from "../../cli/ask-trust.ts";
import { listUntrusted, ProjectUntrusted } from "../../runtime/host/trust/assert-trusted.ts";
import { listStarts } from "../../runtime/host/trust/project-starts.ts";
import type { Config, ConfigFile } from "../../schemas/config.ts";
import { toConfig } from "../../schemas/to-config.ts";
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
  const page = readFileSync("docs/getting-started.md", "utf8");
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

test("everything that decides what runs, and where variables go, makes another digest", async () => {
  const base = { command: "npx", args: ["-y", "x"], env: { A: "${A}" } };
  const variants: ConfigFile["mcpServers"][string][] = [
    base,
    { ...base, command: "node" },
    { ...base, args: ["-y", "y"] },
    { ...base, args: ["-y x"] },
    { ...base, env: { A: "${B}" } },
    { ...base, env: { A: "${A}", NODE_OPTIONS: "--require=./x.js" } },
    { ...base, cwd: "sub" },
    { ...base, inheritEnv: ["A"] },
    { url: "https://one.example/" },
    { url: "https://two.example/" },
    { url: "https://one.example/", headers: { X: "${A}" } },
    { url: "https://one.example/", oauth: { clientId: "other" } },
    { url: "https://one.example/", type: "sse" },
  ];
  const digests = variants.map((entry) => listStarts(configOf("/x", { name: entry }))[0]?.digest);
  expect(new Set(digests).size).toBe(variants.length);
  const others = [
    { ...base, timeoutMs: 5 },
    { ...base, tools: { include: ["a"] } },
  ];
  for (const entry of others) expect(listStarts(configOf("/x", { renamed: entry }))[0]?.digest).toBe(digests[0]);
});

test("what all programs inherit counts for each, and an audit log counts where it lies elsewhere", () => {
  const of = (more: Partial<ConfigFile>) => listStarts(configOf("/x", { a: { command: "a" } }, more));
  expect(of({ inheritEnv: ["B", "A"] })).toMatchObject([{ name: "a", variables: ["A", "B"] }]);
  expect(of({ audit: { file: "logs/audit.jsonl" } })).toHaveLength(1);
  expect(of({ audit: { file: "../audit.jsonl" } })[1]).toMatchObject({ subject: { path: "/audit.jsonl" } });
});
