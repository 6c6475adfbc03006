import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CLIENT_IDS, type ClientId, type ClientPlaces } from "../../../engine/project/clients/client-files.ts";
import { isOwnCommand } from "../../../engine/project/clients/is-own-command.ts";
import { findLauncher, type Launcher } from "../../../engine/project/install/find-launcher.ts";
import {
  type InstallChoice,
  planInstall,
  printEntry,
  toClientId,
} from "../../../engine/project/install/install-client.ts";
import { VERSION } from "../../../schemas/version.ts";

const PLACES: ClientPlaces = { folder: "/project", home: "/home/me", platform: "linux", env: {} };
const IN_PROJECT: Launcher = {
  kind: "project",
  path: "./node_modules/codemode/dist/cli/main.js",
  file: "/project/node_modules/codemode/dist/cli/main.js",
};
const GLOBAL: Launcher = { kind: "global", file: "/usr/lib/node_modules/codemode/dist/cli/main.js" };

function plan(client: ClientId, choice: Partial<InstallChoice> = {}, places = PLACES, launcher: Launcher = IN_PROJECT) {
  return planInstall(
    { client, name: "codemode", toolName: "codemode.run", variables: ["TOKEN"], ...choice },
    places,
    launcher,
  );
}

const PROGRAM = "node_modules/codemode/dist/cli/main.js";
const golden: [client: ClientId, path: string, text: object | string][] = [
  [
    "claude-code",
    "/project/.mcp.json",
    {
      mcpServers: {
        codemode: { type: "stdio", command: "node", args: [`./${PROGRAM}`, "serve"], env: { TOKEN: "${TOKEN}" } },
      },
    },
  ],
  [
    "claude-desktop",
    "/home/me/.config/Claude/claude_desktop_config.json",
    {
      mcpServers: {
        codemode: {
          command: process.execPath,
          args: [`/project/${PROGRAM}`, "serve", "--cwd", "/project", "--tool-name", "codemode_run"],
        },
      },
    },
  ],
  [
    "cursor",
    "/project/.cursor/mcp.json",
    {
      mcpServers: {
        codemode: {
          type: "stdio",
          command: "node",
          args: [
            `\${workspaceFolder}/${PROGRAM}`,
            "serve",
            "--cwd",
            "${workspaceFolder}",
            "--tool-name",
            "codemode_run",
          ],
          env: { TOKEN: "${env:TOKEN}" },
        },
      },
    },
  ],
  [
    "vscode",
    "/project/.vscode/mcp.json",
    {
      servers: {
        codemode: {
          type: "stdio",
          command: "node",
          args: [
            `\${workspaceFolder}/${PROGRAM}`,
            "serve",
            "--cwd",
            "${workspaceFolder}",
            "--tool-name",
            "codemode_run",
          ],
          env: { TOKEN: "${env:TOKEN}" },
        },
      },
    },
  ],
  [
    "codex",
    "/project/.codex/config.toml",
    `[mcp_servers.codemode]\ncommand = "node"\nargs = [ "./${PROGRAM}", "serve" ]\nenv_vars = [ "TOKEN" ]`,
  ],
  [
    "gemini",
    "/project/.gemini/settings.json",
    { mcpServers: { codemode: { command: "node", args: [`./${PROGRAM}`, "serve"], env: { TOKEN: "$TOKEN" } } } },
  ],
  [
    "opencode",
    "/project/opencode.json",
    {
      mcp: {
        codemode: {
          type: "local",
          command: ["node", `./${PROGRAM}`, "serve"],
          environment: { TOKEN: "{env:TOKEN}" },
        },
      },
    },
  ],
  [
    "windsurf",
    "/home/me/.codeium/windsurf/mcp_config.json",
    {
      mcpServers: {
        codemode: {
          command: process.execPath,
          args: [`/project/${PROGRAM}`, "serve", "--cwd", "/project", "--tool-name", "codemode_run"],
          env: { TOKEN: "${env:TOKEN}" },
        },
      },
    },
  ],
  [
    "zed",
    "/project/.zed/settings.json",
    {
      context_servers: {
        codemode: { command: "node", args: [`./${PROGRAM}`, "serve", "--tool-name", "codemode_run"], env: {} },
      },
    },
  ],
  [
    "copilot-cli",
    "/project/.github/mcp.json",
    {
      mcpServers: {
        codemode: {
          type: "local",
          command: "node",
          args: [`./${PROGRAM}`, "serve", "--tool-name", "codemode_run"],
          env: { TOKEN: "${TOKEN}" },
          tools: ["*"],
        },
      },
    },
  ],
];

test.each(golden)("%s gets its entry", (client, path, want) => {
  const { file, entry, words } = plan(client);
  expect(file.path).toBe(path);
  const text = printEntry(entry);
  expect(typeof want === "string" ? text : JSON.parse(text)).toEqual(want);
  expect(isOwnCommand(words)).toBe(true);
});

test("every client has an entry above", () => {
  expect(golden.map(([client]) => client).toSorted()).toEqual(CLIENT_IDS);
});

test.each<[ClientId, object | string]>([
  ["claude-code", { type: "http", url: "https://a.example/mcp" }],
  ["codex", '[mcp_servers.codemode]\nurl = "https://a.example/mcp"'],
  ["gemini", { httpUrl: "https://a.example/mcp" }],
  ["opencode", { type: "remote", url: "https://a.example/mcp" }],
  ["windsurf", { serverUrl: "https://a.example/mcp" }],
])("%s is pointed at a running codemode", (client, want) => {
  const { entry, words } = plan(client, { url: "https://a.example/mcp" });
  expect(typeof want === "string" ? printEntry(entry) : entry.value).toEqual(want);
  expect(words).toEqual([]);
});

test("a client whose file takes no addresses says where they go", () => {
  expect(() => plan("claude-desktop", { url: "https://a.example/mcp" })).toThrow("Connectors");
});

test("a scope that a client lacks is refused", () => {
  expect(() => plan("windsurf", { scope: "project" })).toThrow("windsurf has no file of that kind");
  expect(plan("cursor", { scope: "user" }).file.path).toBe("/home/me/.cursor/mcp.json");
});

test.each<[NodeJS.Platform, string, NodeJS.ProcessEnv]>([
  ["darwin", "/home/me/Library/Application Support/Claude/claude_desktop_config.json", {}],
  ["win32", "/roaming/Claude/claude_desktop_config.json", { APPDATA: "/roaming" }],
  ["linux", "/xdg/Claude/claude_desktop_config.json", { XDG_CONFIG_HOME: "/xdg" }],
])("on %s the user's file is where that system keeps it", (platform, path, env) => {
  expect(plan("claude-desktop", {}, { ...PLACES, platform, env }).file.path).toBe(path);
});

test("npx gets our exact version, and runs in a shell on Windows", () => {
  const wanted = ["npx", "-y", `codemode@${VERSION}`, "serve"];
  expect(plan("claude-code", {}, PLACES, { kind: "npx" }).words).toEqual(wanted);
  expect(plan("claude-code", {}, PLACES, GLOBAL).words).toEqual(wanted);
  const onWindows: ClientPlaces = { ...PLACES, platform: "win32" };
  expect(plan("claude-code", {}, onWindows, { kind: "npx" }).words).toEqual(["cmd", "/c", ...wanted]);
});

test("a global installation is named by its path in the user's own file", () => {
  const { words } = plan("claude-code", { scope: "user" }, PLACES, GLOBAL);
  expect(words).toEqual([process.execPath, "/usr/lib/" + PROGRAM, "serve", "--cwd", "/project"]);
});

test("a clone is named by its path everywhere, with the folder", () => {
  const { words } = plan("claude-code", {}, PLACES, { kind: "checkout", file: "/clone/dist/cli/main.js" });
  expect(words).toEqual([process.execPath, "/clone/dist/cli/main.js", "serve", "--cwd", "/project"]);
});

test("a configuration that was named is named again, relative where it is in the project", () => {
  expect(plan("claude-code", { configFile: "/project/a/b.json" }).words.slice(-2)).toEqual(["--config", "a/b.json"]);
  expect(plan("claude-code", { configFile: "../b.json" }).words.slice(-2)).toEqual(["--config", "/b.json"]);
});

test("a tool name without a dot needs no second name", () => {
  expect(plan("zed", { toolName: "code" }).words).not.toContain("--tool-name");
  expect(plan("zed", { toolName: "my.code.run" }).words.slice(-2)).toEqual(["--tool-name", "my_code_run"]);
});

test.each([
  ["claude", "claude-code"],
  ["cusror", "cursor"],
  ["vs-code", "vscode"],
])("%s is nearly %s", (name, nearest) => {
  expect(() => toClientId(name)).toThrow(
    expect.objectContaining({ exitCode: 2, hint: expect.stringContaining(`Did you mean "${nearest}"?`) }),
  );
});

test("the program is found as the project would resolve it", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "codemode-launcher-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const real = join(root, "store", "codemode");
  mkdirSync(join(real, "dist", "cli"), { recursive: true });
  const program = join(real, "dist", "cli", "main.js");
  writeFileSync(program, "");
  const folder = join(root, "repo", "packages", "app");
  mkdirSync(folder, { recursive: true });
  expect(findLauncher(folder, program)).toEqual({ kind: "checkout", file: program });

  mkdirSync(join(root, "repo", "node_modules"));
  symlinkSync(real, join(root, "repo", "node_modules", "codemode"));
  expect(findLauncher(folder, program)).toEqual({
    kind: "project",
    path: "../../node_modules/codemode/dist/cli/main.js",
    file: join(root, "repo", PROGRAM),
  });
  expect(findLauncher(root, "/home/me/.npm/_npx/0a1b/" + PROGRAM)).toEqual({ kind: "npx" });
  expect(findLauncher(root, "/usr/lib/" + PROGRAM).kind).toBe("global");
});

test("a command that starts codemode is known, another one is not", () => {
  expect(isOwnCommand(["npx", "-y", "codemode@1.2.3", "serve"])).toBe(true);
  expect(isOwnCommand(["cmd", "/c", "npx", "-y", "codemode", "serve", "--cwd", "x"])).toBe(true);
  expect(isOwnCommand(["node", "C:\\a\\node_modules\\codemode\\dist\\cli\\main.js", "serve"])).toBe(true);
  expect(isOwnCommand(["node", "/a/other/dist/cli/main.js", "serve"])).toBe(false);
  expect(isOwnCommand(["npx", "codemode-tools", "serve"])).toBe(false);
  expect(isOwnCommand(["codemode", "run", "serve"])).toBe(false);
});

test("a folder whose name the shell of Windows would run is refused", () => {
  const onWindows: ClientPlaces = { ...PLACES, platform: "win32", folder: "C:/work/a&calc" };
  expect(() => plan("claude-code", { scope: "user" }, onWindows, { kind: "npx" })).toThrow("shell of Windows");
});
