/// <reference lib="esnext.disposable" preserve="true" />

/** A server that is a program speaking MCP over its stdin and stdout. */
export interface StdioServer {
  command: string;
  args?: readonly string[];
  /** The program gets these variables and a documented list of harmless ones, nothing else of this process's environment. */
  env?: Readonly<Record<string, string>>;
  /** Names of further variables that it gets as they are. */
  inheritEnv?: readonly string[];
  /** A file of variables (`NAME=value`), or several, relative to the project folder: for placeholders and for the program. */
  envFile?: string | readonly string[];
  /** Relative to the project folder. */
  cwd?: string;
  /** Folders that the server learns of if it asks for its roots, relative to the project folder. */
  roots?: readonly string[];
  /** For each request, in milliseconds; 60,000 unless given. */
  timeoutMs?: number;
}

/** A server at a URL: streamable HTTP, or the older HTTP with SSE. */
export interface HttpServer {
  type?: "http" | "sse";
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** As for programs, but for placeholders alone. */
  envFile?: string | readonly string[];
  /** As for programs. */
  roots?: readonly string[];
  /** For each request, in milliseconds; 60,000 unless given. */
  timeoutMs?: number;
}

/**
 * What to do where the server's tool is no longer the one that its binding was generated from: warn once
 * (`process.emitWarning`, code `CODEMODE_DRIFT`), refuse to call it (`ToolCallError`), or not look at all.
 */
export type DriftMode = "warn" | "refuse" | "ignore";

/** Performs a call over a connection of your own and gives the result of `tools/call` as it came. */
export type PerformCall = (call: { serverId: string; toolName: string; input: unknown }) => Promise<object>;

/** How to reach servers. */
export type ConnectOptions =
  | {
      /** Servers by name; `${NAME}` and `${NAME:-default}` are replaced from the environment. Node only. */
      servers: Readonly<Record<string, StdioServer | HttpServer>>;
      drift?: DriftMode;
    }
  | {
      /** A configuration file such as `codemode.config.json` or `.mcp.json`. Node only. */
      config: string;
      drift?: DriftMode;
    }
  | {
      /** A connection of the caller, for example in a browser. */
      call: PerformCall;
    };

/** What `connect` has set up; bindings use it until it is closed. */
export interface Connection extends AsyncDisposable, Disposable {
  /** Ends the connections; no child process is left when it resolves. */
  close(): Promise<void>;
}
