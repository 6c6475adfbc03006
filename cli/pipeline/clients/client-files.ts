import { join } from "node:path";

/** How a client writes its servers down. */
export type ClientFormat = "codex" | "gemini" | "mcp-servers" | "opencode" | "vscode" | "zed";

/** A file in which an MCP client may keep its servers. */
export interface ClientFile {
  /** Shown to the user. */
  client: string;
  path: string;
  format: ClientFormat;
}

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
  const file = (client: string, format: ClientFormat, ...path: [string, ...string[]]): ClientFile => ({
    client,
    format,
    path: join(...path),
  });
  return [
    file("Claude Code", "mcp-servers", folder, ".mcp.json"),
    file("Cursor", "mcp-servers", folder, ".cursor", "mcp.json"),
    file("VS Code", "vscode", folder, ".vscode", "mcp.json"),
    file("Codex", "codex", folder, ".codex", "config.toml"),
    file("Gemini CLI", "gemini", folder, ".gemini", "settings.json"),
    file("opencode", "opencode", folder, "opencode.json"),
    file("opencode", "opencode", folder, "opencode.jsonc"),
    file("Claude Code", "mcp-servers", home, ".claude.json"),
    file("Claude Desktop", "mcp-servers", settings, "Claude", "claude_desktop_config.json"),
    file("Cursor", "mcp-servers", home, ".cursor", "mcp.json"),
    file("VS Code", "vscode", settings, "Code", "User", "mcp.json"),
    file("Windsurf", "mcp-servers", home, ".codeium", "windsurf", "mcp_config.json"),
    file("Codex", "codex", env["CODEX_HOME"] ?? join(home, ".codex"), "config.toml"),
    file("Gemini CLI", "gemini", home, ".gemini", "settings.json"),
    file("opencode", "opencode", config, "opencode", "opencode.json"),
    file("Zed", "zed", config, "zed", "settings.json"),
  ];
}

/** Where programs of this system keep their settings. */
function applicationSettings({ home, platform, env }: Omit<ClientPlaces, "folder">): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] ?? join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}
