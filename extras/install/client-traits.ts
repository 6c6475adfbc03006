import { withoutUndefined } from "../../schemas/json/without-undefined.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import type { ClientId } from "../../engine/project/clients/client-files.ts";
import {
  envOf,
  headersOf,
  inBraces,
  inEnvBraces,
  type LocalServer,
  type RemoteServer,
  toClineLocal,
  toContinueLocal,
  toContinueRemote,
  toGooseLocal,
  toGooseRemote,
  toOpencodeLocal,
  toOpencodeRemote,
  withDollar,
} from "./entry-forms.ts";

/** What `install` has to know of a client beside its files. */
export interface ClientTraits {
  /** How a project's file names the project folder; absent where it has no word for it. */
  projectWord?: string | undefined;
  /** It reads the words of a command as a shell does. */
  usesShell?: true | undefined;
  /** The entry for a server that the client starts. */
  toLocal(server: LocalServer): JsonObject;
  /** The entry for a server at an address; undefined where the file takes none. */
  toRemote(server: RemoteServer): JsonObject | undefined;
  /** Whether `toLocal` hands variables on by their names. */
  passesVariables: boolean;
  /** Whether `toRemote` refers to the token's variable: a client that fills in no variables needs the header by hand. */
  passesToken: boolean;
  /** What the user does next. */
  next: string;
  /** What differs where no person answers. */
  headless?: string | undefined;
}

/** For clients whose documents name no way to refer to a variable in a header. */
const withoutToken = ({ url }: RemoteServer): JsonObject => ({ url });

/**
 * The facts about each client. Where no other source is named, they come from its documents and were tried with the client itself
 * (docs/clients.md has the versions).
 */
export const CLIENT_TRAITS: Record<ClientId, ClientTraits> = {
  // ampcode.com/manual: `amp.mcpServers`, ${NAME} in all texts, approval for servers of a workspace.
  amp: {
    passesVariables: true,
    passesToken: true,
    toLocal: (server) => ({ command: server.command, args: server.args, ...envOf(server, inBraces) }),
    toRemote: (server) => ({ url: server.url, ...headersOf(server, inBraces) }),
    next: "Restart Amp, and approve the server when it asks: it does so once for servers of a project.",
  },
  "claude-code": {
    passesVariables: true,
    passesToken: true,
    // `alwaysLoad` is in the schema of entries of Claude Code 2.1: without it the model sees a name and no description.
    toLocal: (server) => ({
      type: "stdio",
      command: server.command,
      args: server.args,
      ...envOf(server, inBraces),
      alwaysLoad: true,
    }),
    toRemote: (server) => ({ type: "http", url: server.url, ...headersOf(server, inBraces), alwaysLoad: true }),
    next: "Restart Claude Code in this project, trust the folder and approve the server once (/mcp shows it).",
    headless:
      "`claude -p` silently leaves out a server that was not approved: start `claude -p --mcp-config .mcp.json`.",
  },
  "claude-desktop": {
    passesVariables: false,
    passesToken: false,
    toLocal: ({ command, args }) => ({ command, args }),
    toRemote: () => undefined,
    next: "Quit and restart Claude Desktop.",
  },
  // The schema of entries of Cline CLI 3.0.65.
  cline: {
    passesVariables: true,
    passesToken: false,
    toLocal: toClineLocal,
    toRemote: ({ url }) => ({ transport: { type: "streamableHttp", url } }),
    next: "Restart Cline; it serves the project of this folder in every folder.",
  },
  codex: {
    passesVariables: true,
    passesToken: true,
    // Without `required` a first request does not wait for a server that needs a second.
    toLocal: ({ command, args, variables }) => ({
      command,
      args,
      ...withoutUndefined({ env_vars: variables.length === 0 ? undefined : [...variables] }),
      required: true,
    }),
    toRemote: ({ url, tokenVariable }) => ({
      url,
      ...withoutUndefined({ bearer_token_env_var: tokenVariable }),
      required: true,
    }),
    next: "Restart Codex; it reads a project's file only if the project is trusted.",
    headless:
      '`codex exec` refuses calls that may write: allow only @readOnly in the policy, or add default_tools_approval_mode = "approve" to the entry.',
  },
  // docs.continue.dev, customize/deep-dives/mcp.
  continue: {
    passesVariables: true,
    passesToken: true,
    toLocal: toContinueLocal,
    toRemote: toContinueRemote,
    next: "Reload Continue in your editor. The command `cn` reads the user's file alone: for it, use --user.",
  },
  "copilot-cli": {
    passesVariables: true,
    passesToken: true,
    // `deferTools` is a field of entries of Copilot CLI (github/app issue 3172).
    toLocal: (server) => ({
      type: "local",
      command: server.command,
      args: server.args,
      ...envOf(server, inBraces),
      tools: ["*"],
      deferTools: "never",
    }),
    toRemote: (server) => ({
      type: "http",
      url: server.url,
      ...headersOf(server, inBraces),
      tools: ["*"],
      deferTools: "never",
    }),
    next: "Start Copilot CLI in this folder and trust the folder once: before that it reads no file of a project (/mcp show lists the server).",
    headless: "`copilot -p` reads the file only in a folder that was trusted before.",
  },
  // charmbracelet/crush, docs/config: JSON is read beside `crushrc`; texts are expanded as by a shell.
  crush: {
    usesShell: true,
    passesVariables: true,
    passesToken: true,
    toLocal: (server) => ({
      type: "stdio",
      command: server.command,
      args: server.args,
      ...envOf(server, withDollar),
    }),
    toRemote: (server) => ({ type: "http", url: server.url, ...headersOf(server, withDollar) }),
    next: "Restart Crush in this project.",
  },
  // cursor.com/docs, MCP: interpolation of ${env:NAME} and ${workspaceFolder}.
  cursor: {
    projectWord: "${workspaceFolder}",
    passesVariables: true,
    passesToken: true,
    toLocal: (server) => ({
      type: "stdio",
      command: server.command,
      args: server.args,
      ...envOf(server, inEnvBraces),
    }),
    toRemote: (server) => ({ url: server.url, ...headersOf(server, inEnvBraces) }),
    next: "Switch the server on in Cursor's settings under MCP, or restart Cursor.",
  },
  gemini: {
    passesVariables: true,
    passesToken: true,
    toLocal: (server) => ({ command: server.command, args: server.args, ...envOf(server, withDollar) }),
    toRemote: (server) => ({ httpUrl: server.url, ...headersOf(server, withDollar) }),
    next: "Restart Gemini CLI in this folder (/mcp lists the server); in a folder below, it does not read the project's file.",
  },
  // goose documentation, guides/config-files.
  goose: {
    passesVariables: true,
    passesToken: true,
    toLocal: toGooseLocal,
    toRemote: toGooseRemote,
    next: "Start a new goose session; it serves the project of this folder in every folder.",
  },
  // junie.jetbrains.com/docs, MCP configuration: no way to refer to variables.
  junie: {
    passesVariables: false,
    passesToken: false,
    toLocal: ({ command, args }) => ({ command, args }),
    toRemote: withoutToken,
    next: "Restart Junie; it asks before each call until its action allowlist has the tool.",
  },
  // kilo.ai/docs, automate/mcp.
  kilo: {
    passesVariables: true,
    passesToken: true,
    toLocal: toOpencodeLocal,
    toRemote: toOpencodeRemote,
    next: "Restart Kilo Code (`kilo mcp list` shows the server).",
  },
  opencode: {
    passesVariables: true,
    passesToken: true,
    toLocal: toOpencodeLocal,
    toRemote: toOpencodeRemote,
    next: "Start opencode again (`opencode mcp list` shows the server).",
  },
  qwen: {
    passesVariables: true,
    passesToken: true,
    toLocal: (server) => ({ command: server.command, args: server.args, ...envOf(server, withDollar) }),
    toRemote: (server) => ({ httpUrl: server.url, ...headersOf(server, withDollar) }),
    next: "Restart Qwen Code in this folder (/mcp lists the server).",
  },
  // RooCodeInc/Roo-Code, src/utils/config.ts: ${env:NAME} and ${workspaceFolder} in all texts.
  roo: {
    projectWord: "${workspaceFolder}",
    passesVariables: true,
    passesToken: true,
    toLocal: (server) => ({ command: server.command, args: server.args, ...envOf(server, inEnvBraces) }),
    toRemote: (server) => ({ type: "streamable-http", url: server.url, ...headersOf(server, inEnvBraces) }),
    next: "Roo Code starts the server as soon as the file is saved, if MCP servers are enabled in its settings.",
  },
  vscode: {
    projectWord: "${workspaceFolder}",
    passesVariables: true,
    passesToken: true,
    toLocal: (server) => ({
      type: "stdio",
      command: server.command,
      args: server.args,
      ...envOf(server, inEnvBraces),
    }),
    toRemote: (server) => ({ type: "http", url: server.url, ...headersOf(server, inEnvBraces) }),
    next: "Run “MCP: List Servers” in VS Code and start the server; it asks once whether you trust it.",
  },
  // docs.windsurf.com, Cascade MCP: ${env:NAME} in command, args, env, serverUrl and headers.
  windsurf: {
    passesVariables: true,
    passesToken: true,
    toLocal: (server) => ({ command: server.command, args: server.args, ...envOf(server, inEnvBraces) }),
    toRemote: (server) => ({ serverUrl: server.url, ...headersOf(server, inEnvBraces) }),
    next: "Refresh the MCP servers in Windsurf's settings, or restart Windsurf.",
  },
  zed: {
    passesVariables: false,
    passesToken: false,
    toLocal: ({ command, args }) => ({ command, args, env: {} }),
    toRemote: withoutToken,
    next: "Zed starts the server as soon as the file is saved; see the agent panel's settings.",
  },
};
