import type { Lockfile } from "../lock/lockfile.ts";
import type { RunLimits } from "../run/answer.ts";
import type { JsonValue } from "../json/json.ts";
import type { NamedScript, ScriptEntry } from "./named-scripts.ts";
import type { AuditEntry, AuditSettings, LogSettings, TelemetrySettings } from "./observe-settings.ts";
import type { OAuthSettings } from "./oauth-settings.ts";
import type { Policy } from "./policy-settings.ts";
import type { ProgramServer } from "./program-server.ts";
import type { SandboxEntry } from "./sandbox-settings.ts";
import type { ServeEntry, ServeSettings } from "./serve-settings.ts";

/** Where a configuration comes from when no file is named, in this order. */
export const CONFIG_FILES = ["codemode.config.json", ".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"] as const;

/** `codemode.config.json` as written; `config.schema.json` says the same to editors and checks it. */
export interface ConfigFile {
  $schema?: string;
  mcpServers: { [name: string]: ServerEntry };
  inheritEnv?: string[];
  envFile?: string | string[];
  limits?: Partial<RunLimits>;
  policy?: Partial<Policy>;
  out?: string;
  drift?: DriftPolicy;
  typecheck?: TypecheckMode;
  relistAfterMs?: number;
  /** Output schemas by `serverId/toolName`. */
  outputs?: { [tool: string]: JsonValue };
  scripts?: { [name: string]: ScriptEntry };
  serve?: ServeEntry;
  bundle?: { allow?: string[] };
  learn?: Partial<LearnSettings>;
  types?: Partial<TypesSettings>;
  sandbox?: SandboxEntry;
  telemetry?: Partial<TelemetrySettings>;
  log?: LogSettings;
  audit?: AuditEntry;
}

/** One server as MCP clients write it; placeholders not yet replaced. */
export interface ServerEntry {
  type?: "stdio" | "http" | "sse";
  command?: string;
  args?: string[];
  env?: { [name: string]: string };
  inheritEnv?: string[];
  envFile?: string | string[];
  cwd?: string;
  url?: string;
  headers?: { [name: string]: string };
  oauth?: OAuthSettings;
  roots?: string[];
  tools?: { include?: string[]; exclude?: string[] };
  notSecret?: string[];
  disabled?: boolean;
  timeoutMs?: number;
  idleMs?: number;
}

/** The configuration as the program uses it: defaults filled in, names assigned, placeholders still in place. */
export interface Config {
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
  limits: RunLimits;
  policy: Policy;
  /** The output folder, relative to `folder`. */
  out: string;
  /** Absent where the command decides. */
  drift?: DriftPolicy;
  /** When `serve` type-checks scripts. */
  typecheck: TypecheckMode;
  /** How old the last look at a server's tool list may be when a run begins, in milliseconds. */
  relistAfterMs: number;
  /** Output schemas that replace the servers' own, by `serverId/toolName`; without those of disabled servers. */
  outputs: ReadonlyMap<string, JsonValue>;
  scripts: ReadonlyMap<string, NamedScript>;
  serve: ServeSettings;
  bundle: BundleSettings;
  learn: LearnSettings;
  types: TypesSettings;
  /** As written: what is usual depends on where runs come from. */
  sandbox: SandboxEntry;
  telemetry: TelemetrySettings;
  log: LogSettings;
  /** Absent where there is no audit log. */
  audit?: AuditSettings;
}

/** What is learned of the results of tools. */
export interface LearnSettings {
  /** Whether runs leave shapes of results behind for `codemode learn`. */
  observe: boolean;
}

/**
 * The type of an object whose schema says nothing of further properties: it has the declared ones alone (`closed`), so that a
 * misspelt name is an error, or an index signature too (`index`). Validators accept what the schema accepts either way.
 */
export type OpenObjects = "closed" | "index";

/** What generated types look like. */
export interface TypesSettings {
  openObjects: OpenObjects;
}

/** What scripts may import besides the tools of servers. */
export interface BundleSettings {
  /** Names of packages whose code may become part of a bundle. */
  allow: readonly string[];
}

/**
 * What is done where a live server differs from the lockfile. `review`: names and types follow it, words are withheld, and a person is asked
 * before a call of what is new or changed. `warn`: the answer names it. `refuse`: scripts that use it do not run. `refresh`: it is accepted.
 */
export type DriftPolicy = "review" | "warn" | "refuse" | "refresh";

/**
 * Whether the scripts of agents are type-checked: failed ones, so that the reason is beside the failure (`on-error`), all
 * beside their run (`warn`), or before it, and none with a type error runs (`error`).
 */
export type TypecheckMode = "off" | "on-error" | "warn" | "error";

/** One server to connect to. */
export interface ServerConfig {
  id: string;
  name: string;
  source: ServerSource;
  tools: ToolFilter;
  /** Places of the entry, such as `args[2]`, that hold no secret though they look like it. */
  notSecret?: readonly string[];
  /** For each request, in milliseconds. */
  timeoutMs: number;
  /** How long a connection may stay unused, in milliseconds, as written: without it only connections of a single client end. */
  idleMs?: number;
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

/** Glob patterns over tool names; an empty `include` takes all. */
export interface ToolFilter {
  include: readonly string[];
  exclude: readonly string[];
}

export const DEFAULT_TYPECHECK: TypecheckMode = "on-error";
export const DEFAULT_OUT = "generated";
export const DEFAULT_SERVER_TIMEOUT_MS = 60_000;
export const DEFAULT_IDLE_MS = 300_000;
export const DEFAULT_RELIST_AFTER_MS = 300_000;
