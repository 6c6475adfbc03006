import { join } from "node:path";

/** How a client writes its servers down. */
export type ClientFormat =
  | "amp"
  | "codex"
  | "continue"
  | "crush"
  | "gemini"
  | "goose"
  | "mcp-servers"
  | "opencode"
  | "vscode"
  | "zed";

const CLIENTS = {
  amp: { name: "Amp", format: "amp" },
  "claude-code": { name: "Claude Code", format: "mcp-servers" },
  "claude-desktop": { name: "Claude Desktop", format: "mcp-servers" },
  cline: { name: "Cline", format: "mcp-servers" },
  codex: { name: "Codex", format: "codex" },
  continue: { name: "Continue", format: "mcp-servers" },
  "copilot-cli": { name: "Copilot CLI", format: "mcp-servers" },
  crush: { name: "Crush", format: "crush" },
  cursor: { name: "Cursor", format: "mcp-servers" },
  gemini: { name: "Gemini CLI", format: "gemini" },
  goose: { name: "Goose", format: "goose" },
  junie: { name: "Junie", format: "mcp-servers" },
  kilo: { name: "Kilo Code", format: "opencode" },
  opencode: { name: "opencode", format: "opencode" },
  qwen: { name: "Qwen Code", format: "gemini" },
  roo: { name: "Roo Code", format: "mcp-servers" },
  vscode: { name: "VS Code", format: "vscode" },
  windsurf: { name: "Windsurf", format: "mcp-servers" },
  zed: { name: "Zed", format: "zed" },
} as const satisfies Record<string, { name: string; format: ClientFormat }>;

/** The clients that we know, as the command line names them. */
export type ClientId = keyof typeof CLIENTS;

/** All of them, sorted. */
export const CLIENT_IDS = Object.keys(CLIENTS) as ClientId[];

/** What a person calls a client. */
export const clientName = (id: ClientId): string => CLIENTS[id].name;

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
  /** The keys above the servers: a file of the user may have servers for one project. */
  within?: readonly string[] | undefined;
  /** The client has another file for new entries. */
  isOld?: true | undefined;
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
export function listClientFiles(places: ClientPlaces): ClientFile[] {
  return [...projectFiles(places.folder), ...claudeLocalFiles(places), ...userFiles(places)];
}

function makeFile(scope: ClientScope) {
  return (id: ClientId, ...path: [string, ...string[]]): ClientFile => {
    const { name, format } = CLIENTS[id];
    return { id, client: name, scope, path: join(...path), format };
  };
}

/** Both endings of a file that may have comments. */
function jsonFiles(file: ReturnType<typeof makeFile>, id: ClientId, ...path: string[]): ClientFile[] {
  return [".json", ".jsonc"].map((ending) => file(id, `${join(...path)}${ending}`));
}

function projectFiles(folder: string): ClientFile[] {
  const file = makeFile("project");
  return [
    file("claude-code", folder, ".mcp.json"),
    file("cursor", folder, ".cursor", "mcp.json"),
    file("vscode", folder, ".vscode", "mcp.json"),
    file("codex", folder, ".codex", "config.toml"),
    file("gemini", folder, ".gemini", "settings.json"),
    ...jsonFiles(file, "opencode", folder, "opencode"),
    file("zed", folder, ".zed", "settings.json"),
    file("copilot-cli", folder, ".github", "mcp.json"),
    file("qwen", folder, ".qwen", "settings.json"),
    file("roo", folder, ".roo", "mcp.json"),
    ...jsonFiles(file, "kilo", folder, ".kilo", "kilo"),
    ...jsonFiles(file, "kilo", folder, "kilo"),
    { ...file("kilo", folder, ".kilocode", "mcp.json"), format: "mcp-servers", isOld: true },
    file("continue", folder, ".continue", "mcpServers", "mcp.json"),
    ...jsonFiles(file, "amp", folder, ".amp", "settings"),
    file("crush", folder, "crush.json"),
    file("crush", folder, ".crush.json"),
    file("junie", folder, ".junie", "mcp", "mcp.json"),
  ];
}

/** `claude mcp add` writes here unless another scope is given: the servers of one project, in the file of the user. */
function claudeLocalFiles(places: ClientPlaces): ClientFile[] {
  const { folder, platform } = places;
  const names = platform === "win32" ? [folder.replaceAll("\\", "/"), folder] : [folder];
  return names.map((name) => ({
    ...makeFile("user")("claude-code", claudeFile(places)),
    within: ["projects", name],
    isOld: true,
  }));
}

function userFiles(places: ClientPlaces): ClientFile[] {
  const { home, platform, env } = places;
  const file = makeFile("user");
  const settings = applicationSettings(places);
  const config = env["XDG_CONFIG_HOME"] ?? join(home, ".config");
  const code = join(settings, "Code", "User");
  const extension = (id: string): [string, ...string[]] => [code, "globalStorage", id, "settings"];
  const goose = platform === "win32" ? join(settings, "Block", "goose", "config") : join(config, "goose");
  return [
    file("claude-code", claudeFile(places)),
    file("claude-desktop", settings, "Claude", "claude_desktop_config.json"),
    file("cursor", home, ".cursor", "mcp.json"),
    file("vscode", code, "mcp.json"),
    file("windsurf", home, ".codeium", "windsurf", "mcp_config.json"),
    file("codex", env["CODEX_HOME"] ?? join(home, ".codex"), "config.toml"),
    file("gemini", home, ".gemini", "settings.json"),
    ...jsonFiles(file, "opencode", config, "opencode", "opencode"),
    file("zed", platform === "win32" ? join(settings, "Zed") : join(config, "zed"), "settings.json"),
    file("copilot-cli", env["COPILOT_HOME"] ?? join(home, ".copilot"), "mcp-config.json"),
    file("qwen", home, ".qwen", "settings.json"),
    file("cline", env["CLINE_DIR"] ?? join(home, ".cline"), "data", "settings", "cline_mcp_settings.json"),
    { ...file("cline", ...extension("saoudrizwan.claude-dev"), "cline_mcp_settings.json"), isOld: true },
    file("roo", ...extension("rooveterinaryinc.roo-cline"), "mcp_settings.json"),
    ...jsonFiles(file, "kilo", config, "kilo", "kilo"),
    { ...file("kilo", ...extension("kilocode.kilo-code"), "mcp_settings.json"), format: "mcp-servers", isOld: true },
    { ...file("continue", home, ".continue", "config.yaml"), format: "continue" },
    ...jsonFiles(file, "amp", home, ".config", "amp", "settings"),
    file("crush", config, "crush", "crush.json"),
    file("goose", goose, "config.yaml"),
    file("junie", home, ".junie", "mcp", "mcp.json"),
  ];
}

function claudeFile({ home, env }: ClientPlaces): string {
  return join(env["CLAUDE_CONFIG_DIR"] ?? home, ".claude.json");
}

/** Where programs of this system keep their settings. */
function applicationSettings({ home, platform, env }: Omit<ClientPlaces, "folder">): string {
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return env["APPDATA"] ?? join(home, "AppData", "Roaming");
  return env["XDG_CONFIG_HOME"] ?? join(home, ".config");
}

/** The key under which each form keeps its servers. */
export const CONTAINERS: Record<ClientFormat, string> = {
  amp: "amp.mcpServers",
  codex: "mcp_servers",
  continue: "mcpServers",
  crush: "mcp",
  gemini: "mcpServers",
  goose: "extensions",
  "mcp-servers": "mcpServers",
  opencode: "mcp",
  vscode: "servers",
  zed: "context_servers",
};

/** The language of a file. */
export function languageOf(format: ClientFormat): "json" | "toml" | "yaml" {
  if (format === "codex") return "toml";
  return format === "continue" || format === "goose" ? "yaml" : "json";
}
