import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ConfigFile } from "../../schemas/config/config-file.ts";
import type { CodemodeError } from "../../schemas/codemode-error.ts";
import { checkConfig, loadConfig } from "../../engine/load-config.ts";
import { makeTestFolder } from "../make-test-folder.ts";

async function project(files: Record<string, unknown>): Promise<string> {
  const folder = await makeTestFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), JSON.stringify(content));
  }
  return folder;
}

const server = { command: "node", args: ["server.js"] };

test("defaults are filled in, and placeholders stay", async () => {
  const cwd = await project({
    "codemode.config.json": {
      mcpServers: { "My Files": { ...server, env: { TOKEN: "${TOKEN}" } } },
      limits: { timeoutMs: 5 },
    },
  });
  const config = await loadConfig({ cwd });
  expect(config).toMatchObject({
    folder: cwd,
    out: "generated",
    limits: { timeoutMs: 5, maxToolCalls: 1000 },
    policy: { allow: ["*"], ask: [], deny: [] },
    servers: [{ id: "my-files", name: "My Files", timeoutMs: 60_000 }],
  });
  expect(config.servers[0]?.source).toMatchObject({ env: new Map([["TOKEN", "${TOKEN}"]]) });
});

test("a member of a program's configuration that is undefined has its default", async () => {
  const nothing = { mcpServers: { files: server }, limits: {}, policy: {}, serve: {} };
  const written = {
    mcpServers: { files: { ...server, timeoutMs: undefined, tools: { include: undefined } } },
    ...{ limits: { timeoutMs: undefined }, policy: { allow: undefined }, typecheck: undefined },
    serve: { surface: undefined, token: undefined, queue: { maxRunning: undefined } },
  };
  const file = "/p/codemode.config.json";
  expect(await checkConfig(written as unknown as ConfigFile, file)).toStrictEqual(await checkConfig(nothing, file));
});

test.each([
  [".mcp.json", { mcpServers: { files: { ...server, trust: true } }, other: 1 }],
  [".cursor/mcp.json", { mcpServers: { files: { ...server, envFile: "x" } } }],
  [".vscode/mcp.json", { inputs: [], servers: { files: { type: "stdio", ...server } } }],
])("%s of another client is read, its own keys ignored", async (path, content) => {
  const cwd = await project({ [path]: content });
  expect(await loadConfig({ cwd })).toMatchObject({ folder: cwd, servers: [{ id: "files" }] });
});

test("our own file comes before other clients'", async () => {
  const cwd = await project({
    ".mcp.json": { mcpServers: { theirs: server } },
    "codemode.config.json": { mcpServers: { ours: server } },
  });
  expect((await loadConfig({ cwd })).servers.map(({ id }) => id)).toEqual(["ours"]);
});

test("a disabled server is left out, and the ids of the others stay as they are", async () => {
  const cwd = await project({
    "codemode.config.json": { mcpServers: { "a b": { ...server, disabled: true }, "a-b": server } },
  });
  expect((await loadConfig({ cwd })).servers.map(({ id }) => id)).toEqual(["a-b--2"]);
});

test("bundle.allow names packages, none unless written", async () => {
  const allowing = (allow: string[]) => project({ "codemode.config.json": { mcpServers: {}, bundle: { allow } } });
  expect(await loadConfig({ cwd: await allowing(["date-fns", "@scope/name"]) })).toMatchObject({
    bundle: { allow: ["date-fns", "@scope/name"] },
  });
  expect(
    (await loadConfig({ cwd: await project({ "codemode.config.json": { mcpServers: {} } }) })).bundle.allow,
  ).toEqual([]);
  for (const name of ["date-fns/addDays", "../secret", "./a.js", "@scope/*", ""]) {
    await expect(loadConfig({ cwd: await allowing([name]) })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  }
});

test("values of a client for a server have to go somewhere", async () => {
  const mcpServers = { "my files": { command: "node" }, remote: { url: "https://a.example/mcp" } };
  const load = async (servers: Record<string, object>) =>
    loadConfig({
      cwd: await project({
        "codemode.config.json": { mcpServers, serve: { clients: { a: { token: "t", servers } } } },
      }),
    });
  const env = { A: "1" };
  const [client] = (await load({ "my-files": { env }, "re*": {}, "none*": {} })).serve.clients;
  expect(client).toMatchObject({ servers: ["my-files", "re*", "none*"], ownValues: new Map([["my-files", { env }]]) });
  const hintOf = (servers: Record<string, object>) => load(servers).catch(({ code, hint }) => `${code}: ${hint}`);
  expect(await hintOf({ remot: { headers: env } })).toBe('CONFIG_INVALID: Did you mean "remote"?');
  expect(await hintOf({ "*": { headers: env } })).toContain("Write values below the id of one server");
  expect(await hintOf({ remote: { env } })).toBe('CONFIG_INVALID: A remote server gets values as "headers".');
  expect(await hintOf({ "my-files": { headers: env } })).toBe('CONFIG_INVALID: A program gets values as "env".');
  expect(await hintOf({ remote: { header: env } })).toBe(
    'CONFIG_INVALID: Did you mean "headers"? See docs/configuration.md#serve.clients.NAME.servers.NAME.headers.',
  );
});

test("a login without a person has all that it needs", async () => {
  const hintOf = async (oauth: object) => {
    const file = { mcpServers: { a: { url: "https://a.example/mcp", oauth } } };
    return loadConfig({ cwd: await project({ "codemode.config.json": file }) }).then(
      () => "fine",
      ({ hint }: { hint: string }) => hint,
    );
  };
  const machine = { grant: "client_credentials", issuer: "https://i.example", clientId: "a" };
  expect(await hintOf({ ...machine, clientSecret: "${S}" })).toBe("fine");
  expect(await hintOf({ grant: "client_credentials", clientId: "a" })).toBe('Add "issuer".');
  expect(await hintOf(machine)).toBe('Add "clientSecret" or "privateKey" or "privateKeyFile".');
  expect(await hintOf({ ...machine, clientSecret: "s", privateKey: "k" })).toBe("Keep one of them.");
  expect(await hintOf({ ...machine, grant: "jwt_bearer", assertionFile: "token" })).toBe("fine");
});

test.each([
  [
    "a policy",
    '{\n  "policy": { "deny": ["s/echo"] },\n  "mcpServers": {},\n  "policy": { "allow": ["*"] }\n}',
    '"policy"',
    4,
    2,
  ],
  ["a server", '{ "mcpServers": {\n"s": { "command": "a" },\n"s": { "command": "b" } } }', '"s"', 3, 2],
  ["a variable", '{ "mcpServers": { "s": { "command": "a",\n"env": { "A": "1",\n"\\u0041": "2" } } } }', '"A"', 3, 2],
  ["__proto__", '{ "mcpServers": {},\n"__proto__": 1,\n"__proto__": 2 }', '"__proto__"', 3, 2],
])("%s that is there twice is an error with both places", async (_title, text, key, second, first) => {
  const cwd = await project({});
  await writeFile(join(cwd, "codemode.config.json"), text);
  await expect(loadConfig({ cwd })).rejects.toMatchObject({
    ...{ code: "CONFIG_INVALID", exitCode: 2 },
    message: expect.stringMatching(new RegExp(`json:${second}:\\d+.*${key} is there twice, in line ${first} too`)),
  });
});

test("a text with colons and quotes in its values has no key twice", async () => {
  const args = ['"a": "a":', '\\"x\\":', "\\", '{"a":1,"a":2}'];
  const cwd = await project({ "codemode.config.json": { mcpServers: { s: { command: "a", args } } } });
  await expect(loadConfig({ cwd })).resolves.toMatchObject({ servers: [{ source: { args } }] });
});

test("entries of clients can be pasted as they are, also where one of them is disabled", async () => {
  const remote = "https://a.example/mcp";
  const entries = {
    registry: { type: "streamable-http", url: remote },
    cline: { type: "streamableHttp", url: remote },
    windsurf: { serverUrl: remote },
    gemini: { httpUrl: remote },
    old: { transport: "sse", url: remote },
    local: { type: "local", command: "node", env: { PORT: 8080, DEBUG: true } },
    off: { type: "streamable-http", url: remote, disabled: true },
    inactive: { url: remote, enabled: false },
  };
  for (const file of ["codemode.config.json", ".mcp.json"]) {
    const { servers } = await loadConfig({ cwd: await project({ [file]: { mcpServers: entries } }) });
    expect(
      servers.map(({ name, source }) => [
        name,
        source.transport,
        "url" in source ? source.url : "env" in source && source.env,
      ]),
    ).toEqual([
      ...["registry", "cline", "windsurf", "gemini"].map((name) => [name, "http", remote]),
      ["old", "sse", remote],
      [
        "local",
        "stdio",
        new Map([
          ["PORT", "8080"],
          ["DEBUG", "true"],
        ]),
      ],
    ]);
  }
});

test("what a client may do without asking has no effect and is named, and what it forbids is kept", async () => {
  const entries = {
    cline: { command: "a", autoApprove: ["read"], disabled: false, timeout: 60, description: "Files" },
    roo: { command: "b", alwaysAllow: ["read"], disabledTools: ["rm"], watchPaths: ["dist"] },
    gemini: { url: "https://a.example/", trust: true, includeTools: ["read"], excludeTools: ["delete_all"] },
    codex: { command: "c", enabled_tools: ["read"], tool_timeout_sec: 7.5, startup_timeout_sec: 3, enabled: true },
    copilot: { command: "d", tools: ["*"], gallery: true },
  };
  const cwd = await project({ "codemode.config.json": { mcpServers: entries } });
  const { servers, ignoredKeys } = await loadConfig({ cwd });
  expect(servers.map(({ name, tools, timeoutMs }) => [name, tools.include ?? [], tools.exclude, timeoutMs])).toEqual([
    ["cline", [], [], 60_000],
    ["roo", [], ["rm"], 60_000],
    ["gemini", ["read"], ["delete_all"], 60_000],
    ["codex", ["read"], [], 7500],
    ["copilot", [], [], 60_000],
  ]);
  expect(ignoredKeys).toEqual([
    ...["cline.autoApprove", "cline.description", "roo.alwaysAllow", "roo.watchPaths", "gemini.trust"],
    ...["codex.startup_timeout_sec", "copilot.gallery"],
  ]);
});

test.each([
  ["a filter beside our own", { command: "a", tools: { exclude: ["x"] }, disabledTools: ["rm"] }, "disabledTools"],
  ["a filter that is no list", { command: "a", excludeTools: "rm" }, "excludeTools"],
  ["a filter of other things than names", { command: "a", excludeTools: [{ name: "rm" }] }, "excludeTools"],
  ["a switch that is no boolean", { command: "a", enabled: "false" }, "enabled"],
  ["a limit beside our own", { command: "a", timeoutMs: 5, timeout: 60 }, "timeout"],
  ["an unknown word", { command: "a", blockTools: ["rm"] }, "blockTools"],
])("a restriction of a client that is not understood is refused: %s", async (_title, entry, key) => {
  const cwd = await project({ "codemode.config.json": { mcpServers: { s: entry } } });
  await expect(loadConfig({ cwd })).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining(`unknown key "${key}"`),
  });
});

test.each([
  [{ command: "node", headers: { A: "1" } }, '"headers" in "/mcpServers/s" has no effect'],
  [{ command: "node", oauth: { clientId: "a" } }, '"oauth"'],
  [{ url: "https://a.example/", env: { A: "1" } }, '"env"'],
  [{ url: "https://a.example/", inheritEnv: ["A"] }, '"inheritEnv"'],
  [{ url: "https://a.example/", cwd: "sub" }, '"cwd"'],
])("a key that means nothing at a server is an error: %j", async (entry, cause) => {
  const cwd = await project({ "codemode.config.json": { mcpServers: { s: entry } } });
  await expect(loadConfig({ cwd })).rejects.toMatchObject({
    ...{ code: "CONFIG_INVALID", message: expect.stringContaining(cause) },
  });
});

test.each([
  [
    {
      mcpServers: {
        s: { url: "https://a.example/", headers: { Authorization: "1", "X-Key": "2", authorization: "3" } },
      },
    },
    ["Authorization", "authorization"],
  ],
  [
    { mcpServers: { s: { url: "https://a.example/", headers: { "x-api-key": "1", "X-API-Key": "2" } } } },
    ["x-api-key", "X-API-Key"],
  ],
  [
    {
      mcpServers: { s: { url: "https://a.example/" } },
      serve: { clients: { a: { token: "t", servers: { s: { headers: { Cookie: "1", COOKIE: "2" } } } } } },
    },
    ["/serve/clients/a/servers/s/headers", "Cookie", "COOKIE"],
  ],
  [
    { mcpServers: { "caf\u00e9": { command: "a" }, "cafe\u0301": { command: "b" } } },
    ["/mcpServers", "caf\\u00e9", "cafe\\u0301"],
  ],
  [{ mcpServers: {}, scripts: { "\u00fc": "a.ts", "u\u0308": "b.ts" } }, ["/scripts"]],
])("two names that mean the same are an error with both: %j", async (content, said) => {
  const cwd = await project({ "codemode.config.json": content });
  const error = (await loadConfig({ cwd }).catch((thrown: unknown) => thrown)) as CodemodeError;
  expect(error.code).toBe("CONFIG_INVALID");
  for (const word of said) expect(error.message).toContain(word);
  if ("s" in content.mcpServers && !("serve" in content)) {
    const foreign = await project({ ".mcp.json": content });
    await expect(loadConfig({ cwd: foreign })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  }
});

test("what clients write empty at any server is no error", async () => {
  const empty = { env: {}, args: [], headers: {} };
  const mcpServers = { a: { command: "node", ...empty }, b: { url: "https://a.example/", ...empty } };
  await expect(loadConfig({ cwd: await project({ "codemode.config.json": { mcpServers } }) })).resolves.toBeDefined();
});
