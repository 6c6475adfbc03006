import type { JsonObject } from "../../../schemas/json/json.ts";
import type { ClientId } from "../clients/client-files.ts";

/** What a client has to start, and which variables it has to pass on. */
export interface ServeCommand {
  command: string;
  args: string[];
  variables: readonly string[];
}

/** What `install` has to know of a client beside its files. */
export interface ClientTraits {
  /** Whether it works with a tool that is called `codemode.run`. */
  acceptsDots: boolean;
  /** How a project's file names the project folder; `.` where the client starts servers there. */
  projectWord: string;
  /** The entry for a server that the client starts. */
  toLocal(start: ServeCommand): JsonObject;
  /** The entry for a server at an address; undefined where the file takes none. */
  toRemote(url: string): JsonObject | undefined;
  /** Whether `toLocal` hands variables on by their names. */
  passesVariables: boolean;
  /** What the user does next. */
  next: string;
}

/** An `env` that refers to variables by name, in the client's way of writing that; left out where there are none. */
function refer(key: string, variables: readonly string[], write: (name: string) => string): JsonObject {
  if (variables.length === 0) return {};
  return { [key]: Object.fromEntries(variables.map((name) => [name, write(name)])) };
}

const inBraces = (name: string): string => `\${${name}}`;
const inEnvBraces = (name: string): string => `\${env:${name}}`;

/** The facts about each client. */
export const CLIENT_TRAITS: Record<ClientId, ClientTraits> = {
  "claude-code": {
    acceptsDots: true,
    projectWord: ".",
    passesVariables: true,
    toLocal: ({ command, args, variables }) => ({ type: "stdio", command, args, ...refer("env", variables, inBraces) }),
    toRemote: (url) => ({ type: "http", url }),
    next: "Restart Claude Code in this project; it asks once whether it may use the server (/mcp shows it).",
  },
  "claude-desktop": {
    acceptsDots: false,
    projectWord: ".",
    passesVariables: false,
    toLocal: ({ command, args }) => ({ command, args }),
    toRemote: () => undefined,
    next: "Quit and restart Claude Desktop.",
  },
  codex: {
    acceptsDots: true,
    projectWord: ".",
    passesVariables: true,
    toLocal: ({ command, args, variables }) => ({
      command,
      args,
      ...(variables.length === 0 ? {} : { env_vars: [...variables] }),
    }),
    toRemote: (url) => ({ url }),
    next: "Restart Codex; it reads a project's file only if the project is trusted.",
  },
  "copilot-cli": {
    acceptsDots: false,
    projectWord: ".",
    passesVariables: true,
    toLocal: ({ command, args, variables }) => ({
      type: "local",
      command,
      args,
      ...refer("env", variables, inBraces),
      tools: ["*"],
    }),
    toRemote: (url) => ({ type: "http", url, tools: ["*"] }),
    next: "Restart Copilot CLI (/mcp show lists the server).",
  },
  cursor: {
    acceptsDots: false,
    projectWord: "${workspaceFolder}",
    passesVariables: true,
    toLocal: ({ command, args, variables }) => ({
      type: "stdio",
      command,
      args,
      ...refer("env", variables, inEnvBraces),
    }),
    toRemote: (url) => ({ url }),
    next: "Switch the server on in Cursor's settings under MCP, or restart Cursor.",
  },
  gemini: {
    acceptsDots: true,
    projectWord: ".",
    passesVariables: true,
    toLocal: ({ command, args, variables }) => ({ command, args, ...refer("env", variables, (name) => `$${name}`) }),
    toRemote: (url) => ({ httpUrl: url }),
    next: "Restart Gemini CLI (/mcp lists the server).",
  },
  opencode: {
    acceptsDots: true,
    projectWord: ".",
    passesVariables: true,
    toLocal: ({ command, args, variables }) => ({
      type: "local",
      command: [command, ...args],
      ...refer("environment", variables, (name) => `{env:${name}}`),
    }),
    toRemote: (url) => ({ type: "remote", url }),
    next: "Start opencode again.",
  },
  vscode: {
    // It works there, but with a warning at each start.
    acceptsDots: false,
    projectWord: "${workspaceFolder}",
    passesVariables: true,
    toLocal: ({ command, args, variables }) => ({
      type: "stdio",
      command,
      args,
      ...refer("env", variables, inEnvBraces),
    }),
    toRemote: (url) => ({ type: "http", url }),
    next: "Run “MCP: List Servers” in VS Code and start the server; it asks once whether you trust it.",
  },
  windsurf: {
    acceptsDots: false,
    projectWord: ".",
    passesVariables: true,
    toLocal: ({ command, args, variables }) => ({ command, args, ...refer("env", variables, inEnvBraces) }),
    toRemote: (url) => ({ serverUrl: url }),
    next: "Refresh the MCP servers in Windsurf's settings, or restart Windsurf.",
  },
  zed: {
    acceptsDots: false,
    projectWord: ".",
    passesVariables: false,
    toLocal: ({ command, args }) => ({ command, args, env: {} }),
    toRemote: (url) => ({ url }),
    next: "Zed starts the server as soon as the file is saved; see the agent panel's settings.",
  },
};
