import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importServers } from "../../../engine/project/config/import-servers.ts";
import { makeTestFolder } from "../../make-test-folder.ts";
import type { ClientFormat } from "../../../engine/project/clients/client-files.ts";
import { parseClientFile, type ServersPlace } from "../../../engine/project/clients/parse-client-file.ts";

const cases: [name: string, format: ClientFormat, text: string, want: object][] = [
  [
    "Claude Code and Claude Desktop",
    "mcp-servers",
    '{"mcpServers":{"a":{"command":"npx","args":["-y","x"],"env":{"T":"${T:-d}","N":1}}},"other":true}',
    { a: { command: "npx", args: ["-y", "x"], env: { T: "${T:-d}", N: "1" } } },
  ],
  [
    "Cursor",
    "mcp-servers",
    '{"mcpServers":{"a":{"url":"https://a.example/mcp","headers":{"X":"${env:TOKEN}"}}}}',
    { a: { type: "http", url: "https://a.example/mcp", headers: { X: "${env:TOKEN}" } } },
  ],
  [
    "VS Code, with comments, inputs and a trailing comma",
    "vscode",
    '{ // mine\n"inputs":[{"id":"my-key"}],"servers":{"a":{"type":"stdio","command":"x","env":{"K":"${input:my-key}"},}}}',
    { a: { command: "x", args: [], env: { K: "${MY_KEY}" } } },
  ],
  [
    "Windsurf",
    "mcp-servers",
    '{"mcpServers":{"a":{"serverUrl":"https://a.example/sse","disabled":true}}}',
    { a: { type: "http", url: "https://a.example/sse", disabled: true } },
  ],
  [
    "Codex",
    "codex",
    '[mcp_servers.a]\ncommand = "x"\nargs = ["1"]\nenabled = false\n[mcp_servers.b]\nurl = "https://b.example"\nbearer_token_env_var = "B_TOKEN"\n',
    {
      a: { command: "x", args: ["1"], disabled: true },
      b: { type: "http", url: "https://b.example", headers: { Authorization: "Bearer ${B_TOKEN}" } },
    },
  ],
  [
    "Gemini CLI",
    "gemini",
    '{"mcpServers":{"a":{"command":"x","env":{"K":"$KEY"}},"b":{"httpUrl":"https://b.example/${PATH_PART}"}}}',
    { a: { command: "x", args: [], env: { K: "${KEY}" } }, b: { type: "http", url: "https://b.example/${PATH_PART}" } },
  ],
  [
    "opencode",
    "opencode",
    '{"mcp":{"a":{"type":"local","command":["x","1"],"environment":{"K":"{env:KEY}"}},"b":{"type":"remote","url":"https://b.example"}}}',
    { a: { command: "x", args: ["1"], env: { K: "${KEY}" } }, b: { type: "http", url: "https://b.example" } },
  ],
  [
    "opencode, the newer form",
    "opencode",
    '{"mcp":{"servers":{"a":{"command":["x"]}}}}',
    { a: { command: "x", args: [] } },
  ],
  [
    "Zed",
    "zed",
    '{"theme":"One","context_servers":{"a":{"command":{"path":"x","args":["1"]}},"b":{"command":"y","args":[]}}}',
    { a: { command: "x", args: ["1"] }, b: { command: "y", args: [] } },
  ],
  [
    "Cline, with its nested transport",
    "mcp-servers",
    '{"mcpServers":{"a":{"transport":{"type":"stdio","command":"x","args":["1"]},"env":{"K":{"fromEnv":"KEY"},"V":"v"}},"b":{"transport":{"type":"streamableHttp","url":"https://b.example","headers":{"X":"y"}},"disabled":true}}}',
    {
      a: { command: "x", args: ["1"], env: { K: "${KEY}", V: "v" } },
      b: { type: "http", url: "https://b.example", headers: { X: "y" }, disabled: true },
    },
  ],
  [
    "Qwen Code",
    "gemini",
    '{"mcpServers":{"b":{"httpUrl":"https://b.example","headers":{"Authorization":"Bearer $KEY"}}}}',
    { b: { type: "http", url: "https://b.example", headers: { Authorization: "Bearer ${KEY}" } } },
  ],
  [
    "Amp",
    "amp",
    '{"amp.mcpServers":{"a":{"command":"x","args":[],"env":{"K":"${KEY}"}}}}',
    { a: { command: "x", args: [], env: { K: "${KEY}" } } },
  ],
  [
    "Crush",
    "crush",
    '{"mcp":{"a":{"type":"stdio","command":"x","env":{"K":"$KEY"}},"b":{"type":"sse","url":"https://b.example"}}}',
    { a: { command: "x", args: [], env: { K: "${KEY}" } }, b: { type: "sse", url: "https://b.example" } },
  ],
  [
    "goose, without what it has built in",
    "goose",
    "extensions:\n  developer: { type: builtin, enabled: true }\n  a:\n    type: stdio\n    cmd: x\n    args: ['1']\n    envs: { V: v }\n    env_keys: [KEY]\n  b: { type: streamable_http, uri: https://b.example, enabled: false }\n",
    {
      a: { command: "x", args: ["1"], env: { V: "v", KEY: "${KEY}" } },
      b: { type: "http", url: "https://b.example", disabled: true },
    },
  ],
  [
    "Continue's list, with secrets",
    "continue",
    "mcpServers:\n  - name: a\n    command: x\n    env: { K: '${{ secrets.KEY }}' }\n  - name: b\n    type: streamable-http\n    url: https://b.example\n    requestOptions: { headers: { X: '${{ secrets.KEY }}' } }\n",
    {
      a: { command: "x", args: [], env: { K: "${KEY}" } },
      b: { type: "http", url: "https://b.example", headers: { X: "${KEY}" } },
    },
  ],
];

test.each(cases)("%s", (_, format, text, want) => {
  expect(Object.fromEntries(parseClientFile(text, { format }).servers)).toEqual(want);
});

test("an entry that is no server is named, a broken file is refused", () => {
  const { servers, unread } = parseClientFile('{"mcpServers":{"a":null,"b":{"title":"x"}}}', { format: "mcp-servers" });
  expect([servers.size, unread]).toEqual([0, ["a", "b"]]);
  expect(() => parseClientFile('{"mcpServers":', { format: "mcp-servers" })).toThrow(/offset/);
  expect(() => parseClientFile("[mcp_servers", { format: "codex" })).toThrow();
  expect(() => parseClientFile("extensions: [", { format: "goose" })).toThrow();
});

test.each<[string, string, ServersPlace, object, string[]]>([
  [
    "Gemini",
    '{ "mcpServers": { "a": { "command": "x", "includeTools": ["read"], "excludeTools": ["delete_all"], "timeout": 5000, "trust": true } } }',
    { format: "gemini" },
    { tools: { include: ["read"], exclude: ["delete_all"] }, timeoutMs: 5000 },
    ["trust"],
  ],
  [
    "Codex",
    '[mcp_servers.a]\ncommand = "x"\nenabled_tools = ["read"]\ndisabled_tools = ["rm"]\ntool_timeout_sec = 7.5\nenv_vars = ["AWS_PROFILE"]\nstartup_timeout_sec = 3\n',
    { format: "codex" },
    { tools: { include: ["read"], exclude: ["rm"] }, timeoutMs: 7500, inheritEnv: ["AWS_PROFILE"] },
    ["startup_timeout_sec"],
  ],
  [
    "Roo",
    '{ "mcpServers": { "a": { "url": "https://a.example/", "disabledTools": ["rm"], "timeout": 60, "alwaysAllow": ["x"] } } }',
    { format: "mcp-servers" },
    { tools: { exclude: ["rm"] }, timeoutMs: 60_000 },
    ["alwaysAllow"],
  ],
  [
    "Copilot",
    '{ "mcpServers": { "a": { "command": "x", "tools": ["*"], "envFile": "${workspaceFolder}/.env", "gallery": true, "dev": {} } } }',
    { format: "mcp-servers" },
    { envFile: "${workspaceFolder}/.env" },
    ["dev"],
  ],
])(
  "filters, limits and variables of %s are taken over, and what is not is named",
  (_client, text, place, expected, left) => {
    const { servers, ignored } = parseClientFile(text, place);
    const { tools, timeoutMs, inheritEnv, envFile } = servers.get("a") ?? {};
    expect(JSON.parse(JSON.stringify({ tools, timeoutMs, inheritEnv, envFile }))).toEqual(expected);
    expect(ignored.get("a") ?? []).toEqual(left);
  },
);

test("of two headers that differ in their case alone init takes the last, and names the other", async () => {
  const [folder, home] = [await makeTestFolder(), await makeTestFolder()];
  const entry = { url: "https://a.example/", headers: { Authorization: "Bearer ${A}", authorization: "Bearer ${B}" } };
  await mkdir(join(folder, ".cursor"));
  await writeFile(
    join(folder, ".cursor", "mcp.json"),
    JSON.stringify({ mcpServers: { s: entry, "cafe\u0301": entry } }),
  );
  await writeFile(join(folder, ".mcp.json"), JSON.stringify({ mcpServers: { "caf\u00e9": entry } }));
  const { servers, sources } = await importServers(folder, { home, env: {} });
  expect([...servers.keys()].toSorted()).toEqual(["caf\u00e9", "s"]);
  expect(servers.get("s")).toMatchObject({ headers: { authorization: "Bearer ${B}" } });
  expect(servers.get("s")?.headers).not.toHaveProperty("Authorization");
  expect(sources.flatMap(({ ignored }) => ignored)).toContain("s.headers.Authorization");
});
