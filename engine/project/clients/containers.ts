import type { ClientFormat } from "./client-files.ts";

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
