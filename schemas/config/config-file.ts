// Printed from config.schema.json by scripts/build-config-types.js: change the schema.
/* oxlint-disable max-lines -- It is as long as the schema. */

import type { JsonObject } from "../json/json.ts";

/** The servers, limits and policy of a codemode project. */
export interface ConfigFile {
  /** The schema of this file, for editors. */
  $schema?: string;
  /** The MCP servers, in the form that MCP clients share. ${NAME}, ${NAME:-default} and ${env:NAME} are replaced from the environment, ${workspaceFolder} and ${userHome} by those folders, in command, args, env, cwd, url and headers. */
  mcpServers: {
    [k: string]: ServerEntry;
  };
  /** Names of environment variables that every stdio server inherits, in addition to the standard ones. */
  inheritEnv?: readonly string[];
  /** A file of variables (NAME=value), or several, relative to this file, for the placeholders of the whole configuration. The environment wins over a file, and a server's own file over this one. */
  envFile?: string | readonly string[];
  limits?: LimitsEntry;
  policy?: PolicyEntry;
  typecheck?: TypecheckMode;
  drift?: DriftPolicy;
  /** The maximum age of a server's tool list at the start of a run, in milliseconds. For servers that change without an announcement. */
  relistAfterMs?: number;
  /** Output schemas (JSON Schema) by serverId/toolName. Each replaces the output schema of the server. */
  outputs?: {
    [k: string]: JsonObject | boolean;
  };
  /** What is learned of the results of tools. */
  learn?: {
    /** Whether `serve` and `run` leave the shapes of results behind for `codemode learn`: types and names of fields, never a value. */
    observe?: boolean;
  };
  /** What generated types look like. */
  types?: {
    openObjects?: OpenObjects;
  };
  /** Imports that scripts may use besides the tools of servers. */
  bundle?: {
    /** Names of installed packages that scripts of people and agents may import: pure JavaScript in ES modules. */
    allow?: readonly string[];
  };
  sandbox?: SandboxEntry;
  /** Data for an OpenTelemetry SDK that is loaded together with codemode. */
  telemetry?: {
    /** Whether spans contain the arguments and results of tools, masked and truncated. They may contain any data of your servers. */
    payloads?: boolean;
  };
  /** Scripts by name: codemode run NAME runs them, and agents of codemode serve run them without sending code. */
  scripts?: {
    [k: string]: ScriptEntry;
  };
  serve?: ServeEntry;
  /** What codemode serve logs to standard error. */
  log?: {
    level?: LogThreshold;
  };
  audit?: AuditEntry;
  /** The folder of the generated package, relative to this file. */
  out?: string;
}

/** The servers, limits and policy of a codemode project. */
export interface FilledConfig {
  /** The schema of this file, for editors. */
  $schema?: string;
  /** The MCP servers, in the form that MCP clients share. ${NAME}, ${NAME:-default} and ${env:NAME} are replaced from the environment, ${workspaceFolder} and ${userHome} by those folders, in command, args, env, cwd, url and headers. */
  mcpServers: {
    [k: string]: ServerEntry;
  };
  /** Names of environment variables that every stdio server inherits, in addition to the standard ones. */
  inheritEnv?: readonly string[];
  /** A file of variables (NAME=value), or several, relative to this file, for the placeholders of the whole configuration. The environment wins over a file, and a server's own file over this one. */
  envFile?: string | readonly string[];
  limits: RunLimits;
  policy: Policy;
  typecheck: TypecheckMode;
  drift?: DriftPolicy;
  /** The maximum age of a server's tool list at the start of a run, in milliseconds. For servers that change without an announcement. */
  relistAfterMs: number;
  /** Output schemas (JSON Schema) by serverId/toolName. Each replaces the output schema of the server. */
  outputs?: {
    [k: string]: JsonObject | boolean;
  };
  /** What is learned of the results of tools. */
  learn: {
    /** Whether `serve` and `run` leave the shapes of results behind for `codemode learn`: types and names of fields, never a value. */
    observe: boolean;
  };
  /** What generated types look like. */
  types: {
    openObjects: OpenObjects;
  };
  /** Imports that scripts may use besides the tools of servers. */
  bundle: {
    /** Names of installed packages that scripts of people and agents may import: pure JavaScript in ES modules. */
    allow: readonly string[];
  };
  sandbox: SandboxEntry;
  /** Data for an OpenTelemetry SDK that is loaded together with codemode. */
  telemetry: {
    /** Whether spans contain the arguments and results of tools, masked and truncated. They may contain any data of your servers. */
    payloads: boolean;
  };
  /** Scripts by name: codemode run NAME runs them, and agents of codemode serve run them without sending code. */
  scripts?: {
    [k: string]: ScriptEntry;
  };
  serve: FilledServe;
  /** What codemode serve logs to standard error. */
  log?: {
    level?: LogThreshold;
  };
  audit?: FilledAudit;
  /** The folder of the generated package, relative to this file. */
  out: string;
}

export interface ServerEntry {
  /** stdio by default with command, http with url. */
  type?: "stdio" | "http" | "sse";
  /** The program to start. */
  command?: string;
  /** Its arguments. */
  args?: readonly string[];
  /** Its environment variables. Write secrets as ${NAME}; the lockfile keeps the names only. */
  env?: {
    [k: string]: string;
  };
  /** Names of environment variables that it inherits, in addition to the ones that all servers get. */
  inheritEnv?: readonly string[];
  /** A file of variables (NAME=value), or several, relative to this file: for its placeholders, and for the environment of its program. */
  envFile?: string | readonly string[];
  /** Its working folder, relative to this file (default: the folder of this file). */
  cwd?: string;
  /** The address of a remote server. */
  url?: string;
  /** HTTP headers for a remote server. Write secrets as ${NAME}. */
  headers?: {
    [k: string]: string;
  };
  oauth?: OAuthSettings;
  tools?: ToolFilterEntry;
  /** Folders that the server learns of if it asks for its roots, relative to the project folder. Placeholders are replaced. */
  roots?: readonly string[];
  /** Places of this entry that look like a secret but are not, such as args[2], env.NAME, headers.NAME or url: no warning, no masking. */
  notSecret?: readonly string[];
  /** Leaves the server out. */
  disabled?: boolean;
  /** The time limit of each request to the server, in milliseconds. */
  timeoutMs?: number;
  /** How long a connection may stay unused before it ends, in milliseconds. The default is for one that belongs to one client of serve --http; one that all clients share stays open unless this key is given. */
  idleMs?: number;
}

/** How codemode gets tokens for a remote server, and what its authorization server does not announce. */
export interface OAuthSettings {
  grant?: OAuthGrant;
  /** The authorization server, as its metadata names it: credentials go to no other one. Required unless a person logs in. */
  issuer?: string;
  /** The id of a manually registered client. */
  clientId?: string;
  /** Its secret. Write it as ${NAME}. */
  clientSecret?: string;
  /** Its private key (PEM or JWK) instead of a secret, for client_credentials. Write it as ${NAME}. */
  privateKey?: string;
  /** The file of that key, relative to this file. */
  privateKeyFile?: string;
  /** The token of the workload, for jwt_bearer. Write it as ${NAME}. */
  assertion?: string;
  /** The file of that token, relative to this file. It is read for each login. */
  assertionFile?: string;
  /** The identity provider that exchanges the ID token, for token_exchange. */
  idpIssuer?: string;
  /** Its token endpoint instead, for an identity provider whose metadata is incomplete. */
  idpTokenEndpoint?: string;
  /** The id of this client at the identity provider. */
  idpClientId?: string;
  /** Its secret at the identity provider. Write it as ${NAME}. */
  idpClientSecret?: string;
  /** The ID token of the user. Write it as ${NAME}. */
  idToken?: string;
  /** The file of that ID token, relative to this file. It is read for each login. */
  idTokenFile?: string;
  /** An https URL that serves a client ID metadata document. */
  clientMetadataUrl?: string;
  /** Scopes, separated by spaces, instead of the scopes that the server requests. */
  scope?: string;
  /** Whether tokens are bound to a key of this account (DPoP, RFC 9449), so that a stolen token is of no use. Authorization server and server must support it. */
  dpop?: boolean;
}

/** Who logs in: a person (authorization_code, the default), this client with a secret or key (client_credentials), a workload with its token (jwt_bearer), or a user of an enterprise with an ID token (token_exchange). */
export type OAuthGrant = "authorization_code" | "client_credentials" | "jwt_bearer" | "token_exchange";

/** Selects the tools of the server: glob patterns over tool names. */
export interface ToolFilterEntry {
  /** Only these tools; an empty list means all. */
  include?: readonly string[];
  /** Without these tools. */
  exclude?: readonly string[];
}

/** Selects the tools of the server: glob patterns over tool names. */
export interface ToolFilter {
  /** Only these tools; an empty list means all. */
  include: readonly string[];
  /** Without these tools. */
  exclude: readonly string[];
}

/** What bounds a run, unless the command line says otherwise. */
export interface LimitsEntry {
  /** Wall-clock time of a run, in milliseconds. */
  timeoutMs?: number;
  /** Memory that the script may use, in bytes: heap, buffers and strings together. */
  maxMemoryBytes?: number;
  /** Console output that is kept, in bytes. */
  maxLogBytes?: number;
  /** How many tool calls a run may make. */
  maxToolCalls?: number;
  /** Size of the result as JSON, in bytes. */
  maxResultBytes?: number;
}

/** What bounds a run, unless the command line says otherwise. */
export interface RunLimits {
  /** Wall-clock time of a run, in milliseconds. */
  timeoutMs: number;
  /** Memory that the script may use, in bytes: heap, buffers and strings together. */
  maxMemoryBytes: number;
  /** Console output that is kept, in bytes. */
  maxLogBytes: number;
  /** How many tool calls a run may make. */
  maxToolCalls: number;
  /** Size of the result as JSON, in bytes. */
  maxResultBytes: number;
}

/** Each pattern is a glob over serverId/toolName, serverId/resource:URI or serverId/prompt:NAME, or an annotation of all servers (@readOnly, @destructive, @idempotent, @openWorld) or of some (github/@readOnly). The strictest wins: deny, askEach, ask, allow. Annotations are claims of servers; a missing one counts as the riskier value. In allow use them only for servers you trust. */
export interface PolicyEntry {
  /** Tools that scripts may call. */
  allow?: readonly string[];
  /** Tools that need a person's approval before a script runs, valid for that run only. */
  ask?: readonly string[];
  /** Tools that need a person's approval of each call, with its arguments in view. */
  askEach?: readonly string[];
  /** Tools that scripts may never call. */
  deny?: readonly string[];
}

/** Each pattern is a glob over serverId/toolName, serverId/resource:URI or serverId/prompt:NAME, or an annotation of all servers (@readOnly, @destructive, @idempotent, @openWorld) or of some (github/@readOnly). The strictest wins: deny, askEach, ask, allow. Annotations are claims of servers; a missing one counts as the riskier value. In allow use them only for servers you trust. */
export interface Policy {
  /** Tools that scripts may call. */
  allow: readonly string[];
  /** Tools that need a person's approval before a script runs, valid for that run only. */
  ask: readonly string[];
  /** Tools that need a person's approval of each call, with its arguments in view. */
  askEach?: readonly string[];
  /** Tools that scripts may never call. */
  deny: readonly string[];
}

/** When codemode serve type-checks scripts: after a failure, to explain it (on-error), in parallel with every run (warn), or before every run, which a type error prevents (error). */
export type TypecheckMode = "off" | "on-error" | "warn" | "error";

/** When a server differs from the lockfile: ask a person before a call of what is new or changed (review, default of serve), warn (warn, default of run), refuse scripts that use changed tools (refuse), or, for development, accept every change (refresh). */
export type DriftPolicy = "review" | "warn" | "refuse" | "refresh";

/** The type of an object whose schema says nothing of further properties: `closed` has the declared ones alone, so that a misspelt name is an error; `index` has an index signature too. `codemode lock` takes it into the lockfile. */
export type OpenObjects = "closed" | "index";

/** How sandbox processes are assigned to the runs of codemode serve and of batches. */
export interface SandboxEntry {
  isolation?: Isolation;
  /** With realms and compartments: how many further runs a process may serve for the same client. Given without isolation, a number above 0 means compartments. */
  reuse?: number;
  /** Words of a program that starts each sandbox process: Node and its arguments follow them. For a second boundary, such as runsc or bwrap; docs/engines.md says what still holds. */
  command?: readonly string[];
}

/** What each run has for itself: a process (the default); a realm in a process that serves one client; or a compartment in such a realm (the default of batches). SECURITY.md lists what each stops. */
export type Isolation = "process" | "realm" | "compartment";

export type ScriptEntry =
  | string
  | {
      /** The script, in the folder of this file or below it; a .json file is a pinned bundle. */
      file: string;
      /** The script of a pinned bundle, in the folder of this file or below it. codemode bundle builds the bundle from it; bundle --check and check report an outdated bundle. */
      source?: string;
      /** A description for agents. */
      description?: string;
      /** Whether it is also an MCP tool. */
      tool?: boolean;
    };

/** How codemode serve presents itself to agents. */
export interface ServeEntry {
  surface?: SurfaceKind;
  /** The name of the run tool for every client. Without it: codemode.run, or codemode_run for clients that are known to fail with a dot. */
  toolName?: string;
  /** How many tokens of the run tool's description signatures may take, after the index of all tools. By default the surface run fills a description of 4,000 characters and 1,000 tokens; search and files show no signatures. */
  typesBudget?: number;
  /** Of the surface files: a file for each server, or for each tool. */
  bindingLevel?: "server" | "tool";
  /** A template for the description of the tool that runs code: {{types}} becomes the signatures and the index, {{count}} the number of tools, {{search}} how to find one. */
  description?: string;
  trace?: TraceMode;
  /** Size of a result as JSON that an answer holds, in bytes. The next script of the same client can import a longer one. */
  maxResultBytes?: number;
  /** How long a request waits for its run, in milliseconds: the run then continues, and its answer is asked for with its runId. 0 turns this off. */
  detachAfterMs?: number;
  /** Runs of agents survive the end of this process: another one goes on with them. They are kept in the store, or in files of this account. With a store that replicas share they are durable unless given. */
  durable?: boolean;
  /** How long serve --http serves requests after SIGTERM while /ready answers 503, in milliseconds. Then it takes no new ones, lets its runs end and exits. */
  drainMs?: number;
  /** Tools that are also shown as plain MCP tools: glob patterns over serverId/toolName. */
  direct?: readonly string[];
  /** Limits on concurrent runs, for all clients together. */
  queue?: {
    /** Runs at the same time. */
    maxRunning?: number;
    /** Runs in the queue; further ones are refused. */
    maxWaiting?: number;
  };
  rateLimit?: RateLimit;
  /** The bearer token that serve --http requires. Write it as ${NAME}. */
  token?: string;
  /** The bearer token of the operator, who lists and answers approvals at /approvals of serve --http. Write it as ${NAME}. */
  operatorToken?: string;
  /** What replicas of serve --http share: postgres://USER@HOST/DATABASE (needs the package pg). Write its password as ${NAME}. Needs storeKey. Without it each replica has its own memory. */
  store?: string;
  /** A secret shared by all replicas, of 32 characters or more, which encrypts runs and results in the store, and runs in files. Write it as ${NAME}. */
  storeKey?: string;
  /** Names the project in the store, where projects share nothing. Unless given, the real path of its folder: name it where replicas have it in different folders, or where different projects have one path in their containers. */
  project?: string;
  /** Whether a person may approve tools on ask through a client outside of serve.clients. By default yes over standard input and output, and no over HTTP. */
  mayApprove?: boolean;
  /** Where serve --http also serves metrics, in the Prometheus text format at /metrics (default: nowhere). */
  metrics?: {
    /** [HOST:]PORT, on loopback unless a host is given. It must differ from the address of --http. */
    address: string;
    /** The bearer token of readers; required if other machines can reach the address. Write it as ${NAME}. */
    token?: string;
  };
  /** Host names that serve --http accepts beside the names of loopback. */
  allowedHosts?: readonly string[];
  /** Origins of web pages that may use serve --http beside the origins of loopback. */
  allowedOrigins?: readonly string[];
  /** How many processes of servers may run for single clients (those with env in clients.NAME.servers), in addition to the servers that all clients share. */
  maxServerProcesses?: number;
  /** Clients of serve --http that have a token, servers and a policy of their own. */
  clients?: {
    [k: string]: ServedClientEntry;
  };
}

/** How codemode serve presents itself to agents. */
export interface FilledServe {
  surface: SurfaceKind;
  /** The name of the run tool for every client. Without it: codemode.run, or codemode_run for clients that are known to fail with a dot. */
  toolName?: string;
  /** How many tokens of the run tool's description signatures may take, after the index of all tools. By default the surface run fills a description of 4,000 characters and 1,000 tokens; search and files show no signatures. */
  typesBudget?: number;
  /** Of the surface files: a file for each server, or for each tool. */
  bindingLevel: "server" | "tool";
  /** A template for the description of the tool that runs code: {{types}} becomes the signatures and the index, {{count}} the number of tools, {{search}} how to find one. */
  description?: string;
  trace: TraceMode;
  /** Size of a result as JSON that an answer holds, in bytes. The next script of the same client can import a longer one. */
  maxResultBytes: number;
  /** How long a request waits for its run, in milliseconds: the run then continues, and its answer is asked for with its runId. 0 turns this off. */
  detachAfterMs: number;
  /** Runs of agents survive the end of this process: another one goes on with them. They are kept in the store, or in files of this account. With a store that replicas share they are durable unless given. */
  durable?: boolean;
  /** How long serve --http serves requests after SIGTERM while /ready answers 503, in milliseconds. Then it takes no new ones, lets its runs end and exits. */
  drainMs: number;
  /** Tools that are also shown as plain MCP tools: glob patterns over serverId/toolName. */
  direct: readonly string[];
  /** Limits on concurrent runs, for all clients together. */
  queue: {
    /** Runs at the same time. */
    maxRunning: number;
    /** Runs in the queue; further ones are refused. */
    maxWaiting: number;
  };
  rateLimit?: RateLimit;
  /** The bearer token that serve --http requires. Write it as ${NAME}. */
  token?: string;
  /** The bearer token of the operator, who lists and answers approvals at /approvals of serve --http. Write it as ${NAME}. */
  operatorToken?: string;
  /** What replicas of serve --http share: postgres://USER@HOST/DATABASE (needs the package pg). Write its password as ${NAME}. Needs storeKey. Without it each replica has its own memory. */
  store?: string;
  /** A secret shared by all replicas, of 32 characters or more, which encrypts runs and results in the store, and runs in files. Write it as ${NAME}. */
  storeKey?: string;
  /** Names the project in the store, where projects share nothing. Unless given, the real path of its folder: name it where replicas have it in different folders, or where different projects have one path in their containers. */
  project?: string;
  /** Whether a person may approve tools on ask through a client outside of serve.clients. By default yes over standard input and output, and no over HTTP. */
  mayApprove?: boolean;
  /** Where serve --http also serves metrics, in the Prometheus text format at /metrics (default: nowhere). */
  metrics?: {
    /** [HOST:]PORT, on loopback unless a host is given. It must differ from the address of --http. */
    address: string;
    /** The bearer token of readers; required if other machines can reach the address. Write it as ${NAME}. */
    token?: string;
  };
  /** Host names that serve --http accepts beside the names of loopback. */
  allowedHosts: readonly string[];
  /** Origins of web pages that may use serve --http beside the origins of loopback. */
  allowedOrigins: readonly string[];
  /** How many processes of servers may run for single clients (those with env in clients.NAME.servers), in addition to the servers that all clients share. */
  maxServerProcesses: number;
  /** Clients of serve --http that have a token, servers and a policy of their own. */
  clients?: {
    [k: string]: ServedClientEntry;
  };
}

/** The tools that an agent sees: one that runs code; search and execute; or four that read declarations like files. */
export type SurfaceKind = "run" | "search" | "files";

/** How answers show tool calls in toolTrace: every call; totals for each tool, with failures apart; an empty list; or, with auto, every call up to 20 calls and totals beyond. */
export type TraceMode = "auto" | "calls" | "totals" | "none";

/** Limits per client (default: unlimited). */
export interface RateLimit {
  /** Runs in a minute. */
  runsPerMinute: number;
}

export interface ServedClientEntry {
  /** Its bearer token. Write it as ${NAME}. */
  token: string;
  /** Glob patterns over server ids. As an object its keys are the patterns, and a server id may have values that replace the server's own: it then runs for this client alone. */
  servers?:
    | readonly string[]
    | {
        [k: string]: ServerValues;
      };
  /** It narrows the project's policy and never widens it: for each tool the stricter verdict of both applies. With allow the client may call these tools only. */
  policy?: PolicyEntry;
  /** Whether a person may approve tools on ask through this client. Otherwise the operator does, with codemode approvals. */
  mayApprove?: boolean;
}

export interface ServerValues {
  /** Environment variables of a stdio server, in place of those with the same name in mcpServers and in addition to the others. Write secrets as ${NAME}. */
  env?: {
    [k: string]: string;
  };
  /** HTTP headers for a remote server, in the same way. */
  headers?: {
    [k: string]: string;
  };
}

/** The minimum log level. --log-level and the variable CODEMODE_LOG take precedence. The default is info over HTTP and on a terminal, and warn if a client reads standard error. */
export type LogThreshold = "silent" | "error" | "warn" | "info" | "debug";

/** Records who ran which script, and which tools it called, as JSON Lines. */
export interface AuditEntry {
  /** The log file, relative to the folder of this file. It is created if missing, readable by its owner only, and append-only. */
  file: string;
  /** Whether to refuse scripts and calls that cannot be recorded. */
  required?: boolean;
  payloads?: AuditPayloads;
  /** The longest payload that is recorded, as JSON. For a longer one only the size is recorded. */
  maxPayloadBytes?: number;
  /** Glob patterns over the names of values that are left out of payloads. */
  redact?: readonly string[];
}

/** Records who ran which script, and which tools it called, as JSON Lines. */
export interface FilledAudit {
  /** The log file, relative to the folder of this file. It is created if missing, readable by its owner only, and append-only. */
  file: string;
  /** Whether to refuse scripts and calls that cannot be recorded. */
  required: boolean;
  payloads: AuditPayloads;
  /** The longest payload that is recorded, as JSON. For a longer one only the size is recorded. */
  maxPayloadBytes: number;
  /** Glob patterns over the names of values that are left out of payloads. */
  redact: readonly string[];
}

/** Whether to record the inputs of calls (inputs), or inputs and results (all). */
export type AuditPayloads = false | "inputs" | "all";

/** What holds where the configuration says nothing; `each` is for all values of a map. */
export const DEFAULTS = {
  mcpServers: { each: { tools: { include: [], exclude: [] }, disabled: false, timeoutMs: 60000, idleMs: 300000 } },
  limits: {
    timeoutMs: 30000,
    maxMemoryBytes: 134217728,
    maxLogBytes: 262144,
    maxToolCalls: 1000,
    maxResultBytes: 1048576,
  },
  policy: { allow: ["*"], ask: [], deny: [] },
  typecheck: "on-error",
  relistAfterMs: 300000,
  learn: { observe: false },
  types: { openObjects: "closed" },
  bundle: { allow: [] },
  sandbox: { reuse: 1000 },
  telemetry: { payloads: false },
  scripts: { each: { tool: false } },
  serve: {
    surface: "run",
    bindingLevel: "server",
    trace: "auto",
    maxResultBytes: 32768,
    detachAfterMs: 45000,
    drainMs: 10000,
    direct: [],
    queue: { maxRunning: 8, maxWaiting: 64 },
    allowedHosts: [],
    allowedOrigins: [],
    maxServerProcesses: 32,
    clients: { each: { servers: ["*"], policy: { allow: ["*"], ask: [], deny: [] }, mayApprove: false } },
  },
  audit: { required: false, payloads: false, maxPayloadBytes: 16384, redact: [] },
  out: "generated",
} as const;

/** The least and the most that each number may be. */
export const RANGES = {
  mcpServers: { each: { timeoutMs: { least: 1, most: 86400000 }, idleMs: { least: 1000, most: 86400000 } } },
  limits: {
    timeoutMs: { least: 1, most: 86400000 },
    maxMemoryBytes: { least: 33554432, most: 1099511627776 },
    maxLogBytes: { least: 0, most: 536870888 },
    maxToolCalls: { least: 0, most: 1000000000 },
    maxResultBytes: { least: 1, most: 536870888 },
  },
  relistAfterMs: { least: 0, most: 86400000 },
  sandbox: { reuse: { least: 0, most: 10000 } },
  serve: {
    typesBudget: { least: 0, most: 1000000 },
    maxResultBytes: { least: 1, most: 536870888 },
    detachAfterMs: { least: 0, most: 86400000 },
    drainMs: { least: 0, most: 600000 },
    queue: { maxRunning: { least: 1, most: 10000 }, maxWaiting: { least: 0, most: 1000000 } },
    rateLimit: { runsPerMinute: { least: 1, most: 1000000 } },
    maxServerProcesses: { least: 1, most: 10000 },
  },
  audit: { maxPayloadBytes: { least: 0, most: 1048576 } },
} as const;
