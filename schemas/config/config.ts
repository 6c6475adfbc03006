import type { Lockfile } from "../lock/lockfile.ts";
import type { FilledConfig, OAuthSettings, SandboxEntry, ServerEntry, ToolFilter } from "./config-file.ts";
import type { JsonValue } from "../json/json.ts";
import type { NamedScript } from "./named-scripts.ts";
import type { ProgramServer } from "./program-server.ts";
import type { ServeSettings } from "./serve-settings.ts";

/** Where a configuration comes from when no file is named, in this order. */
export const CONFIG_FILES = ["codemode.config.json", ".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"] as const;

/** Keys of the file that have another form in `Config`. */
type Replaced = "$schema" | "mcpServers" | "inheritEnv" | "envFile" | "outputs" | "scripts" | "serve";

/** The configuration as the program uses it: defaults filled in, names assigned, placeholders still in place. */
export interface Config extends Omit<FilledConfig, Replaced> {
  /** The file it was read from. */
  file: string;
  /** The project folder: lockfile, output and relative paths belong to it. */
  folder: string;
  /** Where the lockfile is that has no file: then nothing of a folder is read or written. */
  memory?: { lockfile: Lockfile | undefined; keepsRuns?: boolean };
  /** In the order of the file, without disabled ones. */
  servers: readonly ServerConfig[];
  /** The servers of the program itself. Connections and the lock know them beside the configured ones; there is nothing to trust or to fill in. */
  own?: readonly OwnServerConfig[];
  /** Files of variables for placeholders, as written. Their values are in no value of the configuration. */
  envFile?: readonly string[];
  /** The user vouches for it, for one command: no approval of the account is looked up. */
  isTrusted?: boolean;
  /** Keys of its entries that other clients know and that have no effect here, as `server.key`. */
  ignoredKeys?: readonly string[];
  /** Output schemas that replace the servers' own, by `serverId/toolName`; without those of disabled servers. */
  outputs: ReadonlyMap<string, JsonValue>;
  scripts: ReadonlyMap<string, NamedScript>;
  serve: ServeSettings;
  /** As written: what is usual depends on where runs come from. */
  sandbox: SandboxEntry;
  log: NonNullable<FilledConfig["log"]>;
}

/** One server to connect to. */
export interface ServerConfig extends Pick<ServerEntry, "notSecret" | "idleMs"> {
  id: string;
  name: string;
  source: ServerSource;
  tools: ToolFilter;
  /** For each request, in milliseconds. */
  timeoutMs: number;
}

/** A server of the program that opens the project, which no configuration can name. */
export interface OwnServerConfig extends Omit<ServerConfig, "source"> {
  source: { transport: "program"; program: ProgramServer };
}

/** How a server is reached, as written: a program or an address. Values of `env` and `headers` may be secrets: they stay out of every file. */
export type ServerSource = {
  /** Files of variables that are the server's own, as written. */
  envFile?: readonly string[];
} & (
  | {
      transport: "stdio";
      command: string;
      args: readonly string[];
      env: ReadonlyMap<string, string>;
      /** Names of variables that it gets as they are, each once and sorted. */
      inheritEnv?: readonly string[];
      cwd?: string;
      roots?: readonly string[];
    }
  | {
      transport: "http" | "sse";
      url: string;
      headers: ReadonlyMap<string, string>;
      oauth?: OAuthSettings;
      /** The folders that the server may know of, relative to the project folder. */
      roots?: readonly string[];
    }
);
