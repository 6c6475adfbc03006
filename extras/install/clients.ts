import { join } from "node:path";
import type { ClientFormat, ClientId, ClientPlaces } from "../../engine/project/clients/client-files.ts";
import type { JsonObject } from "../../schemas/json/json.ts";
import { withoutUndefined } from "../../schemas/json/without-undefined.ts";

/** What `install` has to know of a client beside its files. */
interface Client {
  /** How a project's file names the project folder; absent where it has no word for it. */
  projectWord?: string;
  /** It reads the words of a command as a shell does. */
  usesShell?: true;
  /** How its file refers to a variable; absent where its documents name no way. */
  refer?: Reference;
  /** What its entries hand on by name in a form of their own, without `refer`. */
  passes?: "variables" | "variables and token";
  /** The `type` of an entry that is started, and of one at an address. */
  types?: readonly [local: string | undefined, remote: string | undefined];
  /** The key of an address, `url` unless given; null where the file takes none. */
  urlKey?: "httpUrl" | "serverUrl" | null;
  /** What every entry has beside. */
  more?: JsonObject;
  /** The entry for a server that the client starts, where it is not as the keys above say. */
  toLocal?(server: LocalServer): JsonObject;
  /** The entry for a server at an address, likewise. */
  toRemote?(server: RemoteServer): JsonObject;
  /** Where it looks for skills: below the project, and for the account; absent where it has none. */
  skills?: SkillFolders;
  /** What the user does next. */
  next: string;
  /** What differs where no person answers. */
  headless?: string;
  /** Both after an entry for the account, where they differ: it needs no trust in a folder. */
  ofAccount?: Pick<Client, "next" | "headless">;
}

/** What a client has to start, and which variables it has to pass on. */
interface LocalServer {
  /** The name of the entry. */
  name: string;
  format: ClientFormat;
  command: string;
  args: string[];
  variables: readonly string[];
}

/** What a client has to call. */
interface RemoteServer {
  name: string;
  format: ClientFormat;
  url: string;
  /** The environment variable that holds the bearer token. */
  tokenVariable?: string | undefined;
}

interface SkillFolders {
  project: string;
  user(places: ClientPlaces): string;
}

/** How a file refers to a variable of the environment. */
type Reference = (name: string) => string;

const inBraces: Reference = (name) => `\${${name}}`;
const inEnvBraces: Reference = (name) => `\${env:${name}}`;
const inOpencodeBraces: Reference = (name) => `{env:${name}}`;
const withDollar: Reference = (name) => `$${name}`;
const asSecret: Reference = (name) => `\${{ secrets.${name} }}`;

const skillsAtHome = (project: string, ...path: string[]): SkillFolders => ({
  project,
  user: ({ home }) => join(home, ...path, "skills"),
});
const skillsInConfig = (project: string, folder: string): SkillFolders => ({
  project,
  user: ({ home, env }) => join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), folder, "skills"),
});
const skillsIn = (project: string, variable: string, folder: string): SkillFolders => ({
  project,
  user: ({ home, env }) => join(env[variable] ?? join(home, folder), "skills"),
});

const CODEX_EXEC =
  '`codex exec` refuses calls that may write: allow only @readOnly in the policy, or add default_tools_approval_mode = "approve" to the entry.';

/** An `env` that refers to variables by name; left out where there are none. */
function envOf({ variables }: LocalServer, refer: Reference, key = "env"): JsonObject {
  return ifAny(variables, { [key]: Object.fromEntries(variables.map((name) => [name, refer(name)])) });
}

function ifAny(variables: readonly string[], members: JsonObject): JsonObject {
  return variables.length === 0 ? {} : members;
}

/** The `headers` with the token's variable; left out where there is none. */
function headersOf({ tokenVariable }: RemoteServer, refer: Reference): JsonObject {
  return tokenVariable === undefined ? {} : { headers: { Authorization: `Bearer ${refer(tokenVariable)}` } };
}

/** opencode, and Kilo Code, which is made from it. */
const OPENCODE = {
  refer: inOpencodeBraces,
  toLocal(server: LocalServer): JsonObject {
    const command = [server.command, ...server.args];
    return { type: "local", command, ...envOf(server, inOpencodeBraces, "environment") };
  },
  toRemote: (server: RemoteServer) => ({ type: "remote", url: server.url, ...headersOf(server, inOpencodeBraces) }),
};

/**
 * The facts about each client. Where no other source is named, they come from its documents and were tried with the client itself
 * (docs/clients.md has the versions); where the client could be installed, its folders of skills come from its program.
 */
export const CLIENTS: Record<ClientId, Client> = {
  // ampcode.com/manual: `amp.mcpServers`, ${NAME} in all texts, approval for servers of a workspace.
  amp: {
    refer: inBraces,
    skills: skillsInConfig(".agents/skills", "agents"),
    next: "Restart Amp, and approve the server when it asks: it does so once for servers of a project.",
    ofAccount: { next: "Restart Amp." },
  },
  "claude-code": {
    refer: inBraces,
    types: ["stdio", "http"],
    // In the schema of entries of Claude Code 2.1: without it the model sees a name and no description.
    more: { alwaysLoad: true },
    skills: skillsIn(".claude/skills", "CLAUDE_CONFIG_DIR", ".claude"),
    next: "Restart Claude Code in this project, trust the folder and approve the server once (/mcp shows it).",
    ofAccount: { next: "Restart Claude Code (/mcp shows the server)." },
    headless:
      "`claude -p` silently leaves out a server that was not approved: start `claude -p --mcp-config .mcp.json`.",
  },
  "claude-desktop": { urlKey: null, next: "Quit and restart Claude Desktop." },
  // The schema of entries of Cline CLI 3.0.65: since Cline 3 the transport is an object, and a variable is one with its name.
  cline: {
    passes: "variables",
    toLocal({ command, args, variables }) {
      const env = Object.fromEntries(variables.map((name) => [name, { fromEnv: name }]));
      return { transport: { type: "stdio", command, args }, ...ifAny(variables, { env }) };
    },
    toRemote: ({ url }) => ({ transport: { type: "streamableHttp", url } }),
    skills: skillsAtHome(".cline/skills", ".cline"),
    next: "Restart Cline; it serves the project of this folder in every folder.",
  },
  codex: {
    passes: "variables and token",
    // Without `required` a first request does not wait for a server that needs a second.
    toLocal({ command, args, variables }) {
      return { command, args, ...ifAny(variables, { env_vars: [...variables] }), required: true };
    },
    toRemote({ url, tokenVariable }) {
      return { url, ...withoutUndefined({ bearer_token_env_var: tokenVariable }), required: true };
    },
    skills: skillsIn(".agents/skills", "CODEX_HOME", ".codex"),
    next: "Restart Codex; it reads a project's file only if the project is trusted.",
    headless: CODEX_EXEC,
    ofAccount: { next: "Restart Codex.", headless: CODEX_EXEC },
  },
  // docs.continue.dev, customize/deep-dives/mcp. The project's file is JSON as of Claude Desktop, which Continue translates; the user's is
  // YAML with secrets.
  continue: {
    passes: "variables and token",
    toLocal(server) {
      const { name, format, command, args } = server;
      return format === "continue"
        ? { name, type: "stdio", command, args, ...envOf(server, asSecret) }
        : { type: "stdio", command, args, ...envOf(server, inBraces) };
    },
    toRemote(server) {
      const { name, format, url, tokenVariable } = server;
      if (format !== "continue") return { type: "http", url, ...headersOf(server, inBraces) };
      const requestOptions = tokenVariable === undefined ? undefined : headersOf(server, asSecret);
      return { name, type: "streamable-http", url, ...withoutUndefined({ requestOptions }) };
    },
    skills: skillsAtHome(".continue/skills", ".continue"),
    next: "Reload Continue in your editor. The command `cn` reads the user's file alone: for it, use --user.",
    ofAccount: { next: "Reload Continue in your editor, or start `cn` again." },
  },
  "copilot-cli": {
    refer: inBraces,
    types: ["local", "http"],
    // `deferTools` is a field of entries of Copilot CLI (github/app issue 3172).
    more: { tools: ["*"], deferTools: "never" },
    skills: skillsAtHome(".github/skills", ".copilot"),
    next: "Start Copilot CLI in this folder and trust the folder once: before that it reads no file of a project (/mcp show lists the server).",
    ofAccount: { next: "Restart Copilot CLI (/mcp show lists the server)." },
    headless: "`copilot -p` reads the file only in a folder that was trusted before.",
  },
  // charmbracelet/crush, docs/config: JSON is read beside `crushrc`; texts are expanded as by a shell.
  crush: {
    usesShell: true,
    refer: withDollar,
    types: ["stdio", "http"],
    skills: skillsInConfig(".crush/skills", "crush"),
    next: "Restart Crush in this project.",
    ofAccount: { next: "Restart Crush." },
  },
  // cursor.com/docs, MCP: interpolation of ${env:NAME} and ${workspaceFolder}.
  cursor: {
    projectWord: "${workspaceFolder}",
    refer: inEnvBraces,
    types: ["stdio", undefined],
    skills: skillsAtHome(".cursor/skills", ".cursor"),
    next: "Switch the server on in Cursor's settings under MCP, or restart Cursor.",
  },
  gemini: {
    refer: withDollar,
    urlKey: "httpUrl",
    skills: skillsAtHome(".gemini/skills", ".gemini"),
    next: "Restart Gemini CLI in this folder (/mcp lists the server); in a folder below, it does not read the project's file.",
    ofAccount: { next: "Restart Gemini CLI (/mcp lists the server)." },
  },
  // goose documentation, guides/config-files: it passes the variables of `env_keys` on, and fills them into headers. It gives up on a server
  // after `timeout` seconds.
  goose: {
    passes: "variables and token",
    toLocal({ name, command, args, variables }) {
      const keys = ifAny(variables, { env_keys: [...variables] });
      return { name, type: "stdio", enabled: true, cmd: command, args, ...keys, timeout: 300 };
    },
    toRemote(server) {
      const { name, url, tokenVariable } = server;
      const keys = withoutUndefined({ env_keys: tokenVariable === undefined ? undefined : [tokenVariable] });
      const headers = headersOf(server, inBraces);
      return { name, type: "streamable_http", enabled: true, uri: url, ...headers, ...keys, timeout: 300 };
    },
    skills: skillsInConfig(".agents/skills", "goose"),
    next: "Start a new goose session; it serves the project of this folder in every folder.",
  },
  // junie.jetbrains.com/docs, MCP configuration: no way to refer to variables.
  junie: {
    skills: skillsAtHome(".junie/skills", ".junie"),
    next: "Restart Junie; it asks before each call until its action allowlist has the tool.",
  },
  // kilo.ai/docs, automate/mcp.
  kilo: {
    ...OPENCODE,
    skills: skillsAtHome(".kilo/skills", ".kilo"),
    next: "Restart Kilo Code (`kilo mcp list` shows the server).",
  },
  opencode: {
    ...OPENCODE,
    skills: skillsInConfig(".opencode/skills", "opencode"),
    next: "Start opencode again (`opencode mcp list` shows the server).",
  },
  qwen: {
    refer: withDollar,
    urlKey: "httpUrl",
    skills: skillsAtHome(".qwen/skills", ".qwen"),
    next: "Restart Qwen Code in this folder (/mcp lists the server).",
    ofAccount: { next: "Restart Qwen Code (/mcp lists the server)." },
  },
  // RooCodeInc/Roo-Code, src/utils/config.ts: ${env:NAME} and ${workspaceFolder} in all texts.
  roo: {
    projectWord: "${workspaceFolder}",
    refer: inEnvBraces,
    types: [undefined, "streamable-http"],
    skills: skillsAtHome(".roo/skills", ".roo"),
    next: "Roo Code starts the server as soon as the file is saved, if MCP servers are enabled in its settings.",
  },
  vscode: {
    projectWord: "${workspaceFolder}",
    refer: inEnvBraces,
    types: ["stdio", "http"],
    skills: skillsAtHome(".github/skills", ".copilot"),
    next: "Run “MCP: List Servers” in VS Code and start the server; it asks once whether you trust it.",
  },
  // docs.windsurf.com, Cascade MCP: ${env:NAME} in command, args, env, serverUrl and headers.
  windsurf: {
    refer: inEnvBraces,
    urlKey: "serverUrl",
    skills: skillsAtHome(".windsurf/skills", ".codeium", "windsurf"),
    next: "Refresh the MCP servers in Windsurf's settings, or restart Windsurf.",
  },
  zed: {
    toLocal: ({ command, args }) => ({ command, args, env: {} }),
    next: "Zed starts the server as soon as the file is saved; see the agent panel's settings.",
  },
};

/** The entry for a server that a client starts. */
export function toLocalEntry(client: ClientId, server: LocalServer): JsonObject {
  const { refer, types, more, toLocal } = CLIENTS[client];
  if (toLocal !== undefined) return toLocal(server);
  const { command, args } = server;
  const env = refer === undefined ? {} : envOf(server, refer);
  return { ...withoutUndefined({ type: types?.[0] }), command, args, ...env, ...more };
}

/** The entry for a server at an address; undefined where the client's file takes none. */
export function toRemoteEntry(client: ClientId, server: RemoteServer): JsonObject | undefined {
  const { refer, types, urlKey = "url", more, toRemote } = CLIENTS[client];
  if (toRemote !== undefined) return toRemote(server);
  if (urlKey === null) return undefined;
  const headers = refer === undefined ? {} : headersOf(server, refer);
  return { ...withoutUndefined({ type: types?.[1] }), [urlKey]: server.url, ...headers, ...more };
}

/** Whether entries hand variables on by their names. */
export function passesVariables(client: ClientId): boolean {
  return CLIENTS[client].refer !== undefined || CLIENTS[client].passes !== undefined;
}

/** Whether an entry at an address refers to the token's variable: a client that fills in no variables needs the header by hand. */
export function passesToken(client: ClientId): boolean {
  return CLIENTS[client].refer !== undefined || CLIENTS[client].passes === "variables and token";
}
