import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CLIENT_IDS, type ClientId, type ClientPlaces } from "../../../engine/project/clients/client-files.ts";
import { findLauncher, type InstalledProgram } from "../../../extras/install/find-launcher.ts";
import {
  type InstallChoice,
  type InstallPlan,
  planInstall,
  toClientId,
} from "../../../extras/install/install-client.ts";
import { commandOf, isOwnCommand } from "../../../engine/project/clients/entry-parts.ts";
import { parseClientFile } from "../../../engine/project/clients/parse-client-file.ts";
import { CLIENTS, passesToken, toRemoteEntry } from "../../../extras/install/clients.ts";
import { printEntry } from "../../../extras/install/edit-client-text.ts";
import { VERSION } from "../../../schemas/version.ts";

const PLACES: ClientPlaces = { folder: "/project", home: "/home/me", platform: "linux", env: {} };
const IN_PROJECT: InstalledProgram = {
  kind: "project",
  path: "./node_modules/codemode/dist/cli/main.js",
  file: "/project/node_modules/codemode/dist/cli/main.js",
};
const GLOBAL: InstalledProgram = { kind: "global", file: "/usr/lib/node_modules/codemode/dist/cli/main.js" };

function plan(
  client: ClientId,
  choice: Partial<InstallChoice> = {},
  places = PLACES,
  launcher: InstalledProgram = IN_PROJECT,
) {
  return planInstall(
    { client, name: "codemode", toolName: undefined, variables: ["TOKEN"], ...choice },
    places,
    launcher,
  );
}

const PROGRAM = "node_modules/codemode/dist/cli/main.js";
const TOOL_NAME = ["--tool-name", "codemode_run"];
const URL = "https://a.example/mcp";

/** What a client gets in each case; a text that an earlier case has is printed once. */
function printPlans(cases: Readonly<Record<string, () => InstallPlan>>): string {
  const titles = new Map<string, string>();
  const parts = Object.entries(cases).map(([title, make]) => {
    const { path, text } = printPlan(make);
    const known = titles.get(text);
    if (known === undefined) titles.set(text, title);
    return `# ${title}${path}\n\n${known === undefined ? text : `As of "${known}".`}\n`;
  });
  return parts.join("\n");
}

function printPlan(make: () => InstallPlan): { path: string; text: string } {
  try {
    const { file, entry } = make();
    const path = `: ${file.path.replaceAll("\\", "/")}`;
    return { path, text: printEntry(entry).replaceAll(process.execPath, "NODE") };
  } catch (error) {
    return { path: "", text: (error as Error).message };
  }
}

// One file for each client: what it gets in every case. `npx vitest run test/extras/install -u` updates them.
test.each(CLIENT_IDS)("the entries of %s are as in its golden file", async (client) => {
  const text = printPlans({
    project: () => plan(client, { scope: "project" }),
    user: () => plan(client, { scope: "user" }),
    "project, Windows": () => plan(client, { scope: "project" }, { ...PLACES, platform: "win32" }),
    "address with a token": () => plan(client, { url: URL, tokenVariable: "CM_TOKEN" }),
    address: () => plan(client, { url: URL }),
  });
  await expect(text).toMatchFileSnapshot(`../../golden/entries/${client}.md`);
});

test.each(CLIENT_IDS)("the entry of %s is known as our own, and holds no token", (client) => {
  const { file, entry, words } = plan(client);
  expect(isOwnCommand(words)).toBe(true);
  expect(isOwnCommand(commandOf(entry.value))).toBe(true);
  expect(parseClientFile(printEntry(entry), file).servers.size).toBe(0);
  const remote = toRemoteEntry(client, {
    name: "codemode",
    format: file.format,
    url: URL,
    tokenVariable: "T",
  });
  if (remote === undefined) return;
  const [server] = parseClientFile(printEntry({ ...entry, value: remote }), file).servers.values();
  const headers = passesToken(client) ? { Authorization: expect.stringMatching(/^Bearer \$\{(env:)?T\}$/) } : undefined;
  // goose has a limit in each of its entries, in seconds.
  const limit = client === "goose" && { timeoutMs: 300_000 };
  expect(server).toEqual({ type: "http", url: URL, ...(headers && { headers }), ...limit });
});

test("a client whose file takes no addresses says where they go", () => {
  expect(() => plan("claude-desktop", { url: "https://a.example/mcp" })).toThrow("Connectors");
});

test("what to do after an entry for the account says nothing of a project's file or of trust in a folder", () => {
  for (const id of CLIENT_IDS) {
    const { next, headless = "" } = CLIENTS[id].ofAccount ?? CLIENTS[id];
    expect(`${next} ${headless}`, id).not.toMatch(
      /in this (?:project|folder)|trust the folder|project's|\.mcp\.json|approve the server/,
    );
  }
  expect(CLIENTS["claude-code"].headless).toContain("--mcp-config .mcp.json");
  expect(CLIENTS.codex.ofAccount?.headless).toBe(CLIENTS.codex.headless);
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
  const wanted = ["npx", "-y", `codemode@${VERSION}`, "serve", ...TOOL_NAME];
  expect(plan("claude-code", {}, PLACES, { kind: "npx" }).words).toEqual(wanted);
  expect(plan("claude-code", {}, PLACES, GLOBAL).words).toEqual(wanted);
  const onWindows: ClientPlaces = { ...PLACES, platform: "win32" };
  expect(plan("claude-code", {}, onWindows, { kind: "npx" }).words).toEqual(["cmd", "/c", ...wanted]);
});

test("a global installation is named by its path in the user's own file", () => {
  const { words } = plan("claude-code", { scope: "user" }, PLACES, GLOBAL);
  expect(words).toEqual([process.execPath, "/usr/lib/" + PROGRAM, "serve", "--cwd", "/project", ...TOOL_NAME]);
});

test("a clone is named by its path everywhere, with the folder", () => {
  const { words } = plan("claude-code", {}, PLACES, { kind: "checkout", file: "/clone/dist/cli/main.js" });
  expect(words).toEqual([process.execPath, "/clone/dist/cli/main.js", "serve", "--cwd", "/project", ...TOOL_NAME]);
});

test("a configuration that was named is named again, relative where it is in the project", () => {
  expect(plan("claude-code", { configFile: "/project/a/b.json" }).words.slice(-4, -2)).toEqual([
    "--config",
    "a/b.json",
  ]);
  expect(plan("claude-code", { configFile: "../b.json" }).words.slice(-4, -2)).toEqual(["--config", "/b.json"]);
});

test("a tool name without a dot needs no second name", () => {
  expect(plan("zed", { toolName: "code" }).words).not.toContain("--tool-name");
  expect(plan("zed", { toolName: "my.code.run" }).words.slice(-2)).toEqual(["--tool-name", "my_code_run"]);
  expect(plan("zed", { toolName: undefined }).words.slice(-2)).toEqual(["--tool-name", "codemode_run"]);
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
  expect(() => plan("claude-code", { scope: "user" }, onWindows, { kind: "npx" })).toThrow("Windows shell");
});
