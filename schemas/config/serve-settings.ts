import { withoutUndefined } from "../json/without-undefined.ts";
import type { Policy } from "./policy-settings.ts";

/** The set of MCP tools that an agent sees. */
export type SurfaceKind = "run" | "search" | "files";

/** How the answers to agents show tool calls: single calls up to 20 and totals beyond (`auto`), always one of the two, or none. */
export type TraceMode = "auto" | "calls" | "totals" | "none";

/** `serve` of the configuration as written. */
export interface ServeEntry {
  surface?: SurfaceKind;
  toolName?: string;
  typesBudget?: number;
  bindingLevel?: "server" | "tool";
  description?: string;
  trace?: TraceMode;
  maxResultBytes?: number;
  direct?: string[];
  detachAfterMs?: number;
  durable?: boolean;
  drainMs?: number;
  queue?: Partial<QueueSettings>;
  rateLimit?: RateLimit;
  token?: string;
  operatorToken?: string;
  store?: string;
  storeKey?: string;
  project?: string;
  mayApprove?: boolean;
  metrics?: MetricsSettings;
  allowedHosts?: string[];
  allowedOrigins?: string[];
  maxServerProcesses?: number;
  clients?: { [name: string]: ServedClientEntry };
}

/** One client of `codemode serve --http` as written. */
export interface ServedClientEntry {
  token: string;
  /** Patterns over server ids; as an object, each with the values that replace those of the server. */
  servers?: string[] | { [pattern: string]: ServerValues };
  policy?: Partial<Policy>;
  mayApprove?: boolean;
}

/** Values that replace those of a server for one client; placeholders still in place. */
export interface ServerValues {
  /** Of a stdio server. */
  env?: { [name: string]: string };
  /** Of a remote server. */
  headers?: { [name: string]: string };
}

/** Whether anything is replaced: without it the client shares the server with all others. */
export function hasValues({ env = {}, headers = {} }: ServerValues): boolean {
  return Object.keys(env).length + Object.keys(headers).length > 0;
}

/** How `codemode serve` presents itself: defaults filled in, placeholders still in place. */
export interface ServeSettings {
  surface: SurfaceKind;
  /** The name of the run tool for every client; absent: `DEFAULT_TOOL_NAME`, or one that the client can work with. */
  toolName?: string;
  /** Tokens that declarations may take in the list of tools; absent where the default rule decides. */
  typesBudget?: number;
  /** Of the surface `files`: one file for each server, or one for each tool. */
  bindingLevel: "server" | "tool";
  /** A template for the description of the run tool, with `{{types}}` and `{{count}}`. */
  description?: string;
  trace: TraceMode;
  /** Bytes of a result, as JSON, that an answer holds; a call may ask for up to `limits.maxResultBytes`. */
  maxResultBytes: number;
  /** Glob patterns over `serverId/toolName`: tools that are shown as plain MCP tools too. */
  direct: readonly string[];
  /** How long a request waits for its run, in milliseconds; 0: as long as the run takes. */
  detachAfterMs: number;
  /** Whether runs survive the end of this process; absent: where replicas share a store. */
  durable?: boolean;
  /** How long requests over HTTP are served after SIGTERM, in milliseconds. */
  drainMs: number;
  queue: QueueSettings;
  rateLimit?: RateLimit;
  /** The bearer token of all clients outside of `clients`; may be a placeholder. */
  token?: string;
  /** The bearer token of the operator, who answers approvals over HTTP; may be a placeholder. */
  operatorToken?: string;
  /** The URL of what replicas share; may hold placeholders. */
  store?: string;
  /** What values in the store are encrypted with; may be a placeholder. */
  storeKey?: string;
  /** Names the project in the store; absent: its folder does. */
  project?: string;
  /** Whether a person answers through clients that are none of `clients`; absent: over stdio, not over HTTP. */
  mayApprove?: boolean;
  metrics?: MetricsSettings;
  /** Values of the Host header that are answered beside those of the loopback. */
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  /** How many programs of servers may run for single clients, beside the shared ones. */
  maxServerProcesses: number;
  clients: readonly ServedClient[];
}

/** How many runs there may be at a time. */
export interface QueueSettings {
  maxRunning: number;
  maxWaiting: number;
}

/** Where metrics are served, beside MCP. */
export interface MetricsSettings {
  /** `[HOST:]PORT`. */
  address: string;
  /** May be a placeholder. Needed where others than this machine reach the address. */
  token?: string;
}

/** Of each client. */
export interface RateLimit {
  runsPerMinute: number;
}

/** Someone who comes with a token of their own over HTTP. */
export interface ServedClient {
  name: string;
  /** May be a placeholder. */
  token: string;
  /** Glob patterns over server ids. */
  servers: readonly string[];
  /** By server id: the values in whose place a server of its own runs for the client. */
  ownValues?: ReadonlyMap<string, ServerValues>;
  /** Narrows the project's policy: of both, the stricter verdict counts for each tool. */
  policy?: Partial<Policy>;
  /** Whether a person answers through this client what needs approval. */
  mayApprove: boolean;
}

export const DEFAULT_TOOL_NAME = "codemode.run";
const DEFAULT_SERVED_RESULT_BYTES = 32 * 1024;
const DEFAULT_SERVER_PROCESSES = 32;
/** Many clients give up after 60 s. */
const DEFAULT_DETACH_AFTER_MS = 45_000;
/** Load balancers look every few seconds. */
export const DEFAULT_DRAIN_MS = 10_000;
export const DEFAULT_QUEUE: QueueSettings = { maxRunning: 8, maxWaiting: 64 };

/** Fills in the defaults of a checked configuration. */
export function toServeSettings(entry: ServeEntry = {}): ServeSettings {
  const { surface = "run", toolName, bindingLevel = "server", direct = [] } = entry;
  const { trace = "auto", maxResultBytes = DEFAULT_SERVED_RESULT_BYTES } = entry;
  const { detachAfterMs = DEFAULT_DETACH_AFTER_MS, drainMs = DEFAULT_DRAIN_MS } = entry;
  const {
    typesBudget,
    description,
    rateLimit,
    token,
    operatorToken,
    durable,
    store,
    storeKey,
    project,
    mayApprove,
    metrics,
    allowedHosts = [],
    allowedOrigins = [],
    maxServerProcesses = DEFAULT_SERVER_PROCESSES,
  } = entry;
  return {
    surface,
    bindingLevel,
    trace,
    maxResultBytes,
    direct,
    detachAfterMs,
    drainMs,
    queue: { ...DEFAULT_QUEUE, ...entry.queue },
    allowedHosts,
    allowedOrigins,
    maxServerProcesses,
    clients: Object.entries(entry.clients ?? {}).map(([name, client]) => toServedClient(name, client)),
    ...withoutUndefined({
      toolName,
      typesBudget,
      description,
      rateLimit,
      token,
      operatorToken,
      durable,
      store,
      storeKey,
      project,
      mayApprove,
      metrics,
    }),
  };
}

function toServedClient(
  name: string,
  { token, servers = ["*"], policy, mayApprove = false }: ServedClientEntry,
): ServedClient {
  const patterns = Array.isArray(servers) ? servers : Object.keys(servers);
  const ownValues = Array.isArray(servers) ? [] : Object.entries(servers).filter(([, values]) => hasValues(values));
  return {
    name,
    token,
    servers: patterns,
    mayApprove,
    ...withoutUndefined({ ownValues: ownValues.length === 0 ? undefined : new Map(ownValues), policy }),
  };
}
