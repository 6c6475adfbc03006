import { join } from "node:path";

/** How a client writes its servers down. */
export type ClientFormat = "codex" | "gemini" | "mcp-servers" | "opencode" | "vscode" | "zed";

/** The clients that we know, as the command line names them. */
export type ClientId =
  | "claude-code"
  | "claude-desktop"
  | "codex"
  | "copilot-cli"
  | "cursor"
  | "gemini"
  | "opencode"
  | "vscode"
  | "windsurf"
  | "zed";

/** Whether a file belongs to one project or to all that its user does. */
export type ClientScope = "project" | "user";

/** A file in which an MCP client may keep its servers. */
export interface ClientFile {
  id: ClientId;
  /** Shown to the user. */
  client: string;
  scope: ClientScope;
  path: string;
  format: ClientFormat;
}

const CLIENTS: Record<ClientId, { name: string; format: ClientFormat }> = {
  "claude-code": { name: "Claude Code", format: "mcp-servers" },
  "claude-desktop": { name: "Claude Desktop", format: "mcp-servers" },
  codex: { name: "Codex", format: "codex" },
  "copilot-cli": { name: "Copilot CLI", format: "mcp-servers" },
  cursor: { name: "Cursor", format: "mcp-servers" },
  gemini: { name: "Gemini CLI", format: "gemini" },
  opencode: { name: "opencode", format: "opencode" },
  vscode: { name: "VS Code", format: "vscode" },
  windsurf: { name: "Windsurf", format: "mcp-servers" },
  zed: { name: "Zed", format: "zed" },
};

/** All of them, sorted. */
export const CLIENT_IDS = Object.keys(CLIENTS) as ClientId[];

/** Where to look. */
export interface ClientPlaces {
  /** The project folder. */
  folder: string;
  home: string;
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** Every known place, those of the project before those of the user; of equal server names the first one wins. */
export function listClientFiles({ folder, home, platform, env }: ClientPlaces): ClientFile[] {
  const settings = applicationSettings({ home, platform, env });
  const config = env["XDG_CONFIG_HOME"] ?? join(home, ".config");
  const at =
    (scope: ClientScope) =>
    (id: ClientId, ...path: [string, ...string[]]): ClientFile => {
      const { name, format } = CLIENTS[id];
      return { id, client: name, scope, path: join(...path), format };
    };
  const inProject = at("project");
  const ofUser = at("user");
  return [
    inProject("claude-code", folder, ".mcp.json"),
    inProject("cursor", folder, ".cursor", "mcp.json"),
    inProject("vscode", folder, ".vscode", "mcp.json"),
    inProject("codex", folder, ".codex", "config.toml"),
    inProject("gemini", folder, ".gemini", "settings.json"),
    inProject("opencode", folder, "opencode.json"),
    inProject("opencode", folder, "opencode.jsonc"),
    inProject("zed", folder, ".zed", "settings.json"),
    inProject("copilot-cli", folder, ".github", "mcp.json"),
    ofUser("claude-code", home, ".claude.json"),
    ofUser("claude-desktop", settings, "Claude", "claude_desktop_config.json"),
    ofUser("cursor", home, ".cursor", "mcp.json"),
    ofUser("vscode", settings, "Code", "User", "mcp.json"),
    ofUser("windsurf", home, ".codeium", "windsurf", "mcp_config.json"),
    ofUser("codex", env["CODEX_HOME"] ?? join(home, ".codex"), "config.toml"),
    ofUser("gemini", home, ".gemini", "settings.json"),
    ofUser("opencode", config, "opencode", "opencode.json"),
    ofUser("opencode", config, "opencode", "opencode.jsonc"),
    ofUser("zed", platform === "win32" ? join(settings, "Zed") : join(config, "zed"), "settings.json"),
    ofUser("copilot-cli", env["COPILOT_HOME"] ?? join(home, ".copilot"), "mcp-config.json"),
  ];
}

/** Where programs of this system keep their settings. */
function applicationSettings({ home, platform, env }: Omit<ClientPlaces, "folder">): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] ?? join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}
