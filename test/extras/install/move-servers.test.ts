import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type ClientId, type ClientPlaces, listClientFiles } from "../../../engine/project/clients/client-files.ts";
import { checkConfig } from "../../../engine/load-config.ts";
import { moveServers, restoreServers } from "../../../extras/install/move-servers.ts";
import { backupOf, findOldServers } from "../../../engine/project/clients/old-servers.ts";
import { uninstallEntry } from "../../../extras/install/install-entry.ts";
import type { Config } from "../../../schemas/config/config.ts";
import type { ServerEntry } from "../../../schemas/config/config-file.ts";
import { testOnPosix } from "../../platforms/needs.ts";

const SERVERS: Record<"files" | "remote", ServerEntry> = {
  files: { command: "npx", args: ["-y", "server-filesystem", "."] },
  remote: { type: "http", url: "https://a.example/mcp", headers: { Authorization: "Bearer ${REMOTE_TOKEN}" } },
};

let places: ClientPlaces;
let config: Config;

beforeEach(async () => {
  const root = mkdtempSync(join(tmpdir(), "codemode-move-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  places = { folder: join(root, "project"), home: join(root, "home"), platform: "linux", env: {} };
  mkdirSync(places.folder);
  config = await checkConfig({ mcpServers: SERVERS }, join(places.folder, "codemode.config.json"));
});

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Moves all old servers of a client, and returns the names by file. */
async function moveAll(client: ClientId): Promise<string[][]> {
  const old = await findOldServers(client, config, places);
  for (const servers of old) await moveServers(servers, places.folder, "codemode");
  return old.map(({ names }) => names);
}

async function restoreAll(client: ClientId): Promise<string[][]> {
  const files = listClientFiles(places).filter(({ id }) => id === client);
  const restored = await Promise.all(files.map((file) => restoreServers(file, places.folder, "codemode")));
  return restored.flatMap((one) => (one === undefined ? [] : [one.names]));
}

const JSONC = `{
  // my servers
  "mcpServers": {
    "other": { "command": "mine" }, // stays
    "files": { "command": "npx", "args": ["-y", "server-filesystem", "."] },
    "remote": { "httpUrl": "https://a.example/mcp", "headers": { "Authorization": "Bearer $REMOTE_TOKEN" } }
  },
  "theme": "dark"
}
`;

testOnPosix("modes of files")(
  "the servers that codemode serves leave the file, all else stays; and they come back",
  async () => {
    const path = write(join(places.folder, ".gemini", "settings.json"), JSONC);
    expect(await moveAll("gemini")).toEqual([["files", "remote"]]);
    const left = readFileSync(path, "utf8");
    expect(left).toContain("// my servers");
    expect(left).toContain('"other": { "command": "mine" }');
    expect(left).not.toMatch(/files|remote/);
    expect(statSync(backupOf(path)).mode & 0o777).toBe(0o600);

    expect(await moveAll("gemini")).toEqual([]);
    expect(await restoreAll("gemini")).toEqual([["files", "remote"]]);
    expect(readFileSync(path, "utf8")).toBe(JSONC);
    expect(existsSync(backupOf(path))).toBe(false);
  },
);

test.each<[ClientId, string, string]>([
  [
    "codex",
    ".codex/config.toml",
    '# mine\nmodel = "x"\n\n[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "server-filesystem", "."]\n\n[mcp_servers.files.env]\nA = "b"\n\n[mcp_servers.other]\ncommand = "mine"\n',
  ],
  [
    "goose",
    ".config/goose/config.yaml",
    "# mine\nGOOSE_MODE: auto\nextensions:\n  files: { type: stdio, cmd: npx, args: ['-y', server-filesystem, .] }\n  other:\n    cmd: mine # stays\n",
  ],
  [
    "continue",
    ".continue/config.yaml",
    "# mine\nmcpServers:\n  - name: files\n    command: npx\n    args: ['-y', server-filesystem, .]\n  - name: other\n    command: mine # stays\n",
  ],
])("the file of %s keeps its comments", async (client, name, text) => {
  const root = client === "codex" ? places.folder : places.home;
  const path = write(join(root, name), text);
  const files = { ...SERVERS.files, ...(client === "codex" && { env: { A: "b" } }) };
  config = await checkConfig({ mcpServers: { files } }, config.file);
  expect(await moveAll(client)).toEqual([["files"]]);
  const left = readFileSync(path, "utf8");
  expect(left).toContain("# mine");
  expect(left).not.toContain("server-filesystem");
  expect(await restoreAll(client)).toEqual([["files"]]);
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(existsSync(backupOf(path))).toBe(false);
});

testOnPosix("modes of files")(
  "Claude's servers for this project are found in the file of the account; those of other projects stay",
  async () => {
    const entry = { type: "stdio", ...SERVERS.files };
    const projects = { [places.folder]: { mcpServers: { files: entry } }, "/other": { mcpServers: { files: entry } } };
    const path = write(join(places.home, ".claude.json"), JSON.stringify({ projects }));
    chmodSync(path, 0o600);
    expect(await moveAll("claude-code")).toEqual([["files"]]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      projects: { [places.folder]: { mcpServers: {} }, "/other": { mcpServers: { files: entry } } },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await restoreAll("claude-code")).toEqual([["files"]]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ projects });
  },
);

test("another command or address of the same name, a disabled server, and the project's own file are not old servers", async () => {
  const servers = {
    files: { command: "npx", args: ["-y", "evil"] },
    remote: { url: "https://a.example/mcp", disabled: true },
  };
  const path = write(join(places.folder, ".mcp.json"), JSON.stringify({ mcpServers: servers }));
  expect(await findOldServers("claude-code", config, places)).toMatchObject([
    { names: [], others: [{ name: "files", differs: ["command"] }] },
  ]);
  write(path, JSON.stringify({ mcpServers: SERVERS }));
  expect(await findOldServers("claude-code", config, places)).toMatchObject([{ names: ["files", "remote"] }]);
  expect(await findOldServers("claude-code", { ...config, file: path }, places)).toEqual([]);
});

test("a secret that `init` has replaced by a placeholder does not hide the server", async () => {
  const key = "sk-proj-0123456789abcdefghijABCDEFGHIJ";
  const withKey = (text: string) => ({ hosted: { url: `https://a.example/mcp?api_key=${text}` } });
  write(join(places.folder, ".cursor", "mcp.json"), JSON.stringify({ mcpServers: withKey(key) }));
  const { importServers } = await import("../../../engine/project/config/import-servers.ts");
  const { takeOutSecrets } = await import("../../../schemas/secrets/secrets-in-config.ts");
  const imported = takeOutSecrets((await importServers(places.folder, places)).servers).servers;
  config = await checkConfig({ mcpServers: Object.fromEntries(imported) }, config.file);
  expect(JSON.stringify(Object.fromEntries(imported))).not.toContain(key);
  expect(await findOldServers("cursor", config, places)).toMatchObject([{ names: ["hosted"] }]);
});

const DB = { command: "node", args: ["db.mjs"], env: { DB: "production" } };

test.each<[string, ServerEntry, string]>([
  ["another environment", { ...DB, env: { DB: "scratch" } }, "env DB"],
  ["a variable more", { ...DB, env: { ...DB.env, NODE_OPTIONS: "-r x" } }, "env NODE_OPTIONS"],
  ["another folder", { ...DB, cwd: "/elsewhere" }, "cwd"],
  ["another account", { url: "https://a.example/mcp", headers: { authorization: "Bearer ${OTHER}" } }, "type"],
])(
  "a server of the same name with %s is another server: `init` takes both, and it stays where it is",
  async (_, other, differs) => {
    write(join(places.folder, ".mcp.json"), JSON.stringify({ mcpServers: { db: DB } }));
    const path = write(join(places.home, ".cursor", "mcp.json"), JSON.stringify({ mcpServers: { db: other } }));
    const { importServers } = await import("../../../engine/project/config/import-servers.ts");
    const { servers, sources } = await importServers(places.folder, places);
    expect([...servers.keys()]).toEqual(["db", "db--2"]);
    expect(sources[1]).toMatchObject({ path, names: ["db--2"] });
    expect(sources[1]?.renamed[0]?.differs).toContain(differs);
    config = await checkConfig({ mcpServers: { db: DB } }, config.file);
    expect(await findOldServers("cursor", config, places)).toMatchObject([{ names: [], others: [{ name: "db" }] }]);
    config = await checkConfig({ mcpServers: Object.fromEntries(servers) }, config.file);
    expect(await findOldServers("cursor", config, places)).toMatchObject([{ names: ["db"], others: [] }]);
  },
);

test("two accounts at one address differ by their tokens, which the configuration does not have", async () => {
  const account = (token: string) => ({
    mail: { url: "https://a.example/mcp", headers: { Authorization: `Bearer ${token}` } },
  });
  const [first, second] = ["ghp_0123456789abcdefABCDEF0123456789abcd", "ghp_9876543210fedcbaFEDCBA9876543210dcba"];
  write(join(places.folder, ".mcp.json"), JSON.stringify({ mcpServers: account(first) }));
  write(join(places.home, ".cursor", "mcp.json"), JSON.stringify({ mcpServers: account(second) }));
  const { takeOutSecrets } = await import("../../../schemas/secrets/secrets-in-config.ts");
  const { servers, secrets } = takeOutSecrets(new Map(Object.entries(account(first))));
  config = await checkConfig({ mcpServers: Object.fromEntries(servers) }, config.file);
  const others = [{ names: [], others: [{ name: "mail", differs: ["header authorization"] }] }];
  // Also where the variable is not set, and where the first one has moved.
  expect(await findOldServers("cursor", config, places)).toMatchObject(others);
  await moveAll("claude-code");
  expect(await findOldServers("cursor", config, places)).toMatchObject(others);
  places.env[secrets[0]?.variable ?? ""] = second;
  expect(await findOldServers("cursor", config, places)).toMatchObject([{ names: ["mail"], others: [] }]);
});

test("a server that the backup has otherwise is not moved over it", async () => {
  const path = write(join(places.folder, ".mcp.json"), JSON.stringify({ mcpServers: { files: SERVERS.files } }));
  const [old] = await findOldServers("claude-code", config, places);
  write(backupOf(path), JSON.stringify({ mcpServers: { files: { ...SERVERS.files, env: { X: "one" } } } }));
  expect(await moveServers(old as never, places.folder, "codemode")).toEqual([]);
  expect(readFileSync(backupOf(path), "utf8")).toContain('"one"');
  expect(readFileSync(path, "utf8")).toContain("server-filesystem");
});

test("what the client's file has again stays, with the backup", async () => {
  const path = write(join(places.folder, ".mcp.json"), JSON.stringify({ mcpServers: { files: SERVERS.files } }));
  await moveAll("claude-code");
  write(path, JSON.stringify({ mcpServers: { files: { command: "new" } } }));
  const [file] = listClientFiles(places);
  expect(await restoreServers(file as never, places.folder, "codemode")).toMatchObject({ names: [], kept: ["files"] });
  expect(readFileSync(path, "utf8")).toContain('"new"');
  expect(readFileSync(backupOf(path), "utf8")).toContain("server-filesystem");
});

test("an entry that starts another program, or serves another project, is not taken out", async () => {
  const entries = {
    mine: { command: "theirs" },
    codemode: { command: "codemode", args: ["serve", "--cwd", "/elsewhere"] },
    ours: { command: "codemode", args: ["serve"] },
  };
  const path = write(join(places.folder, ".mcp.json"), JSON.stringify({ mcpServers: entries }));
  const [file] = listClientFiles(places);
  const take = (name: string, force = false) => uninstallEntry(file as never, name, places.folder, force);
  await expect(take("mine")).rejects.toMatchObject({ code: "CLIENT_FILE_REFUSED" });
  await expect(take("codemode")).rejects.toMatchObject({ code: "CLIENT_FILE_REFUSED" });
  expect(await take("absent")).toBe(false);
  expect(await take("ours")).toBe(true);
  expect(await take("mine", true)).toBe(true);
  expect(Object.keys((JSON.parse(readFileSync(path, "utf8")) as { mcpServers: object }).mcpServers)).toEqual([
    "codemode",
  ]);
});
