import type { Integrity } from "./integrity.ts";
import type { ProtocolEra } from "./server-snapshot.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";

/** The format of `codemode.lock.json` that this version writes and reads. */
export const LOCKFILE_VERSION = 1;

/** The accepted snapshots of all servers, in memory. Its text form is `formatLockfile`'s. */
export interface Lockfile {
  /** Keyed by `serverId`; a Map, because ids such as `constructor` are legal. */
  servers: ReadonlyMap<string, LockedServer>;
}

/** What was accepted of one server. */
export interface LockedServer {
  id: string;
  /** The name in the configuration, before normalization. */
  name: string;
  source: LockedSource;
  serverInfo: JsonObject;
  /** The negotiated MCP revision, for instance `2025-11-25`. */
  protocolVersion: string;
  /** `modern` speaks without `initialize` (2026-07-28 and later). */
  era: ProtocolEra;
  capabilities: JsonObject;
  /** What codemode declared of itself: the tool list of a real server depends on it. */
  clientCapabilities: JsonObject;
  instructions?: string;
  integrity: Integrity;
  /** Set where the configuration asks for it, so that the same lockfile gives the same types; `closed` unless set. */
  openObjects?: "index";
  /** Sorted by `name`. */
  tools: readonly LockedTool[];
  /**
   * Its resources and prompts as what scripts call: `list`, `read`, and a function for each resource template and each prompt. Of the same form
   * as tools, with names that no tool has (`resource:…`, `prompt:…`), sorted by `name`. Absent where the server offers none.
   */
  resources?: readonly LockedTool[];
  prompts?: readonly LockedTool[];
  /** Set if tools are left out for a client that may not call them; `integrity` still covers all tools. Never in a file. */
  isPartial?: true;
  /** Where its package lies if the project's own package is of another entry: an absolute path. Never in a file. */
  packageFolder?: string;
}

/** How a server is reached, as written in the configuration; values of variables, headers and queries are never kept. */
export type LockedSource =
  | {
      transport: "stdio";
      command: string;
      args: readonly string[];
      env: readonly string[];
      /** Names of variables that it gets as they are. */
      inheritEnv?: readonly string[];
      cwd?: string;
      package?: LockedPackage;
    }
  | { transport: "http" | "sse"; url: string; headers: readonly string[] }
  | { transport: "program" };

/** The package that `npx`, `uvx` and the like fetched and started. */
export interface LockedPackage {
  name: string;
  /** The version that ran, where it could be found. */
  version?: string;
  /** What the registry says of that version (Subresource Integrity), where npm has kept it. */
  integrity?: string;
  /** True where the command names no exact version: the next start may run another one. */
  floats: boolean;
}

/** What was accepted of one tool. Schemas are kept as they came on the wire, unknown keys and mistakes included. */
export interface LockedTool {
  /** The canonical MCP tool name. */
  name: string;
  /** The JavaScript identifier (specification 6.1). */
  exportName: string;
  /** What the server calls a resource template, of which `exportName` is made; its `name` is `resource:` and the template. */
  templateName?: string;
  title?: string;
  description?: string;
  /** Absent where the server sent none. Hostile: it may be no schema at all. */
  inputSchema?: JsonValue;
  outputSchema?: JsonValue;
  /** Set if `outputSchema` comes from the configuration instead of the server; it describes the return value of the binding. */
  outputSchemaFrom?: "configuration";
  annotations?: JsonValue;
  /** What results looked like, in the form of `formatObserved`. The server does not promise it: `integrity` leaves it out. */
  observed?: JsonObject;
  /**
   * Set if the server has added or changed it since it was locked: the words are left out, `integrity` covers the whole definition,
   * and these claims count for the policy. Never in a file.
   */
  pending?: Claims;
  integrity: Integrity;
}

/** What a server claims of a tool (MCP, ToolAnnotations), as a policy can name it. */
export type Claims = Readonly<Record<"readOnly" | "destructive" | "idempotent" | "openWorld", boolean>>;
