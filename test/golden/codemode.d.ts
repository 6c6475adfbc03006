/// <reference lib="esnext.disposable" />
/** A value that JSON text can carry. */
type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
/** A JSON object. Keys come from outside: read them with `Object.hasOwn`, never by inheritance. */
interface JsonObject {
    [key: string]: JsonValue;
}

/** The answer of a run (specification 3.3). Every run gives one, even after a failure. */
interface RunAnswer {
    logs: LogEntry[];
    /** `null` where the script set no result or failed. */
    result: JsonValue;
    diagnostics: Diagnostic[];
    toolTrace: ToolTraceEntry[];
    /** The idempotency key of the run, where its caller gave one (an extension). */
    key?: string;
    /** The id of a durable run, or of one that is not over (an extension). */
    runId?: string;
    /**
     * Of a run that failed: the tools, as `SERVER/TOOL`, whose calls were sent and may not be made a second time, because their servers do not say so
     * (an extension). Absent where there is none: then the script can run again.
     */
    unrepeatable?: string[];
}
type LogLevel = "debug" | "log" | "warn" | "error";
/** One console call (specification 3.3.1). */
interface LogEntry {
    level: LogLevel;
    message: string;
    /** Whole milliseconds since the sandbox started the script. */
    timeMs: number;
}
/** One performed or refused tool call, without its input and output (specification 3.3.2). */
interface ToolTraceEntry {
    serverId: string;
    toolName: string;
    durationMs: number;
    ok: boolean;
    error?: string;
    /** What a person has changed of the call, where one was asked about it (an extension). */
    changed?: "input" | "result";
    /** In the answer to an agent: so many calls with this end, where they are more than one (an extension); `durationMs` is their sum. */
    calls?: number;
}
/** What a diagnostic is about. */
type DiagnosticCode = "ANSWER_UNUSED" | "APPROVAL_REQUIRED" | "AUDIT_FAILED" | "BUNDLE_FAILURE" | "CHECK_INCOMPLETE" | "CLOCK_CHANGED" | "DRY_RUN" | "HOST_MEMORY" | "IMPORT_FAILURE" | "INPUT_MISMATCH" | "INVALID_REQUEST" | "KEY_REUSED" | "LISTENER_FAILED" | "LOCK_DRIFT" | "MISSING_AWAIT" | "NUMBER_CHANGED" | "OUTPUT_MISMATCH" | "POLICY_DENIED" | "PROJECT_UNTRUSTED" | "QUEUE_FULL" | "RATE_LIMITED" | "REPLAY_DIVERGED" | "RESULT_MISSING" | "RESULT_SHAPE_NEW" | "RESULT_TRUNCATED" | "RESULT_UNSERIALIZABLE" | "RUN_CANCELLED" | "RUN_CONTINUES" | "RUN_LOST" | "SANDBOX_FAILURE" | "SANDBOX_LIMIT" | "SCRIPT_UNAVAILABLE" | "SERVER_UNAVAILABLE" | "SYNTAX_ERROR" | "TYPE_ERROR" | "UNCAUGHT_EXCEPTION" | "UNDO_INCOMPLETE" | "UNHANDLED_REJECTION";
/** One finding about a run (specification 3.3.3; the codes are the contract's). */
interface Diagnostic {
    severity: "error" | "warning" | "info";
    code: DiagnosticCode;
    message: string;
    /** One action that fixes it. */
    hint?: string;
    /** `script.ts:LINE:COLUMN` in the author's source, both from 1. */
    path?: string;
    /** The class in `@codemode/errors`, where there is one. */
    errorClass?: string;
}
/** What a caller can do: run the same script again, change something first, or do without. */
type NextStep = "retry" | "fix" | "never";
/** Each code of an answer with the next step that it leaves. */
declare const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, NextStep>>;
/**
 * What a caller can do about the answer of a failed run. `retry` only where each error passes by itself and no call was sent that may not be made
 * twice: a server that is away says nothing about the calls that another one has got.
 *
 * @example
 * import { nextStepOf, type RunAnswer } from "codemode";
 *
 * export const mayTryAgain = (answer: RunAnswer): boolean => nextStepOf(answer) === "retry";
 */
declare function nextStepOf({ diagnostics, unrepeatable, }: Pick<RunAnswer, "diagnostics" | "unrepeatable">): NextStep;

/** A digest in the form of Subresource Integrity: `sha256-` and base64. */
type Integrity = `sha256-${string}`;
/** SHA-256 over the UTF-8 of a text. Callers with thousands of texts can pass a native digest. */
type TextDigest = (text: string) => Integrity;

/** Before the revision 2026-07-28 of MCP, or from there on. */
type ProtocolEra = "legacy" | "modern";
/** Why an entry of a list was left out; of equal names the first one stays. */
interface ToolListProblem {
    reason: "app-only" | "bad-arguments" | "bad-template" | "duplicate-name" | "invalid-header" | "needs-task" | "no-name" | "not-an-object" | "not-listed" | "repeated-cursor" | "reserved-name";
    /** In the whole list, from 0. */
    position: number;
    name?: string;
    /** The list, where it is another one than the tools. With `not-listed`, all of it is missing; with `repeated-cursor`, what follows may be. */
    list?: "prompts" | "resources";
}

/** The accepted snapshots of all servers, in memory. Its text form is `formatLockfile`'s. */
interface Lockfile {
    /** Keyed by `serverId`; a Map, because ids such as `constructor` are legal. */
    servers: ReadonlyMap<string, LockedServer>;
}
/** What was accepted of one server. */
interface LockedServer {
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
type LockedSource = {
    transport: "stdio";
    command: string;
    args: readonly string[];
    env: readonly string[];
    /** Names of variables that it gets as they are. */
    inheritEnv?: readonly string[];
    cwd?: string;
    package?: LockedPackage;
} | {
    transport: "http" | "sse";
    url: string;
    headers: readonly string[];
} | {
    transport: "program";
};
/** The package that `npx`, `uvx` and the like fetched and started. */
interface LockedPackage {
    name: string;
    /** The version that ran, where it could be found. */
    version?: string;
    /** What the registry says of that version (Subresource Integrity), where npm has kept it. */
    integrity?: string;
    /** True where the command names no exact version: the next start may run another one. */
    floats: boolean;
}
/** What was accepted of one tool. Schemas are kept as they came on the wire, unknown keys and mistakes included. */
interface LockedTool {
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
type Claims = Readonly<Record<"readOnly" | "destructive" | "idempotent" | "openWorld", boolean>>;

/** A script and the bindings that it uses, as one self-contained program. */
interface Bundle {
    /** A program whose value is the promise of the script's end: an async function, called. */
    code: string;
    map: SourceMap;
    manifest: Manifest;
    /** The JSON Schema of the input that the script declares; any input will do where it is absent. */
    input?: JsonValue;
    /** Packages of other authors that are part of the code, sorted; absent where there are none. */
    packages?: readonly BundledPackage[];
}
/** A package that a bundle has code of, as it called itself. */
interface BundledPackage {
    name: string;
    version: string;
}
/** What a bundle may do: the exact tools that survived in it. The host refuses any other call. */
interface Manifest {
    /** Sorted by `serverId`, then `toolName`. */
    tools: readonly ManifestTool[];
}
/** A tool that a bundle may call. */
interface ManifestTool {
    serverId: string;
    toolName: string;
    exportName: string;
    /** Of the tool as it was generated; the host compares it with the lockfile. */
    integrity: Integrity;
    /** With which it was bundled, where only its words have changed since, or it takes or gives more: what a person has decided about it holds. */
    bundledIntegrity?: Integrity;
}
/** A source map, version 3 (ECMA-426). `sources` hold names relative to the script's folder, never a path of the machine. */
interface SourceMap {
    version: 3;
    names: string[];
    sources: string[];
    sourcesContent?: (string | null)[];
    mappings: string;
}

/** A bundle as a file: the same script, lockfile and versions give the same bytes on every machine. */
interface PinnedBundle {
    /** Of the script, without its folder. */
    name: string;
    bundle: Bundle;
    /** Of the lockfile that it was bundled under. */
    lockfileIntegrity: Integrity;
    /** Names and versions of the programs that had a hand in its bytes. */
    madeBy: ReadonlyMap<string, string>;
}

type PinOutcome = {
    ok: true;
    pinned: PinnedBundle;
    warnings: Diagnostic[];
} | {
    ok: false;
    diagnostics: Diagnostic[];
};

/** The servers, limits and policy of a codemode project. */
interface ConfigFile {
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
interface ServerEntry {
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
interface OAuthSettings {
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
type OAuthGrant = "authorization_code" | "client_credentials" | "jwt_bearer" | "token_exchange";
/** Selects the tools of the server: glob patterns over tool names. */
interface ToolFilterEntry {
    /** Only these tools; an empty list means all. */
    include?: readonly string[];
    /** Without these tools. */
    exclude?: readonly string[];
}
/** What bounds a run, unless the command line says otherwise. */
interface LimitsEntry {
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
interface RunLimits {
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
interface PolicyEntry {
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
interface Policy {
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
type TypecheckMode = "off" | "on-error" | "warn" | "error";
/** When a server differs from the lockfile: ask a person before a call of what is new or changed (review, default of serve), warn (warn, default of run), refuse scripts that use changed tools (refuse), or, for development, accept every change (refresh). */
type DriftPolicy = "review" | "warn" | "refuse" | "refresh";
/** The type of an object whose schema says nothing of further properties: `closed` has the declared ones alone, so that a misspelt name is an error; `index` has an index signature too. `codemode lock` takes it into the lockfile. */
type OpenObjects = "closed" | "index";
/** How sandbox processes are assigned to the runs of codemode serve and of batches. */
interface SandboxEntry {
    isolation?: Isolation;
    /** With realms and compartments: how many further runs a process may serve for the same client. Given without isolation, a number above 0 means compartments. */
    reuse?: number;
    /** Words of a program that starts each sandbox process: Node and its arguments follow them. For a second boundary, such as runsc or bwrap; docs/engines.md says what still holds. */
    command?: readonly string[];
}
/** What each run has for itself: a process (the default); a realm in a process that serves one client; or a compartment in such a realm (the default of batches). SECURITY.md lists what each stops. */
type Isolation = "process" | "realm" | "compartment";
type ScriptEntry = string | {
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
interface ServeEntry {
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
/** The tools that an agent sees: one that runs code; search and execute; or four that read declarations like files. */
type SurfaceKind = "run" | "search" | "files";
/** How answers show tool calls in toolTrace: every call; totals for each tool, with failures apart; an empty list; or, with auto, every call up to 20 calls and totals beyond. */
type TraceMode = "auto" | "calls" | "totals" | "none";
/** Limits per client (default: unlimited). */
interface RateLimit {
    /** Runs in a minute. */
    runsPerMinute: number;
}
interface ServedClientEntry {
    /** Its bearer token. Write it as ${NAME}. */
    token: string;
    /** Glob patterns over server ids. As an object its keys are the patterns, and a server id may have values that replace the server's own: it then runs for this client alone. */
    servers?: readonly string[] | {
        [k: string]: ServerValues;
    };
    /** It narrows the project's policy and never widens it: for each tool the stricter verdict of both applies. With allow the client may call these tools only. */
    policy?: PolicyEntry;
    /** Whether a person may approve tools on ask through this client. Otherwise the operator does, with codemode approvals. */
    mayApprove?: boolean;
}
interface ServerValues {
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
type LogThreshold = "silent" | "error" | "warn" | "info" | "debug";
/** Records who ran which script, and which tools it called, as JSON Lines. */
interface AuditEntry {
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
/** Whether to record the inputs of calls (inputs), or inputs and results (all). */
type AuditPayloads = false | "inputs" | "all";

type PolicyVerdict = "allow" | "ask" | "askEach" | "deny";

/** A call that a script makes: names as in the lockfile, input not yet checked. */
interface ToolCall {
    serverId: string;
    toolName: string;
    input: JsonValue;
    /** Counts the calls of its run, from 1, without questions to the host; 1 unless given. */
    number?: number | undefined;
    /** Where the script makes it, as `script.ts:LINE:COLUMN`; what the sandbox says, for a person who is asked. */
    place?: string | undefined;
}
/**
 * The host's answer to a call: the unwrapped result (specification 5.3.2), or an error for the script to catch. `content` holds the content
 * blocks beside structured content, where they say something else; `changed`, what a person has made of the call.
 */
type ToolReply = {
    ok: true;
    value: JsonValue;
    content?: JsonValue[];
    changed?: CallChange;
} | {
    ok: false;
    error: CallError;
};
/** A person has given the call another input, or a result in the place of the call. */
type CallChange = {
    kind: "input";
    input: JsonValue;
} | {
    kind: "result";
};
/** An error as it crosses to the sandbox, where the binding throws the class of that name in `@codemode/errors`. */
interface CallError {
    errorClass: ToolErrorClass;
    message: string;
    hint: string;
    /** Further fields of the class, for instance `pointer` of a `SchemaValidationError`. */
    details?: {
        [key: string]: JsonValue;
    };
}
type ToolErrorClass = "ApprovalRefusedError" | "AuthenticationError" | "SandboxLimitError" | "SchemaValidationError" | "ServerNotFoundError" | "ToolCallError" | "ToolNotFoundError";

/** The classes of changes, the gravest first. */
declare const CHANGE_SEVERITIES: readonly ["breaking", "policy", "compatible", "text", "observed"];
/**
 * What a change means for those who use a tool:
 *
 * - `breaking`: a script that was right may now be wrong
 * - `policy`: calls are unchanged, and a policy may decide differently
 * - `compatible`: existing scripts still work
 * - `text`: only words changed, which is how a tool is poisoned
 * - `observed`: the shape of results that was learned; the server does not promise it
 */
type ChangeSeverity = (typeof CHANGE_SEVERITIES)[number];
/** One difference between two snapshots of a server. */
interface Change {
    severity: ChangeSeverity;
    /** JSON Pointer (RFC 6901) into the lock entry, with tools by name: `/tools/echo/inputSchema/required`. */
    pointer: string;
    /** What happened, in a few words. */
    summary: string;
    /** Absent where it was added. */
    before?: JsonValue;
    /** Absent where it was removed. */
    after?: JsonValue;
    /** What the project's policy says of calls, where it is known: of class `policy`, and without `before` of what was added. */
    verdict?: {
        before?: PolicyVerdict;
        after: PolicyVerdict;
    };
}

/** What differs between the accepted and the live snapshot of one server. */
interface ServerChange {
    serverId: string;
    kind: "added" | "removed" | "changed";
    /** The gravest of `changes`. */
    severity: ChangeSeverity;
    toolsAdded: string[];
    toolsRemoved: string[];
    toolsChanged: string[];
    changes: Change[];
}
/**
 * Lists what changed from `before` to `after`, sorted by server id. Servers that are equal are left out.
 * @param policy the project's, to say what it makes of changed annotations
 * @example
 * import { diffLockfiles, type Lockfile } from "codemode";
 *
 * export const breaking = (before: Lockfile, after: Lockfile): string[] =>
 *   diffLockfiles(before, after).flatMap(({ serverId, severity }) => (severity === "breaking" ? [serverId] : []));
 */
declare function diffLockfiles(before: Lockfile, after: Lockfile, policy?: Policy): ServerChange[];
/** What differs between two definitions of one tool, resource or prompt; without `before` it is new. */
interface DefinitionChange {
    kind: "added" | "changed";
    /** The gravest of `changes`. */
    severity: ChangeSeverity;
    changes: Change[];
}

/** What a person is asked before a script runs: may it call these tools, as often as it likes, in this run alone. With `call`, may it make this call. */
interface ApprovalRequest {
    /** `RUN.NUMBER`, where the question waits in the log of a durable run: by it the question can be answered elsewhere too. */
    id?: string;
    /** Those of the manifest for which the policy says `ask`, sorted by server and tool; with `call` its tool alone. */
    tools: readonly ToolToApprove[];
    /** The script that calls them; absent where the question is about something else. */
    script?: ScriptToApprove;
    /** Another question, in the middle of a run: may this one call be made, for whose tool the policy says `askEach`. */
    call?: CallToApprove;
    /** Another question: may this be started from now on, on this account. One line for each, safe to be shown. Then there are no tools. */
    starts?: readonly string[];
    /**
     * Over the code of the bundle and its whole manifest: an approval is for exactly this script, which gets a process of its own. With
     * `starts`, over those; with `call`, over the definition of its tool and the whole input.
     */
    digest: string;
}
/** A script as a person approves it, without the credentials of the configuration. All of it is the author's text. */
interface ScriptToApprove {
    /** Its files, the main one first. Of a script that was bundled before, the program that runs. */
    files: readonly {
        name: string;
        code: string;
    }[];
    /** The packages of others that are part of it, as `NAME@VERSION`. */
    packages: readonly string[];
    input: JsonValue;
    /** SHA-256 of the program that runs, as the audit log has it. */
    digest: string;
}
/** A tool for which the policy says `ask`, with what its server claims of it. */
interface ToolToApprove {
    serverId: string;
    toolName: string;
    annotations?: JsonObject;
    /** Set if no person has accepted it yet: how it differs from what is locked. An approval locks exactly this definition. */
    change?: DefinitionChange;
}
/**
 * `closed`: the question came back without an answer. `unavailable`: the client can show no question. `reserved`: the caller's client
 * may not answer it (`mayApprove` of an `Access`). `waiting`: it waits in the log of a durable run, which goes on when a person has answered.
 */
type ApprovalVerdict = "granted" | "refused" | "closed" | "unavailable" | "reserved" | "waiting";
/**
 * How a person's approval is had: given beforehand by `--approve`, at a terminal, in a form of the client, in the page of `codemode ui`, by the operator over
 * HTTP, or by the function of a program.
 */
type ApprovalWay = "flag" | "terminal" | "form" | "page" | "operator" | "callback";
/** How a person has answered: it goes along with the answer, from where that came from. */
interface AnsweredBy {
    way: ApprovalWay;
    /** The key of the configuration whose token the operator has. */
    name?: string;
}
/** A call that waits for a person. It has passed every check of the host; nothing has been sent. */
interface CallToApprove {
    /** Counts the calls of the run, from 1. */
    number: number;
    /** As it will be sent. */
    input: JsonObject;
    /** Of the calls that this run has made side by side for which a person is asked: the place of this one, from 1, and how many there are by now. */
    readonly position: number;
    readonly total: number;
    /** Where the script makes it, as `script.ts:LINE:COLUMN`: the sandbox says so, and nothing depends on it. */
    place?: string;
    /** What this run has called so far, by `SERVER/TOOL`, in the order of the first calls. */
    made: ReadonlyMap<string, number>;
    /** Set where the call was sent before, and its answer was lost: is it to be made again, or what was its result? A refusal stops the run. */
    isInDoubt?: true;
    /** Why the answer before this question could not be used: the changed input or the result does not fit its schema. */
    problem?: string;
}
/**
 * What a person decides about one call: it is made, with `forRun` also all later ones of its tool in this run; it is refused, and the
 * script gets the reason; it is made with another input; the script gets a result in its place.
 */
type CallDecision = ({
    verdict: "granted";
    forRun?: boolean;
} | {
    verdict: "refused";
    reason?: string;
} | {
    verdict: "changed";
    input: JsonObject;
} | {
    verdict: "answered";
    result: JsonValue;
}) & {
    /** Unless given, what the one who asks says of all its answers. */
    by?: AnsweredBy;
};

/**
 * What a person is asked in the middle of a call. All texts are the server's, cleaned: they hold no invisible character, no control
 * character and no line break.
 */
type ServerQuestion = {
    serverId: string;
    /** The server's text, line by line. */
    lines: readonly string[];
    /** Set where codemode asks, about the server: the lines are its own, and quote what is the server's. */
    isOwn?: true;
} & ({
    mode: "form";
    fields: readonly QuestionField[];
}
/** To be opened by the person, and by nothing else. */
 | {
    mode: "url";
    url: string;
    host: string;
});
/** One value that the server wants. */
type QuestionField = {
    /** The key of the answer, as the server wrote it: letters, digits and plain signs. */
    name: string;
    title?: string;
    description?: string;
    isRequired: boolean;
} & FieldKind;
type FieldKind = {
    kind: "text";
    minLength?: number;
    maxLength?: number;
    format?: "email" | "uri" | "date" | "date-time";
    preset?: string;
} | {
    kind: "number" | "integer";
    minimum?: number;
    maximum?: number;
    preset?: number;
} | {
    kind: "boolean";
    preset?: boolean;
} | {
    kind: "choice";
    choices: readonly Choice[];
    preset?: string;
} | {
    kind: "choices";
    choices: readonly Choice[];
    minItems?: number;
    maxItems?: number;
    preset?: readonly string[];
};
interface Choice {
    value: string;
    title: string;
}
/** What a person says to a question; `unavailable` where there is none to ask, or nothing to ask with. */
type PersonsReply = {
    action: "accept";
    content?: JsonObject;
} | {
    action: "decline";
} | {
    action: "cancel";
} | {
    action: "unavailable";
};
/**
 * How a question ended. `declined` and `closed` by the person; all others by codemode, which declines them: `unavailable` there was none to ask,
 * `reserved` the caller's client may not answer (`mayApprove` of an `Access`), `limit` the run has asked too often, `late` the call has ended
 * meanwhile, `malformed` it is none that MCP allows, `unfit` the answer does not fit it.
 */
type QuestionOutcome = "accepted" | "declined" | "closed" | "unavailable" | "reserved" | "limit" | "late" | "malformed" | "unfit";

/** W3C trace context, its form checked. */
interface TraceContext {
    traceparent: string;
    tracestate?: string | undefined;
}

/**
 * What happens in a host, in the order in which it happens: the one stream that logs, the audit log, traces, metrics and progress are made from. Events
 * of a run name it by one object, `run`, and events of a request by `request`. What is expensive is a function, and computed where a listener calls it.
 */
type HostEvent = (RunEvent & {
    run: RunFacts;
}) | (RequestEvent & {
    request: RequestFacts;
})
/** A client of a revision that has sessions has opened one. */
 | {
    type: "session-started";
    session: SessionFacts;
}
/** The session is over. */
 | {
    type: "session-ended";
    session: SessionFacts;
    durationMs: number;
}
/** A client was refused; the host has no such run. */
 | {
    type: "run-turned-away";
    client?: string | undefined;
    code: TurnedAwayCode;
}
/** A request over HTTP came without a token that is known here. */
 | ({
    type: "access-refused";
} & AccessRefusedFacts)
/** A server has connected, ended or logged something, cannot be reached, or differs from the lockfile: `kind` says which. */
 | ({
    type: "server-changed";
} & ServerEvent)
/** What can be read at any time from now on; offered in parts, as they come to be. */
 | {
    type: "state-offered";
    state: HostState;
};
/** What happens in one run, or in one call of a tool without a script. `run-started` is the first event, and `run-ended` always comes. */
type RunEvent = 
/** A script is about to be bundled and run, or one tool to be called without a script. */
{
    type: "run-started";
}
/** The script could be bundled. Not of a single call. */
 | {
    type: "bundled";
    bundle: Bundle;
    /** What it was bundled with: of a client what it may see. */
    lockfile: Lockfile;
    /** All that is accepted, as the file has it. */
    accepted: Lockfile;
}
/** Lockfile, policy and perhaps a person have decided about all that it may call. */
 | ({
    type: "reviewed";
    verdict: ReviewVerdict;
    /** All that may be called, each with what the policy says of it. */
    tools: () => readonly ReviewedTool[];
} & ApprovedBy)
/** A sandbox is there and gets the script: from here on its logs count their time. */
 | {
    type: "script-started";
}
/** A line of the console. */
 | ({
    type: "log";
    entry: Readonly<LogEntry>;
} & Replayable)
/** A dry run does not make a call. */
 | {
    type: "call-skipped";
    call: SkippedCall;
}
/** The script makes a call. What it asks about the tools that there are is no call. */
 | ({
    type: "call-started";
} & CallPlace & Replayable)
/** The host has checked a call: it is made if nothing refuses it. */
 | ({
    type: "call-checked";
} & CheckedCall)
/** A person has decided about one call, for whose tool the policy says `askEach`, or could not be asked. */
 | ({
    type: "call-reviewed";
    /** SHA-256 over the tool, its definition and the input that was shown. */
    shown: Integrity;
    verdict: CallVerdict;
    /** Of a call that was `changed`: what it was made with. */
    input?: (() => JsonValue) | undefined;
} & CallPlace & ApprovedBy)
/** The server of a call says something meanwhile. */
 | ({
    type: "call-progress";
    sign: CallSign;
} & CallPlace)
/** The host knows what came of a call that was checked; where the run was over by then, after `run-ended`. */
 | ({
    type: "call-settled";
} & CheckedCall & CallEnd)
/** The script has the answer of a call, or the run is over before. */
 | {
    type: "call-ended";
    number: number;
    entry: Readonly<ToolTraceEntry>;
    isReplayed?: true;
}
/** A server has asked a person something in the middle of a call, and this came of it. */
 | {
    type: "question-ended";
    serverId: string;
    mode: "form" | "url";
    outcome: QuestionOutcome;
}
/** The script has come to its end, or to a limit; what was found out meanwhile may still be waited for. */
 | {
    type: "script-ended";
    /** The limits that ended the run, or cut its log or result. */
    limits: readonly (keyof RunLimits)[];
}
/** There is an answer, or the host itself has failed. */
 | ({
    type: "run-ended";
} & RunEnd);
/** What happens with a request of the method `tools/call`. Its runs are reported separately. */
type RequestEvent = 
/** It has arrived. */
{
    type: "request-started";
}
/** It is about to run; before that it has waited for its turn. */
 | {
    type: "request-admitted";
}
/** The run that came of it has an error, or there was none: the code of the first error. */
 | {
    type: "request-failed";
    code: string;
}
/** There is a tool of that name. */
 | {
    type: "request-named";
    toolName: string;
}
/** It is answered. */
 | {
    type: "request-ended";
    /** The last of `request-named`. */
    toolName?: string | undefined;
    /** The last of `request-failed`, since it was admitted. */
    code?: string | undefined;
    /** The result says that the tool failed. A failed run is no failed tool. */
    isError: boolean;
    /** Of JSON-RPC, where there is no result. */
    rpcCode?: number | undefined;
    durationMs: number;
};
/** Which call of a run: `number` counts them from 1. */
interface CallPlace {
    serverId: string;
    toolName: string;
    number: number;
}
/** A call, and what the host knows of it. */
interface CheckedCall extends CallPlace {
    /** Absent where the lockfile has none: the name is the script's then. */
    server?: LockedServer | undefined;
    tool?: LockedTool | undefined;
    /** What the policy says of it. */
    verdict?: PolicyVerdict | undefined;
    /** As the script sent it, not checked; of an own tool as its check leaves it. */
    input: () => JsonValue;
    /** Of its JSON. */
    inputBytes: () => number;
}
/** Of a durable run that goes on: it has happened in an earlier attempt already. The run's own listener does not get it again. */
interface Replayable {
    isReplayed?: true;
}
/** Present where a person was asked. */
interface ApprovedBy {
    approvalBy?: ApprovalWay | undefined;
    approvalName?: string | undefined;
}
/** A call of a dry run: admitted, and not made. */
interface SkippedCall extends ToolCall {
    /** Counts the skipped calls of a run, from 1. */
    number: number;
    /** A person would be asked about this call. */
    asks?: true;
}
/** What a server says while it works on a call, on one line: its own words. A log message may belong to another call of the same person. */
type CallSign = 
/** Increases with each report of a call. */
{
    kind: "progress";
    progress: number;
    total?: number;
    message?: string;
} | {
    kind: "log";
    level: ServerLogLevel;
    text: string;
};
/** Those of MCP. */
type ServerLogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";
/**
 * What was done about a difference: `refreshed`: the lockfile has followed it; `pending`: it waits for a person; `accepted`: a person has
 * accepted these tools; `warned`: it was named; `refused`: a run was stopped.
 */
type DriftHandling = "refreshed" | "pending" | "accepted" | "warned" | "refused";
/** What happens to servers. Codes are our own words; names of tools are the servers'. */
type ServerEvent = ServerChangeEvent & {
    /** The client that the server runs for alone; absent where it is shared. */
    client?: string | undefined;
};
type ServerChangeEvent = {
    kind: "connected";
    serverId: string;
    transport: "stdio" | "http" | "sse" | "program";
    durationMs: number;
    /** How often it was connected before by this host: more than 0 is a restart. */
    restarts: number;
}
/**
 * It could not be started or reached. The code is a `ConnectionErrorKind`, or the code of a `CodemodeError`; the reason is for the operator: one masked line, which may
 * have the last words of its program, and paths of this machine.
 */
 | {
    kind: "unreachable";
    serverId: string;
    code: string;
    reason: string;
    durationMs: number;
}
/** It has ended by itself, after so long. */
 | {
    kind: "disconnected";
    serverId: string;
    code: string;
    afterMs: number;
}
/** It has sent a log message: its own words, on one line and of bounded length. */
 | {
    kind: "logged";
    serverId: string;
    level: ServerLogLevel;
    text: string;
}
/** It differs from the lockfile: reported once per difference. */
 | {
    kind: "drifted";
    serverId: string;
    handling: DriftHandling;
    toolsAdded: readonly string[];
    toolsRemoved: readonly string[];
    toolsChanged: readonly string[];
};
/** What a connection to a client of `serve` is like. */
interface SessionFacts {
    transport: "stdio" | "http";
    protocolVersion?: string | undefined;
}
/** A request of the method `tools/call`. */
interface RequestFacts extends SessionFacts {
    /** As in `Access`. */
    client?: string | undefined;
    requestId: string | number;
    /** By `performance.now()`. */
    arrivedAt: number;
    sessionId?: string | undefined;
    /** Of the request itself; where that names none, of its HTTP request. */
    trace?: TraceContext | undefined;
    /** Of the HTTP request that it came with. */
    httpTrace?: TraceContext | undefined;
}
/** Where runs come from: `cli` for `run` and `call`, `batch` for `run --inputs`. */
type RunOrigin = "cli" | "batch" | "serve-stdio" | "serve-http" | "ui" | "library";
/** Who is about to run what. Names are the client's and the script's author's: hostile text. */
interface RunFacts {
    /** The id in the answer, where it has one: a client and its agent know the run by it. Otherwise a UUID. */
    runId: string;
    origin: RunOrigin;
    /** As in `Access`: absent for the operator. */
    client?: string | undefined;
    /** What is run: a script, or one tool alone. */
    subject: {
        kind: "script";
        name: string;
        savedAs?: string | undefined;
    } | {
        kind: "call";
        serverId: string;
        toolName: string;
    };
    /** Of the request that asked for it. */
    trace?: TraceContext | undefined;
    /** The idempotency key of a script's run. */
    key?: string | undefined;
}
/** `denied` by the policy; otherwise what came of asking a person, and `moved` where servers changed meanwhile. */
type ReviewVerdict = "allowed" | "denied" | "cancelled" | "moved" | ApprovalVerdict;
type ReviewedTool = Pick<ManifestTool, "serverId" | "toolName" | "integrity"> & {
    verdict: PolicyVerdict;
};
/** What came of asking about one call; `granted-for-run` is for all later ones of its tool in the run too. */
type CallVerdict = "granted-for-run" | CallDecision["verdict"] | "cancelled" | ApprovalVerdict;
/**
 * `ok`, or `tool_error` where the tool said itself that it failed. `refused` by the host: the server never heard of it; `skipped` in a
 * dry run or where a person gave the result, `failed` between host and server, `cancelled` with the run.
 */
type CallOutcomeKind = "ok" | "tool_error" | "refused" | "skipped" | "failed" | "cancelled";
interface CallEnd {
    outcome: CallOutcomeKind;
    /** Of a refusal the class of the error; of a failure the kind of the connection's. */
    code?: string | undefined;
    /** Of JSON-RPC, where the server answered with an error. */
    rpcCode?: number | undefined;
    durationMs: number;
    /** What the server sent, its own credentials masked; undefined where it sent nothing. */
    result: () => JsonObject | undefined;
    /** Of its JSON, roughly; 0 where there is none. */
    resultBytes: () => number;
}
interface RunEnd {
    /** Whether there is no error among the findings; of a single call, whether the tool did what it was asked. */
    ok: boolean;
    /** Codes of the errors, without repetition: those of diagnostics, or the class of the error of a single call. */
    codes: readonly string[];
    durationMs: number;
    /** How many calls were made or refused. */
    calls: number;
    /** Absent for a single call, and where the host itself failed. */
    answer?: RunAnswer | undefined;
    /** Of the result's JSON. */
    resultBytes: () => number;
    logBytes: () => number;
}
type TurnedAwayCode = "QUEUE_FULL" | "RATE_LIMITED" | "RUN_CANCELLED";
/** Where a token was asked for, and what came: none at all, or one that is not known. Nothing of it is here. */
interface AccessRefusedFacts {
    place: "mcp" | "approvals" | "metrics";
    token: "missing" | "unknown";
    /** The address that the connection came from: of a proxy, where there is one. */
    from?: string | undefined;
    /** How many of these came together: one, unless there were many in a second. */
    count: number;
}
/** Each part is there where the host has such a thing. */
interface HostState {
    pool?: (() => PoolState) | undefined;
    queue?: (() => QueueState) | undefined;
    store?: (() => StoreState) | undefined;
}
/** Sandbox processes: how many wait for a script, how many have one, and how many are kept waiting at least. */
interface PoolState {
    ready: number;
    busy: number;
    starting: number;
    size: number;
}
/** What replicas of `serve` share. */
interface StoreState {
    /** By how much the clock of this machine is ahead of the store's, in milliseconds. */
    skewMs: number;
}
/** Runs that have their turn, and that wait for it. */
interface QueueState {
    running: number;
    waiting: number;
}

/** An `McpServer` of the MCP SDK 1 or 2, and all else that takes a transport. */
interface ConnectableServer {
    connect(transport: object): Promise<unknown>;
}

/** How far long work has come. */
interface Progress {
    done: number;
    total: number;
    /** How many have failed. */
    failed?: number;
    /** The names of what is still waited for. */
    waiting?: readonly string[];
    /** What there is to say in place of these numbers; without a known `total`, which is 0 then, no bar is shown. */
    text?: string;
}
/** Receives progress; the work does not depend on it. */
type OnProgress = (progress: Progress) => void;
/** Shows the progress of some work until it is ended. */
type ShowWork = (label: string) => {
    update: OnProgress;
    end: () => void;
};

/** How a folder differs from what was emitted; paths relative to the folder, sorted. */
interface OutputChange {
    written: string[];
    removed: string[];
}

/** The process exit codes of the contract, other than 0. */
type ErrorExitCode = 1 | 2 | 3;
/** An error that the user can fix: one line of cause, one line of hint, never a stack trace. */
declare class CodemodeError extends Error {
    /** Says which error it is, for programs: `LOCKFILE_MISSING`. */
    readonly code: string;
    /** What to do, in one line. */
    readonly hint: string;
    /** What a command ends with: 1 where something failed, 2 where what was given is wrong, 3 for drift. */
    readonly exitCode: ErrorExitCode;
    constructor(code: string, exitCode: ErrorExitCode, message: string, hint: string);
}

/**
 * A script to check, bundle or run:
 * - `code`: the source of an ES module in JavaScript or TypeScript. `name` stands in the places of diagnostics; it is `script.ts` unless given.
 *   Relative imports are resolved in `folder`; without it the script has no files.
 * - `file`: a script's file, a pinned bundle (`.json`), or the name of a script of the configuration. Relative to the project's `cwd`.
 * - `bundle`: a pinned bundle, as `project.bundle` gives it.
 */
type Script = {
    code: string;
    name?: string;
    folder?: string;
} | {
    file: string;
} | {
    bundle: PinnedBundle;
};
/** A script whose file has been read. */
type ReadScript = {
    code: string;
    name: string;
    folder?: string;
} | {
    bundle: PinnedBundle;
};

/** A tool of the manifest, with what its server claims of it and what the policy says. */
interface InspectedTool extends ManifestTool {
    annotations?: JsonObject;
    policy: PolicyVerdict;
}

/** What is known of a script that has not run. */
interface CheckResult {
    /** True where nothing but warnings was found. */
    ok: boolean;
    /** Of bundling, type-checking and the policy. */
    diagnostics: readonly Diagnostic[];
    /** What the script may call, and what the policy says of each tool. Absent where the script cannot be bundled. */
    tools?: readonly InspectedTool[];
    /** Present where the configuration pins the script, and its pinned bundle is not what it would be now. */
    outdated?: CodemodeError;
}

/**
 * The start or the end of a tool call, as it happens, and in between what its server reports; without input and output, as in the trace.
 * `number` counts the calls of a run from 1.
 */
type ToolCallEvent = {
    kind: "started";
    serverId: string;
    toolName: string;
    number: number;
} | ({
    serverId: string;
    toolName: string;
    number: number;
} & CallSign) | {
    kind: "ended";
    entry: ToolTraceEntry;
    number: number;
};

/**
 * What a repeatable run starts from. Its script hears of time from the host alone: the clock stands still but for the `timeMs` of the
 * host's frames, the time zone is UTC, `Math.random` is seeded, and the host keeps the timers. So the same
 * program, the same start and the same frames of the host in the same order are the same run.
 */
interface ReplayableStart {
    /** What the clock shows when the script starts, in milliseconds since 1970. */
    timeMs: number;
    /** Four unsigned 32-bit numbers, not all of them zero. */
    seed: readonly number[];
}

/** Everything that happened in one run, so that it can happen again without any server. */
interface Recording {
    /** What recorded it. Another version of Node may word errors or print dates differently. */
    madeBy: {
        codemode: string;
        node: string;
    };
    /** The name of the script, for instance `report.ts`. */
    script: string;
    /** What is redacted: glob patterns over names of JSON members. */
    redact: readonly string[];
    /** The servers of the bundle's manifest, as they were locked. */
    servers: {
        [serverId: string]: Integrity;
    };
    start: ReplayableStart;
    input: JsonValue;
    /** The idempotency key of the run. */
    key?: string;
    limits: RunLimits;
    bundle: Bundle;
    /** In the order in which they were made; the first one is call 1. Questions to `@codemode/discovery` are calls too. */
    calls: readonly RecordedCall[];
    /** What the script heard, in the order in which it did. */
    events: readonly RecordedEvent[];
    /** What the run came to. */
    answer: RunAnswer;
    ending: RecordedEnding;
}
/** How a run ended: by itself, at a limit, or from outside. */
type RecordedEnding = "result" | "failure" | "broken" | "cancelled" | keyof RunLimits;
/** A call with its times, in milliseconds since the start of the run. */
interface RecordedCall {
    serverId: string;
    toolName: string;
    input: JsonValue;
    startMs: number;
    /** Both absent where the run ended before the call did. */
    endMs?: number;
    reply?: ToolReply;
}
/** The reply to a call reached the script, or a timer fired, at that time of the script's clock. Both are counted from 1. */
type RecordedEvent = {
    timeMs: number;
    call: number;
} | {
    timeMs: number;
    timer: number;
};

/** Asks for a recording of one run. */
interface RecordRequest {
    /** Glob patterns over the names of what must not end in the recording. */
    redact: readonly string[];
    /** Receives the recording; undefined if the run exceeds its maximum size. */
    onRecorded: (recording: Recording | undefined) => void;
}

/**
 * What happens with a server that a user has to act on before it can start: `throw` where the user who can act started the command,
 * `ask` where the caller's `approve` reaches that user, `report` where neither is so.
 */
type OnUnstartable = "throw" | "ask" | "report";

/** What `approve` may answer with. Anything else approves nothing. */
type ApprovalAnswer = boolean | ApprovalVerdict | CallDecision;
/** Decides what needs an approval, and learns for whom: `context` of the run, and its key. */
type AskApproval<Context = unknown> = (request: ApprovalRequest & {
    context?: Context;
    run?: {
        key: string;
    };
}) => ApprovalAnswer | Promise<ApprovalAnswer>;
/** How an engine works. Everything has a default. */
interface EngineOptions<Context = unknown> {
    /** What is done about drift; unless given what the configuration says, else `review`, and `warn` with one `script`. */
    drift?: DriftPolicy | undefined;
    /** Lock and generate nothing, and refuse drift, a missing lockfile and outdated packages. */
    frozen?: boolean | undefined;
    /** What refused drift stops: scripts that use a drifted tool (`tool`, the default), or a drifted server (`server`). */
    refuseBy?: "server" | "tool" | undefined;
    /**
     * Decides where the policy says `ask`, before a script runs, and with `askEach` about a call (`request.call`) while it runs. Without it such
     * scripts do not run, and such calls are refused.
     */
    approve?: AskApproval<Context> | undefined;
    /**
     * Puts a question that a server asks in the middle of a call to a person. All its texts are the server's, cleaned. Without it questions are
     * declined. The time of the run stands still meanwhile.
     */
    ask?: ((question: ServerQuestion, signal: AbortSignal) => Promise<PersonsReply>) | undefined;
    /**
     * Names the user of a context: long results are kept for the scripts of one user. Unless given, contexts with the same JSON are one user's, and a
     * context that JSON cannot hold is a user of its own.
     */
    userOf?: ((context: Context) => string) | undefined;
    /** A name of `serve.clients`: the engine may do what that client may. */
    client?: string | undefined;
    /** When scripts are type-checked; unless given what the configuration says. An engine for one `script` checks none. */
    typecheck?: TypecheckMode | undefined;
    /** How many runs there are at a time: so many sandboxes are kept ready. Unless given the number follows the load. */
    concurrency?: number | undefined;
    /** What each run has for itself: a process, a realm or a compartment; unless given what the configuration says. */
    isolation?: Isolation | undefined;
    /** How many further runs a sandbox process serves, for one client, with realms and compartments; unless given what the configuration says. */
    reuse?: number | undefined;
    /**
     * Called with all that happens in the engine, in the order in which it happens. One that throws hears no more of that run, which goes on; `onNote` gets a
     * line.
     */
    observers?: readonly ((event: HostEvent) => void)[] | undefined;
    /** The one script that will run, as often as it may: only what it needs is prepared, and its servers and its bundle start at once. */
    script?: Script | undefined;
    /** No script will run: neither a bundler nor a sandbox starts. */
    callsOnly?: boolean | undefined;
    /**
     * Limits of all runs, in place of those of the configuration: milliseconds (`timeoutMs`), bytes (`maxMemoryBytes`, `maxLogBytes`,
     * `maxResultBytes`) and numbers (`maxToolCalls`).
     */
    limits?: Partial<RunLimits> | undefined;
    /** What happens with a server that a user has to act on first: an error of the call (`report`, the default), a question, or an exception. */
    onUnstartable?: OnUnstartable | undefined;
    /** Names the caller in logs, traces and metrics; `library` unless given. */
    origin?: RunOrigin | undefined;
    /** How `approve` asks, for the audit log. */
    approvalBy?: ApprovalWay | undefined;
    /** Called with each line on what is locked, generated or left out. */
    onNote?: ((line: string) => void) | undefined;
    /** Called when long work begins, with what it is; it gets the progress, and is called back at the end. */
    showProgress?: ShowWork | undefined;
    /** Ends the preparation of the engine. */
    signal?: AbortSignal | undefined;
}
/** How a durable run waits, and what is called meanwhile. */
interface DurableSettings {
    suspendAfterMs?: number;
    /**
     * The id of a run that has ended: this script goes on with it. What that run was answered is taken over, up to the first call that this script makes
     * otherwise; its input too, unless given.
     */
    from?: string;
    /**
     * The id of a run that has ended: this script takes back what it has done. Its input are the calls of that run that have succeeded, the last first, as
     * `{ call, tool, input, result }`. When it ends without an error they count as taken back.
     */
    undo?: string;
    /** Asked where the run of `from` has changed something by later calls, as SERVER/TOOL: whether this one begins all the same. It does not unless given. */
    mayLeave?: (calls: readonly string[]) => boolean | Promise<boolean>;
    /** Asked where servers of the run of `from` or `undo`, or of one that is retried, are elsewhere now, by their ids: whether it goes on there. It does not unless given. */
    mayMove?: (servers: readonly string[]) => boolean | Promise<boolean>;
    /**
     * Asked where tools of a run that goes on have changed so that its calls may mean something else, as SERVER/TOOL: whether it goes on with them. It does not
     * unless given. A change of words, or one by which a tool takes or gives more, is not asked about.
     */
    mayChange?: (tools: readonly string[]) => boolean | Promise<boolean>;
    /** How long it waits for a person while nothing else happens, in milliseconds; then it is left as it is, with `APPROVAL_REQUIRED`. As long as it takes unless given. */
    waitMs?: number;
    /** Called with the id of the run as soon as it is kept. */
    onBegun?: (runId: string, endedAt?: number) => void;
    /** Called when its sandbox is given back (true), and when it goes on (false). */
    onSuspended?: (isSuspended: boolean) => void;
}
/** Asks for a dry run. */
interface DryRunRequest {
    /** Called for each call that a real run would make. */
    onSkipped?: (call: SkippedCall) => void;
}
/** How one script runs. */
interface RunOptions<Context = unknown> {
    /** Any JSON, read at `globalThis.__codemode_input__`; `null` unless given. */
    input?: JsonValue | undefined;
    /**
     * The idempotency key of the run: 1 to 128 letters, digits, dots, colons, slashes, underscores and dashes. The script reads it at
     * `globalThis.__codemode_run__.key`, and servers get it with each call. Unless given the run gets one of its own.
     */
    key?: string | undefined;
    /** Lower limits for this run, in the units of the engine's `limits`. A higher one than the engine's has no effect. */
    limits?: Partial<RunLimits> | undefined;
    /** For own tools, their guards and approvals: they get it with each call of the run. */
    context?: Context | undefined;
    /** Decides about this run, in place of the engine's `approve`. */
    approve?: AskApproval<Context> | undefined;
    /** Cancels the run. */
    signal?: AbortSignal | undefined;
    /** Called for each console line as it happens. */
    onLog?: ((entry: LogEntry) => void) | undefined;
    /** Called at the start and the end of each tool call, and with the progress and the log messages that its server sends meanwhile. */
    onCall?: ((event: ToolCallEvent) => void) | undefined;
    /** Calls only tools whose servers claim that they only read. */
    dryRun?: DryRunRequest | undefined;
    /** Records the run. */
    record?: RecordRequest | undefined;
    /**
     * Keeps the run so that it survives the end of this process: each call before it is made, and each answer. While it waits for a person or a timer for
     * longer than `suspendAfterMs` (10,000 milliseconds unless given) it has no sandbox. The answer has the id of the run (`runId`). Closing the engine leaves it as it is:
     * `engine.durableRuns()` goes on with it, then or in another process.
     */
    durable?: boolean | DurableSettings | undefined;
    /** Called with all that happens in this run, in the order in which it happens. */
    onEvent?: ((event: RunEvent) => void) | undefined;
}
/** How one call of the tool that runs code is made. */
type ToolCallOptions<Context = unknown> = Pick<RunOptions<Context>, "context" | "signal" | "key" | "limits" | "approve" | "onCall" | "onLog">;
/** How one tool is called without a script. */
type CallToolOptions<Context = unknown> = Pick<RunOptions<Context>, "context" | "signal" | "approve">;
/** For whom a script is checked. */
type CheckOptions<Context = unknown> = Pick<RunOptions<Context>, "context">;

/**
 * How a durable run stands. `running` in a process that is alive; `interrupted` where that is gone; `waiting` for a person or a timer, without a
 * sandbox; `blocked` where its answer says why it cannot go on; `damaged` where it cannot be read.
 */
type DurableState = "running" | "waiting" | "interrupted" | "blocked" | "ended" | "damaged";
/** A durable run as it is listed. Of a damaged one only its id is known. */
interface RunOverview {
    id: string;
    /** The idempotency key. */
    key: string;
    /** The client of `serve` that has begun it; absent for the operator. */
    client?: string | undefined;
    /** The name of its script. */
    script: string;
    /** Milliseconds since the epoch, like the other times. */
    begunAt: number;
    state: DurableState;
    /** How many calls it has made. */
    calls: number;
    /** What a person is asked: the lines of each question. */
    questions: readonly (readonly string[])[];
    /** Since when it waits; absent where it does not. */
    waitsSince?: number | undefined;
    /** When it goes on by itself. */
    wakeAt?: number | undefined;
    endedAt?: number | undefined;
    /** The code of the error that it is blocked by, or has ended with. */
    error?: string | undefined;
    /** Of a run that is blocked or has ended: `find` gives it, and lists do not. */
    answer?: RunAnswer | undefined;
}
/** A question of a run to a person that no one has answered yet. */
interface OpenQuestion {
    /** `RUNID.NUMBER`, for ever: the questions of a run are counted from 1. */
    id: string;
    run: string;
    /** As in `RunOverview`. */
    client?: string | undefined;
    script: string;
    /** The folder of its project, where it has one. */
    project?: string | undefined;
    /** Whether it is about one call, about the script before it runs, or a question of a server in the middle of a call. */
    kind: "call" | "script" | "server";
    /** The tools that the script wants to call, as `SERVER/TOOL`: of a call its tool; none where a server asks. */
    tools: readonly string[];
    /** Over all that is shown of this question, and over what makes it this one: an answer that names it counts for no other question. */
    digest: string;
    /** The lines of the question, safe to be shown. */
    lines: readonly string[];
    /** The same with the arguments of the call to their ends, where `lines` shorten them; with code, input and digest of a script. */
    whole?: readonly string[] | undefined;
    /** When it closes, in milliseconds since the epoch; absent for a durable run, which waits as long as that takes. */
    until?: number | undefined;
    /** The processes of the client that asks, where they are on this machine: an answer from below them is the agent's own. */
    clientProcesses?: readonly number[] | undefined;
    /** The public key by which its process verifies answers; empty where no passphrase was set when that began, absent for a durable run. */
    verifiesWith?: string | undefined;
}
/**
 * What becomes of an answer: `given`, also the second time; `answered` where the question has another one, `gone` where it is closed, `wrong` without a
 * proof, `stale` where another question was shown than the one that has the id now.
 */
type AnswerOutcome = "given" | "answered" | "gone" | "wrong" | "stale";
/** Why a decision is no answer to a question. */
interface InvalidAnswer {
    problem: string;
}
/**
 * Proves that a person has given an answer: signs a text with what that person alone knows. Undefined where that is wrong.
 * @param verifiesWith as in `OpenQuestion`
 */
type SignAnswer = (text: string, verifiesWith?: string) => Promise<string | undefined | InvalidAnswer>;
/** What an answer is given with. */
interface AnswerProof {
    /** By whom the answer is proven to the process that has the run; without it this process vouches for it. */
    sign?: SignAnswer | undefined;
    /** The client in whose form it is given, which counts where that client has begun the run and may approve. */
    form?: {
        client: string | undefined;
        mayApprove: boolean;
    } | undefined;
    /** The digest of the question that was shown. */
    digest?: string | undefined;
    /** The folder of the project whose questions alone are answered: `gone` for each other one. */
    project?: string | undefined;
}
/** Something that has happened in a run. The steps of a run are in the order in which they happened. Calls are counted from 1, with questions to the host. */
type Step = 
/** The script has made a call, at that time of its clock in milliseconds since its start. */
{
    kind: "call";
    call: number;
    serverId: string;
    toolName: string;
    inputJson: string;
    timeMs: number;
}
/**
 * A person is asked about a call, about the script before it runs, or for a server in the middle of a call: one question about each at a time. `tools`
 * are the tools that the script may call, as `SERVER/TOOL`; it waits from `at` on. `inputSchema` of a call's tool says which arguments a person may change.
 * `whole` are the lines with the arguments to their ends, where the others shorten them, or with code, input and digest of the script.
 * `nonce` is random: an answer to this question is none to the same question when it is put again.
 */
 | ({
    kind: "asked";
    digest: string;
    nonce: string;
    lines: readonly string[];
    whole?: readonly string[] | undefined;
    /** When it closes by itself: in a run that is not durable. */
    until?: number | undefined;
} & ({
    about: "call";
    call: number;
    tools?: readonly string[] | undefined;
    inputSchema?: JsonValue | undefined;
} | {
    about: "script";
    tools: readonly string[];
    at: number;
} | {
    about: "server";
    question: ServerQuestion;
}))
/** A person has decided about the question of that number, counted from 1, which is open and has that digest. */
 | {
    kind: "decided";
    number: number;
    digest: string;
    decision: CallDecision;
}
/** That question is open no more, and has no decision: its time is over, or its run has ended. */
 | {
    kind: "closed";
    number: number;
    digest: string;
}
/** From here on the server may have got the call, with this input. */
 | {
    kind: "sent";
    call: number;
    input: JsonObject;
}
/** The script hears the answer to a call, at that time of its clock. */
 | {
    kind: "reply";
    call: number;
    timeMs: number;
    replyJson: string;
    durationMs: number;
    isBroken?: true | undefined;
}
/** The script hears that a timer has fired. */
 | {
    kind: "fire";
    timer: number;
    timeMs: number;
}
/** The sandbox was given back, after so many milliseconds of work. */
 | {
    kind: "suspended";
    usedMs: number;
    wakeAt?: number | undefined;
    at: number;
}
/** The run could not go on: its answer says why. It goes on when it is asked to. */
 | {
    kind: "blocked";
    answer: RunAnswer;
} | {
    kind: "ended";
    at: number;
    answer: RunAnswer;
    ending: RecordedEnding;
}
/** A person lets a run that has failed go on: what these calls were answered with counts for nothing, and no timer after the first of them. */
 | {
    kind: "retried";
    at: number;
    calls: readonly number[];
}
/** The program begins to take back what a call has done, or has failed to, after the end of the run, which comes once more. */
 | {
    kind: "undoing";
    call: number;
    hasFailed?: true | undefined;
}
/** The program has taken back what a call has done, or the script of the run of this id; the end of the run comes once more. */
 | {
    kind: "undone";
    call: number;
    undoneBy?: string | undefined;
};
/** The durable runs of a project, those of other processes too. */
interface DurableRunList {
    /** @throws CodemodeError `RUN_UNKNOWN`, `RUN_DAMAGED` */
    find(id: string): Promise<RunOverview>;
    /**
     * The runs, the oldest first, without their answers.
     * @throws CodemodeError where the store cannot be used: no run is left out
     */
    list(): Promise<RunOverview[]>;
    /** What has happened in a run so far. */
    steps(id: string): Promise<readonly Step[]>;
    /** A run as a recording, which `codemode replay` reads; of one that has not ended, as far as it has come. */
    recording(id: string): Promise<Recording>;
    /** Cancels a run: here at once, elsewhere as soon as its process looks, and one that no process has before it goes on. */
    cancel(id: string): Promise<void>;
    /** Removes a run that has ended, or is damaged. Gives how many. */
    remove(id: string): Promise<number>;
    /** Removes the runs that ended before a time, in milliseconds since the epoch. Gives how many. */
    prune(before: number): Promise<number>;
    /** The questions that wait for a person, in all runs. */
    questions(): Promise<OpenQuestion[]>;
    /**
     * Answers one, also of a run that another process has, or no process. An answer that is given again is `given`. A change takes the place of the arguments
     * of the same names.
     * @param id of the question
     * @throws CodemodeError `RUN_HELD` where another process has the run, and nothing vouches for this one there
     */
    answer(id: string, decision: CallDecision, proof?: AnswerProof): Promise<AnswerOutcome | InvalidAnswer>;
    /** Answers a question of a durable run of this process, by its digest; false where it is not open. */
    decide(id: string, digest: string, decision: CallDecision): Promise<boolean>;
}

/** A JSON Schema of an object, as agent frameworks take it. */
type ToolInputSchema = JsonObject & {
    type: "object";
    properties: {
        [name: string]: JsonObject;
    };
    required: string[];
    additionalProperties: true;
};

/** How an engine is served on a transport. */
interface ServeOnOptions<Context = unknown> {
    /** What own tools and guards get as the context of a request, of what its transport knows: the login, the HTTP request, the session. */
    context?: ((request: ServedRequest) => Context | Promise<Context>) | undefined;
}
/** What a transport of the MCP SDK knows of the request that a message came with. */
interface ServedRequest {
    authInfo?: any;
    requestInfo?: any;
    sessionId?: string;
}
/** What an agent gets: with more tools than a description can show, `search` finds them. */
interface DescribedTools<Context = unknown> {
    code: FrameworkTool<Context>;
    search?: {
        name: string;
        description: string;
        inputSchema: object;
        /** Searches what the context of these tools may call, or the one that a framework gives, as `execute` of `code` takes it. */
        execute(args: unknown, given?: unknown): Promise<string>;
    };
}
/** A Standard Schema that gives its JSON Schema (`https://standardschema.dev`), in the form that frameworks take. */
interface StandardJsonSchema {
    readonly "~standard": {
        readonly version: 1;
        readonly vendor: string;
        readonly types?: {
            readonly input: any;
            readonly output: any;
        } | undefined;
        validate(value: unknown): {
            value: any;
        };
        readonly jsonSchema: {
            input(): {
                [keyword: string]: unknown;
            };
            output(): {
                [keyword: string]: unknown;
            };
        };
    };
}
/** A tool for an agent framework: what it lists, and the function that it calls. */
interface DescribedTool<Context = unknown> {
    /** Letters, digits and underscores: every model API accepts it. */
    name: string;
    /** For the model: how to write a script, and what it can import. */
    description: string;
    /** JSON Schema of `args`. */
    inputSchema: ToolInputSchema;
    /** JSON Schema of what `call` resolves to. */
    outputSchema: JsonObject;
    /**
     * Runs the code of `args`. It resolves to an answer for every script; what is wrong with `args` is a diagnostic. As over MCP, a model pays little
     * for it: `toolTrace` is summed up (`serve.trace`), and of a long result it has the beginning, while the next script can import all of it.
     * @throws CodemodeError where the engine is closed (`ENGINE_CLOSED`)
     * @example
     * const answer = await engine.describeTool().call({ code: "export default 6 * 7;" }, { signal: AbortSignal.timeout(10_000) });
     * console.log(answer.result);
     */
    call(args: unknown, options?: ToolCallOptions<Context>): Promise<ToolAnswer>;
}
/** What a model is given of an answer: its text, and images and sounds, in the words of MCP. */
type ToolContent = {
    type: "text";
    text: string;
} | {
    type: "image" | "audio";
    data: string;
    mimeType: string;
};
/** What the tool answers. */
interface ToolAnswer extends RunAnswer {
    /**
     * Images and sounds of the result, in which each has `content` in place of its data: which of these it is, from 1. It is no member that is printed, so
     * that a model does not read them as text.
     */
    readonly media?: readonly ToolContent[];
}
/** The same as a tool of AI SDK, Mastra, TanStack and LangChain, which take it as it is: its schemas are Standard Schemas as well. */
type FrameworkTool<Context = unknown> = {
    [Member in keyof FrameworkMembers<Context>]: FrameworkMembers<Context>[Member];
};
interface FrameworkMembers<Context> extends DescribedTool<Context> {
    inputSchema: ToolInputSchema & StandardJsonSchema;
    outputSchema: JsonObject & StandardJsonSchema;
    /**
     * `call` for frameworks, which call it with options of their own: it takes `context` (or `experimental_context`, `requestContext`, `configurable`)
     * and `signal` (or `abortSignal`) of them.
     * @example
     * const { execute } = engine.describeTools().code;
     * console.log(await execute({ code: "export default 6 * 7;" }, { abortSignal: AbortSignal.timeout(10_000) }));
     */
    execute(args: unknown, given?: unknown, details?: unknown): Promise<ToolAnswer>;
    /**
     * The same as content for a model: the answer as text, and beside it images and sounds.
     * @example
     * const { content } = engine.describeTools().code;
     * console.log((await content({ code: "export default 6 * 7;" })).map(({ type }) => type));
     */
    content(args: unknown, given?: unknown, details?: unknown): Promise<ToolContent[]>;
    /** For AI SDK and Mastra: an image of the result reaches the model as an image. */
    toModelOutput(given: unknown): any;
    /** For LangChain and LangGraph, like the next two. */
    readonly lc_runnable: true;
    readonly schema: ToolInputSchema;
    invoke(input: unknown, config?: unknown): Promise<ToolAnswer>;
}
/** The messages of an MCP connection, as the SDK's transports carry them. */
interface ServableTransport {
    /** Begins to take messages. */
    start(): Promise<void>;
    /** Sends one message. */
    send(message: never, options?: never): Promise<void>;
    /** Ends the connection. */
    close(): Promise<void>;
}
/** What one call of a tool came to. */
interface CallResult {
    /** The whole MCP result; absent where the call was refused or did not reach the tool. */
    result?: JsonObject;
    /** What a binding returns, or the error that it throws. */
    reply: {
        ok: true;
        value: JsonValue;
    } | {
        ok: false;
        error: {
            message: string;
            hint: string;
        };
    };
    /** What was found beside it: drift, for instance. */
    diagnostics: readonly Diagnostic[];
}
/** How a run is taken back. */
interface UndoOptions<Context = unknown> {
    /** What `undo` of the tools gets as the context of its call. */
    context?: Context | undefined;
    /** Leaves calls as they are whose tools have no `undo`, whose answer is not known, or whose `undo` a process has begun that has ended. */
    partial?: boolean | undefined;
    /** Calls again an `undo` that a process began and did not finish. Tools with `idempotentHint` do not need it. */
    repeat?: boolean | undefined;
}
/** How a durable run goes on in this process. */
interface ResumeOptions<Context = unknown> extends Pick<RunOptions<Context>, "context" | "onLog">, Pick<DurableSettings, "suspendAfterMs" | "waitMs" | "mayMove" | "mayChange"> {
}
/** The durable runs of a project, and how this engine goes on with them. */
interface EngineRuns extends DurableRunList {
    /**
     * Goes on with a run that no other process has, to its end. Gives the answer of one that has ended. Own tools get the context that is given here.
     * @throws CodemodeError `RUN_UNKNOWN`, `RUN_HELD` where another process has it, `RUN_DAMAGED`
     */
    resume(id: string, options?: ResumeOptions): Promise<RunAnswer>;
    /**
     * Lets a run that has failed go on, as `resume` does: calls that were answered with an error after the last other call are made again. One that was
     * cancelled, or taken back, stays as it is.
     * @throws CodemodeError as `resume`, and `RUN_MOVED`
     */
    retry(id: string, options?: ResumeOptions): Promise<RunAnswer>;
    /**
     * Calls `undo` of the own tools that a run has called, the last call first, each once. The run has ended.
     * @returns what was taken back, as SERVER/TOOL
     * @throws CodemodeError (`INVALID_OPTION`) before anything is taken back: where tools that do not only read have no `undo`, a process has ended
     * while it took a call back, or the answer of a call is not known; unless `partial`, or `repeat`
     */
    undo(id: string, options?: UndoOptions): Promise<string[]>;
    /**
     * Goes on with each run that no process has, now and later, until the function that it returns is called, or the engine is closed. Own tools get no
     * context then: one with a guard is refused.
     */
    watch(options?: {
        suspendAfterMs?: number;
        onFailure?: (error: unknown) => void;
    }): () => void;
}
/**
 * Holds the connections and credentials of a project, runs scripts in sandboxes and checks each call. Close it: until then
 * its servers keep the program alive.
 */
interface Engine<Context = unknown> extends AsyncDisposable {
    /**
     * What scripts can use now. It changes where `drift` follows the servers; with `review`, a definition that waits for a person is in it without
     * its words (`pending`), and such a value is no lockfile to be written.
     */
    readonly lockfile: Lockfile;
    /**
     * Runs a script in a fresh sandbox. It resolves to an answer for every script: a failing one does not reject, but has diagnostics.
     * @throws CodemodeError where a file cannot be read, the engine is closed (`ENGINE_CLOSED`), and with `onUnstartable: "throw"`
     * @example
     * const code = "export default globalThis.__codemode_input__.map((word) => word.length);";
     * const answer = await engine.run({ code }, { input: ["lock", "run"], limits: { timeoutMs: 5000 } });
     * console.log(answer.result, answer.diagnostics);
     */
    run(script: Script, options?: RunOptions<Context>): Promise<RunAnswer>;
    /**
     * Calls one tool with the checks that a script's call gets, and resolves to what a binding returns.
     * @param tool as SERVER/TOOL
     * @throws CodemodeError where the call has no result (`TOOL_CALL_FAILED`), or the name is not one of a tool (`TOOL_UNKNOWN`, `TOOL_UNNAMED`)
     * @throws the reason of the signal, where that ended the call, like `tryTool`
     * @example
     * const graph = await engine.callTool("memory/read_graph");
     * console.log(graph);
     */
    callTool(tool: string, input?: JsonValue, options?: CallToolOptions<Context>): Promise<JsonValue>;
    /**
     * As `callTool`, but a call that fails does not reject: `reply` has its error, and `result` the whole MCP result.
     * @throws CodemodeError where the name is not one of a tool, or the engine is closed
     * @example
     * const { diagnostics } = await engine.tryTool("memory/search_nodes", { query: "release" });
     * console.log(diagnostics);
     */
    tryTool(tool: string, input?: JsonValue, options?: CallToolOptions<Context>): Promise<CallResult>;
    /**
     * Describes the tool that runs code, with what is locked now.
     * @throws CodemodeError where the engine was opened for one script or for calls alone (`ENGINE_LIMITED`)
     * @example
     * const { name, description, inputSchema, call } = engine.describeTool();
     * console.log(name, description.length, inputSchema);
     * const { result } = await call({ code: "export default 6 * 7;" });
     * console.log(result);
     */
    describeTool(): DescribedTool<Context>;
    /**
     * Describes the tool that runs code to an agent of that context: tools that its guards take out are not in it.
     * @throws CodemodeError as `describeTool`
     * @example
     * const { description } = await engine.toolFor({ role: "admin" });
     * console.log(description.length);
     */
    toolFor(context: Context): Promise<FrameworkTool<Context>>;
    /**
     * Describes what an agent gets: the tool that runs code, and where there are more tools than its description can show, one that searches them.
     * @throws CodemodeError as `describeTool`
     * @example
     * const { code, search } = engine.describeTools();
     * console.log(code.name, search?.name);
     */
    describeTools(): DescribedTools<Context>;
    /**
     * The same for an agent of that context: what its guards take out is in neither of the tools.
     * @throws CodemodeError as `describeTool`
     * @example
     * const { code, search } = await engine.toolsFor({ role: "admin" });
     * console.log(code.description.length, search?.name);
     */
    toolsFor(context: Context): Promise<DescribedTools<Context>>;
    /**
     * Bundles and type-checks a script with the tools that there are now, and compares what it may call with the policy. Runs nothing.
     * @throws CodemodeError where a file cannot be read; what is wrong with the script is a diagnostic
     * @example
     * const { ok, diagnostics } = await engine.check({ code: "export default 6 * 7;" });
     * console.log(ok, diagnostics);
     */
    check(script: Script, options?: CheckOptions<Context>): Promise<CheckResult>;
    /**
     * Serves the engine over MCP on a transport, until the function that it resolves to is called. Where the policy says `ask`, the connected client
     * gives approval only if `serve.mayApprove` of the configuration is set.
     * @throws CodemodeError where the engine was opened for one script or for calls alone (`ENGINE_LIMITED`)
     * @example
     * import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
     *
     * const [near, far] = InMemoryTransport.createLinkedPair();
     * const end = await engine.connectTo(far);
     * const client = new Client({ name: "example", version: "1.0.0" });
     * await client.connect(near);
     * console.log((await client.listTools()).tools.length);
     * await end();
     */
    connectTo(transport: ServableTransport, options?: ServeOnOptions<Context>): Promise<() => Promise<void>>;
    /**
     * Opens the durable runs of the project.
     * @example
     * const runs = await engine.durableRuns();
     * for (const { id, state } of await runs.list()) console.log(id, state);
     */
    durableRuns(): Promise<EngineRuns>;
    /**
     * Ends servers and sandboxes. Runs that are not over then end with `RUN_CANCELLED`; durable ones are left as they are, with `RUN_CONTINUES`.
     * @param options.graceMs how long runs may take to end by themselves, in milliseconds; 0 unless given
     * @example
     * await engine.close({ graceMs: 2000 });
     */
    close(options?: {
        graceMs?: number;
    }): Promise<void>;
}

/** What a function learns of the call that it serves, and does beside its work. */
interface ToolContext<Context = unknown> {
    /** What the caller of the run has given. */
    context: Context;
    /** Aborted when the result is no longer wanted. */
    signal: AbortSignal;
    /** The run: its id in the audit log and traces, its idempotency key, and which of its calls this is, from 1. A call without a script has no key. */
    run: {
        id: string;
        key: string;
        number: number;
    };
    /** Reports how far the work is. */
    progress(done: number, total?: number, message?: string): void;
    /** Says something to those who watch the run. */
    log(text: string, level?: "debug" | "info" | "warning" | "error"): void;
    /** Puts a question to a person: the parameters of `elicitation/create` of MCP in, its result out. It is declined where there is no one to ask. */
    ask(question: JsonObject): Promise<JsonObject>;
}
/** What reaches the script whole, as `code` and `data` of the error that it catches. */
declare class ToolError extends Error {
    readonly name = "ToolError";
    readonly code: string | undefined;
    readonly data: JsonValue | undefined;
    constructor(message: string, { code, data }?: {
        code?: string;
        data?: JsonValue;
    });
}

/** What the program says of a tool beside what it does: also of one of an MCP server. */
interface OwnToolRules<Context = unknown> {
    /** Whether the tool exists for a context; where not, nothing tells of it, and its call is refused. */
    enabled?: boolean | ((context: Context) => boolean | Promise<boolean>) | undefined;
    /** Whether a person is asked about each call, or about which: a boolean, or a function of the input and `{ context }`. */
    needsApproval?: unknown;
    /** Takes back what a call has done, for `undo` of a run. */
    undo?(input: never, result: never, call: ToolContext<Context>): unknown;
}
/**
 * A function as a tool, as AI SDK, Mastra, TanStack, LangChain and OpenAI Agents make it, or an object literal. It has an input schema and one
 * function, under one of their names each.
 */
interface OwnTool<Context = unknown> extends OwnToolRules<Context> {
    /** For agents; a function of the AI SDK counts as none. */
    description?: unknown;
    title?: unknown;
    /** Standard Schema that gives its JSON Schema (zod, arktype, `toStandardJsonSchema` of valibot), JSON Schema, or `jsonSchema()` of the AI SDK. */
    inputSchema?: unknown;
    /** The same, as OpenAI Agents call it. */
    parameters?: unknown;
    /** The same, as LangChain calls it. */
    schema?: unknown;
    /** Of what the function returns; unless given the result is `unknown` to scripts. */
    outputSchema?: unknown;
    /** What the tool claims (MCP, ToolAnnotations). */
    annotations?: JsonObject | undefined;
    /** The same, as Mastra calls it. */
    requireApproval?: unknown;
    execute?(input: never, call: never): unknown;
    invoke?(input: never, ...rest: never[]): unknown;
    handler?(input: never, call: never): unknown;
    call?(input: never, call: never): unknown;
}

/** An MCP server of the program, or what makes one for a connection. */
type GivenServer = ConnectableServer | (() => ConnectableServer | Promise<ConnectableServer>);
/** One server of a program: tools by their names, an MCP server or what makes one, the same with rules for its tools, or an entry as in `mcpServers`. */
type OwnServer<Context = unknown> = {
    readonly [tool: string]: OwnTool<Context>;
} | GivenServer | {
    server: GivenServer;
    tools: {
        readonly [tool: string]: OwnToolRules<Context>;
    };
} | ServerEntry;
/** Servers by their names. */
interface OwnServers<Context = unknown> {
    readonly [name: string]: OwnServer<Context>;
}

/** Which project is opened, and with what. */
interface ProjectOptions {
    /** The folder that relative paths belong to, and where a configuration is looked for; the working directory unless given. */
    cwd?: string | undefined;
    /** A configuration's file, or the configuration itself. Unless given, the first of the files that `codemode` looks for. */
    config?: string | ConfigFile | undefined;
    /** The variables that placeholders such as `${TOKEN}` stand for; `process.env` unless given. */
    env?: {
        readonly [name: string]: string | undefined;
    } | undefined;
    /**
     * Trusts the programs and addresses of a configuration's file. Without it they start only if this account has trusted them (`codemode trust`,
     * `CODEMODE_TRUST=1`, also in `env`). A configuration that the program passes itself is trusted.
     */
    trust?: boolean | undefined;
    /** Servers of the program itself, beside the configured ones: functions as tools, or MCP servers. They are not locked. */
    servers?: OwnServers | undefined;
    /** Cancels all work that the project's methods have started. */
    signal?: AbortSignal | undefined;
}
/** What all work with servers takes. */
interface WorkOptions {
    /** Ids or names of servers; all unless given. */
    servers?: readonly string[] | undefined;
    /** Ends the work: the method rejects. */
    signal?: AbortSignal | undefined;
    /** Called when a part of the work is done. */
    onProgress?: OnProgress | undefined;
}
/** How servers compare with the lockfile. */
interface DiffResult {
    /** Each server that differs, with its tools and a class for each change. */
    changes: readonly ServerChange[];
    /** Ids of the servers that answered. */
    answered: readonly string[];
    /** Servers that did not answer. Each keeps the entry that it has. */
    failures: readonly ServerLockFailure[];
}
/** What locking came to: what a comparison gives, and the new lockfile. */
interface LockResult extends DiffResult {
    /** What the servers and the former lockfile make together. */
    lockfile: Lockfile;
    /** Entries of tool lists that were left out, by server id. */
    problems: ReadonlyMap<string, readonly ToolListProblem[]>;
    /** Secrets that stand in the configuration as text, and patterns in it that match nothing, one sentence for each. */
    warnings: readonly string[];
}
/** A server that did not answer. */
interface ServerLockFailure {
    /** Its id in the lockfile. */
    serverId: string;
    /** Why, with a hint. */
    error: CodemodeError;
}
/** What repairing a lockfile came to. The changes are against what could be read of it. */
interface RepairResult extends LockResult {
    /** Why entries were not taken over, by server id. */
    broken: ReadonlyMap<string, string>;
    /** What is wrong with shapes of results that were left out, by the id of the server. */
    brokenShapes: ReadonlyMap<string, readonly string[]>;
}
/** Files of the generated packages, relative to the output folder. */
interface GenerateResult extends OutputChange {
    /** Whether the output folder held a package before. What was never generated is not out of date: `check` lists nothing then. */
    wasGenerated: boolean;
    /** What the packages follow from. */
    lockfile: Lockfile;
}
/** What may be prepared for a script. */
interface PrepareOptions {
    /** Lock and generate nothing: a missing lockfile or an outdated package is an error. */
    frozen?: boolean;
    /** Cancels the preparation. */
    signal?: AbortSignal | undefined;
    /** Called with each line on what is locked or generated. */
    onNote?: ((line: string) => void) | undefined;
    /** Shows the progress of the first lock, under a label. */
    showProgress?: ShowWork | undefined;
}
/** A pinned bundle with warnings, or the reasons why there is none. */
type BundleResult = PinOutcome;
/** A project on disk. Opening it starts nothing. */
interface Project {
    /** The folder of the configuration, the lockfile and the generated packages. */
    readonly folder: string;
    /** The lockfile as it is on disk; undefined where there is none. Throws a `CodemodeError` where it is broken. */
    readonly lockfile: Lockfile | undefined;
    /** The limits of a run that asks for no lower ones: milliseconds, bytes and numbers of calls. */
    readonly limits: RunLimits;
    /**
     * Reads the file that a script names. What it gives runs without looking at the file again.
     * @throws CodemodeError where the file cannot be read
     * @example
     * const script = await project.read({ code: "export default 6 * 7;" });
     * console.log("bundle" in script ? script.bundle.name : script.code);
     */
    read(script: Script): Promise<ReadScript>;
    /**
     * Snapshots servers into the lockfile, and writes it unless no server has answered; with `check` it writes nothing. A server that does not answer is in `failures`.
     * @throws CodemodeError where the lockfile is broken (`LOCKFILE_INVALID`), or a name of `servers` is unknown (`SERVER_UNKNOWN`)
     * @example
     * const { answered, failures } = await project.lock();
     * for (const { serverId, error } of failures) console.error(serverId, error.message, error.hint);
     * console.log(answered);
     */
    lock(options?: WorkOptions & {
        check?: boolean;
    }): Promise<LockResult>;
    /**
     * Repairs a lockfile that does not parse, after a merge for instance: intact entries are kept without starting their servers, all others are
     * locked again. Undefined where nothing is broken.
     * @throws CodemodeError where there is no lockfile (`LOCKFILE_MISSING`)
     * @example
     * const repaired = await project.repair();
     * console.log(repaired === undefined ? "nothing to repair" : [...repaired.broken.keys()]);
     */
    repair(options?: Omit<WorkOptions, "servers">): Promise<RepairResult | undefined>;
    /**
     * Compares servers with the lockfile, and writes nothing.
     * @throws CodemodeError as `lock`
     * @example
     * const { changes } = await project.diff();
     * const isSafe = changes.every(({ severity }) => severity === "compatible" || severity === "text");
     * if (!isSafe) process.exitCode = 3;
     */
    diff(options?: WorkOptions): Promise<DiffResult>;
    /**
     * Emits the server packages from the lockfile; locks first where there is none. With `check` nothing is written, and the result
     * lists what is out of date. `out` is the folder to write into, relative to the project folder; unless given the configuration's.
     * @throws CodemodeError where the folder holds files of others (`OUTPUT_NOT_OURS`); with `check` also where the lockfile is missing
     * (`LOCKFILE_MISSING`), or has types of another form than the configuration (`LOCKFILE_OUTDATED`)
     * @example
     * await project.generate();
     * const { written } = await project.generate({ check: true });
     * console.log(written.length === 0 ? "up to date" : written);
     */
    generate(options?: WorkOptions & {
        check?: boolean;
        out?: string | undefined;
    }): Promise<GenerateResult>;
    /**
     * Bundles and type-checks a script, and compares what it may call with the policy. Runs nothing and connects no server.
     * @throws CodemodeError where the lockfile is missing or a file cannot be read; what is wrong with the script is a diagnostic
     * @example
     * const { ok, tools } = await project.check({ code: `import "@codemode/servers/memory"; export default 1;` });
     * console.log(ok, tools?.map(({ toolName, policy }) => [toolName, policy]));
     */
    check(script: Script, options?: Pick<PrepareOptions, "onNote">): Promise<CheckResult>;
    /**
     * Bundles a script and pins it to its tools and the lockfile. With `frozen` it locks and generates nothing, as in `EngineOptions`.
     * @throws CodemodeError where the project cannot be prepared, or the script is a pinned bundle already (`SCRIPT_PINNED`)
     * @example
     * const pinned = await project.bundle({ code: "export default 6 * 7;" });
     * if (pinned.ok) console.log(pinned.pinned.bundle.manifest.tools);
     */
    bundle(script: Script, options?: PrepareOptions): Promise<BundleResult>;
    /**
     * Opens what runs scripts and calls tools. It locks and generates first where that is missing, unless `frozen` is set. Servers are
     * connected when a script needs them.
     * @throws CodemodeError where the project cannot be prepared, or `client` is unknown (`SERVED_CLIENT_UNKNOWN`)
     * @example
     * const engine = await project.openEngine({ drift: "refuse", limits: { timeoutMs: 10_000 } });
     * const { result } = await engine.run({ code: "export default 6 * 7;" });
     * console.log(result);
     * await engine.close();
     */
    openEngine(options?: EngineOptions): Promise<Engine>;
}

/**
 * Opens a project: reads and checks its configuration. It starts nothing and writes nothing.
 * @throws CodemodeError where there is no configuration (`CONFIG_MISSING`), or where it is wrong (`CONFIG_BROKEN`, `CONFIG_INVALID`)
 * @example
 * import { openProject } from "codemode";
 *
 * const project = await openProject({
 *   config: { mcpServers: { memory: { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory@2026.8.31"] } } },
 * });
 * console.log(project.folder);
 */
declare function openProject(options?: ProjectOptions): Promise<Project>;

/** How own tools become code mode. Everything has a default. */
interface CodeModeOptions<Context = unknown> extends Omit<EngineOptions<Context>, "script" | "callsOnly" | "frozen"> {
    /** The folder of a project whose configured servers stand beside the own ones. Without it, and without `lock`, no file is read or written. */
    project?: string | undefined;
    /** Trusts the programs and addresses of the project's configuration, as in `openProject`. */
    trust?: boolean | undefined;
    /** The variables that placeholders such as `${TOKEN}` stand for; `process.env` unless given. */
    env?: {
        readonly [name: string]: string | undefined;
    } | undefined;
    /** Of the tool that an agent gets; `code` unless given. */
    toolName?: string | undefined;
    /** A template for its description: `{{types}}`, `{{count}}` and `{{search}}` become the signatures, their number, and how to find a tool. */
    description?: string | undefined;
    /** What scripts may call, as in the configuration. */
    policy?: Partial<Policy> | undefined;
    /** A lockfile that keeps the own servers, so that a change of their tools is seen in review: `codemode.lock.json`. */
    lock?: string | undefined;
    /** Refuses own servers that are not as `lock` has them; with `project` all that `frozen` of an engine refuses. */
    frozen?: boolean | undefined;
    /** Where durable runs are kept without `project`: `"memory"` keeps them in this process, and they end with it; files of this account unless given. */
    runs?: "memory" | undefined;
    /** Keeps the words of errors of own tools from scripts. It is called with each error, and the id that the script gets in its place. */
    hideErrors?: ((error: unknown, errorId: string) => void) | undefined;
}

/** An engine of own tools. */
interface CodeMode<Context = unknown> extends Engine<Context> {
    /** The tool that runs code, described with what there is now: for AI SDK, Mastra, TanStack and others, as it is. */
    readonly tool: FrameworkTool<Context>;
    /** The same as `code`, and `search` where there are more tools than its description can show. */
    readonly tools: DescribedTools<Context>;
    /**
     * The TypeScript declarations of all tools of a context, as an agent's script may import them.
     * @example
     * console.log(await code.declarations());
     */
    declarations(context?: Context): Promise<string>;
    /**
     * Writes the package `@codemode/servers` with the types of all tools of a context, for scripts of a repository and its editors.
     * @param folder to write into; a folder with files of others is refused
     * @throws CodemodeError `OUTPUT_NOT_OURS`
     * @example
     * await code.writeTypes("generated");
     */
    writeTypes(folder: string, context?: Context): Promise<OutputChange>;
    /**
     * The same as `undo` of the durable runs: takes back what a durable run has done.
     * @param runId of its answer
     * @throws CodemodeError as `undo` of `durableRuns()`
     * @example
     * const { runId = "" } = await code.run({ code: "export default 1;" }, { durable: true });
     * console.log(await code.undo(runId));
     */
    undo(runId: string, options?: UndoOptions<Context>): Promise<string[]>;
}
/**
 * Opens an engine for the functions and MCP servers of this program. Without `project` and `lock` it needs no folder, and two of them share nothing.
 * @param servers by name: tools by their names, an MCP server or what makes one, or an entry as in `mcpServers`
 * @throws CodemodeError (`INVALID_OPTION`) where a tool says nothing of its input, with the line to type
 * @example
 * import { codeMode, defineTool } from "codemode";
 *
 * const double = defineTool({
 *   description: "Doubles a number",
 *   inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
 *   execute: ({ n }: { n: number }) => ({ twice: n * 2 }),
 * });
 * const code = await codeMode({ math: { double } });
 * const { result } = await code.run({ code: `import { double } from "@codemode/servers/math";\nexport default await double({ n: 21 });` });
 * console.log(result);
 * await code.close();
 */
declare function codeMode<Context = unknown>(servers: OwnServers<Context>, options?: CodeModeOptions<Context>): Promise<CodeMode<Context>>;

/** What a schema says of its values: by Standard Schema; anything for JSON Schema. */
type ValueOf<Schema, Side extends "input" | "output"> = Schema extends {
    readonly "~standard": {
        readonly types?: infer Types;
    };
} ? NonNullable<Types> extends {
    readonly [Key in Side]: infer Value;
} ? Value : never : any;
/** A tool whose function has the types of its schemas. */
interface DefinedTool<Input, Output, Context> extends Omit<OwnTool<Context>, "inputSchema" | "outputSchema" | "execute" | "undo" | "needsApproval"> {
    inputSchema?: Input;
    outputSchema?: Output;
    needsApproval?: boolean | ((input: ValueOf<Input, "output">, call: {
        context: Context;
    }) => boolean | Promise<boolean>);
    execute(input: ValueOf<Input, "output">, call: ToolContext<Context>): ValueOf<Output, "input"> | Promise<ValueOf<Output, "input">>;
    undo?(input: ValueOf<Input, "output">, result: ValueOf<Output, "output">, call: ToolContext<Context>): unknown;
}
/**
 * The same tool, with `execute` typed by its schemas. It only adds types, and returns the same object.
 * @example
 * import { defineTool } from "codemode";
 *
 * const tool = defineTool({
 *   inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
 *   execute: ({ name }: { name: string }, { context }) => `${name} for ${String(context)}`,
 * });
 * console.log(Object.keys(tool));
 */
declare function defineTool<Context = unknown, Input = unknown, Output = unknown>(tool: DefinedTool<Input, Output, Context>): DefinedTool<Input, Output, Context>;

/**
 * Reads the text of a lockfile and checks its shape, its names and every integrity.
 * @param file for the error's line
 * @param digest what computes the integrities, where there is something faster than plain code
 * @throws CodemodeError where it is no lockfile, or an integrity is wrong (`LOCKFILE_INVALID`)
 * @example
 * import { readFile } from "node:fs/promises";
 * import { parseLockfile } from "codemode";
 *
 * const text = await readFile("codemode.lock.json", "utf8");
 * console.log([...parseLockfile(text, "codemode.lock.json").servers.keys()]);
 */
declare function parseLockfile(text: string, file: string, digest?: TextDigest): Lockfile;
/**
 * The text of `codemode.lock.json`: the same servers give the same bytes.
 * @example
 * import { writeFile } from "node:fs/promises";
 * import { formatLockfile, type Lockfile } from "codemode";
 *
 * export const save = (lockfile: Lockfile): Promise<void> => writeFile("codemode.lock.json", formatLockfile(lockfile));
 */
declare function formatLockfile(lockfile: Lockfile): string;

export { CodemodeError, DIAGNOSTIC_CODES, ToolError, codeMode, defineTool, diffLockfiles, formatLockfile, nextStepOf, openProject, parseLockfile };
export type { AnsweredBy, ApprovalAnswer, ApprovalRequest, ApprovalVerdict, ApprovalWay, AskApproval, BundleResult, CallDecision, CallResult, CallToApprove, CallToolOptions, CheckOptions, CheckResult, CodeMode, CodeModeOptions, ConfigFile, DefinedTool, DescribedTool, DescribedTools, Diagnostic, DiagnosticCode, DiffResult, DriftPolicy, DryRunRequest, DurableSettings, DurableState, Engine, EngineOptions, EngineRuns, FrameworkTool, GenerateResult, HostEvent, JsonObject, JsonValue, LockResult, LockedServer, LockedTool, Lockfile, LogEntry, Manifest, ManifestTool, NextStep, OnProgress, OnUnstartable, OwnServer, OwnServers, OwnTool, OwnToolRules, PinnedBundle, PrepareOptions, Progress, Project, ProjectOptions, ReadScript, RecordRequest, RepairResult, ResumeOptions, RunAnswer, RunEvent, RunFacts, RunLimits, RunOptions, RunOrigin, RunOverview, Script, ScriptToApprove, ServableTransport, ServeOnOptions, ServedRequest, ServerChange, ServerLockFailure, ShowWork, SkippedCall, Step, ToolAnswer, ToolCallEvent, ToolCallOptions, ToolContent, ToolContext, ToolInputSchema, ToolToApprove, ToolTraceEntry, TypecheckMode, UndoOptions, WorkOptions };
