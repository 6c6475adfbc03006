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

const entryOf = (entry: object): unknown =>
  parseClientFile(JSON.stringify({ mcpServers: { a: entry } }), { format: "mcp-servers" }).servers.get("a");

test.each<[string, object, object]>([
  ["a command with a path", { command: { path: "x", args: ["1"] } }, { command: "x", args: ["1"] }],
  ["a command with a path alone", { command: { path: "x" } }, { command: "x", args: [] }],
  ["arguments that are no texts", { command: "x", args: [1, true] }, { command: "x", args: ["1", "true"] }],
  ["arguments that are no list", { command: "x", args: "1" }, { command: "x", args: [] }],
  ["an environment that is no object", { command: "x", env: ["A"] }, { command: "x", args: [] }],
  ["a limit of a second", { command: "x", timeout: 1000 }, { command: "x", args: [], timeoutMs: 1000 }],
  ["a limit below that, in seconds", { command: "x", timeout: 999 }, { command: "x", args: [], timeoutMs: 999_000 }],
  [
    "a limit in seconds by its name",
    { command: "x", tool_timeout_sec: 0.001 },
    { command: "x", args: [], timeoutMs: 1 },
  ],
  ["a limit that is none", { command: "x", tool_timeout_sec: 0.0001, timeout: "9" }, { command: "x", args: [] }],
  ["a limit of more than a day", { command: "x", timeout: 1e9 }, { command: "x", args: [], timeoutMs: 86_400_000 }],
  [
    "a list of tools with other things in it",
    { command: "x", includeTools: ["read", 7], excludeTools: "no" },
    { command: "x", args: [], tools: { include: ["read"] } },
  ],
  ["the list of all tools", { command: "x", tools: ["*", "read"] }, { command: "x", args: [] }],
  [
    "tools that are off",
    { command: "x", enabled_tools: [], disabled_tools: ["a"], excludeTools: ["b"] },
    { command: "x", args: [], tools: { exclude: ["b", "a"] } },
  ],
  [
    "a variable in the place of a value",
    { command: "x", env: { A: { fromEnv: "B" }, C: { value: "d" }, E: { fromEnv: "F", value: "g" }, H: {} } },
    { command: "x", args: [], env: { A: "${B}", C: "${C:-d}", E: "${F:-g}", H: "${H}" } },
  ],
  [
    "variables of a workflow",
    { command: "x", env: { A: "${{secrets.B}}", C: "${{  inputs.D  }}" } },
    { command: "x", args: [], env: { A: "${B}", C: "${D}" } },
  ],
  ["old HTTP with SSE", { url: "https://a.example/sse", type: "sse" }, { type: "sse", url: "https://a.example/sse" }],
  [
    "old HTTP with SSE by its transport",
    { url: "https://a.example/sse", transport: "sse" },
    { type: "sse", url: "https://a.example/sse" },
  ],
  [
    "headers from variables",
    { url: "https://a.example", http_headers: { A: "1" }, env_http_headers: { B: "C" } },
    { type: "http", url: "https://a.example", headers: { A: "1", B: "${C}" } },
  ],
  ["names of variables", { command: "x", env_vars: ["A", 1] }, { command: "x", args: [], inheritEnv: ["A"] }],
  [
    "the words of goose",
    { cmd: "x", envs: { A: "1" }, env_keys: ["B"] },
    { command: "x", args: [], env: { A: "1", B: "${B}" } },
  ],
  ["names of variables of goose alone", { cmd: "x", env_keys: ["B"] }, { command: "x", args: [], env: { B: "${B}" } }],
])("an entry with %s", (_, entry, want) => {
  expect(entryOf(entry)).toEqual(want);
});

test.each([
  [{ command: "npx", args: ["codemode", "serve"] }, true],
  [{ command: "npx", args: ["-y", "codemode@1.2.3", "serve"] }, true],
  [{ command: "/usr/bin/codemode", args: ["serve"] }, true],
  [{ command: "C:\\bin\\codemode.cmd", args: ["serve"] }, true],
  [{ command: "node", args: ["/a/codemode/dist/cli/main.js", "serve"] }, true],
  [{ command: "npx", args: ["codemode", "run"] }, false],
  [{ command: "npx", args: ["not-codemode", "serve"] }, false],
  [{ command: "npx", args: ["other", "serve"] }, false],
  [{ type: "builtin", command: "x" }, true],
  [{ type: "frontend", command: "x" }, true],
  [{ type: "my-builtin", command: "x" }, false],
  [{ type: "builtins", command: "x" }, false],
])("%j is codemode itself, or nothing to take over: %s", (entry, isLeft) => {
  const { servers, unread } = parseClientFile(JSON.stringify({ mcpServers: { a: entry } }), { format: "mcp-servers" });
  expect([servers.has("a"), unread]).toEqual([!isLeft, []]);
});

test.each([
  ["\uFEFF{}", "mcp-servers"],
  ["", "mcp-servers"],
  ["  \n", "mcp-servers"],
  ["[1]", "mcp-servers"],
  ["null", "mcp-servers"],
  ['{"mcpServers":null}', "mcp-servers"],
  ['{"mcpServers":"x"}', "mcp-servers"],
  ['{"mcpServers":[{"name":1,"command":"x"},{"command":"y"},7]}', "mcp-servers"],
  ['{"mcp":{"servers":null}}', "opencode"],
  ["", "codex"],
] as const)("the text %j has no servers", (text, format) => {
  expect(parseClientFile(text, { format }).servers.size).toBe(0);
});

test("a mark inside of a text stays, and only keys that mean nothing are named", () => {
  const text = '{"mcpServers":{"a":{"command":"x\uFEFF","name":"A","icon":"i"},"b":{"command":"x","oddKey":1}}}';
  const { servers, ignored } = parseClientFile(text, { format: "mcp-servers" });
  expect(servers.get("a")).toEqual({ command: "x\uFEFF", args: [] });
  expect([...ignored]).toEqual([["b", ["oddKey"]]]);
});
