import { withoutUndefined } from "../json/without-undefined.ts";
import type { FilledServe, QueueSettings, ServedClientEntry, ServeEntry, ServerValues } from "./config-file.ts";

/** Whether anything is replaced: without it the client shares the server with all others. */
export function hasValues({ env = {}, headers = {} }: ServerValues): boolean {
  return Object.keys(env).length + Object.keys(headers).length > 0;
}

/** How `codemode serve` presents itself: defaults filled in, placeholders still in place. */
export interface ServeSettings extends Omit<FilledServe, "clients"> {
  clients: readonly ServedClient[];
}

/** Someone who comes with a token of their own over HTTP. */
export interface ServedClient extends Omit<ServedClientEntry, "servers"> {
  name: string;
  /** Glob patterns over server ids. */
  servers: readonly string[];
  /** By server id: the values in whose place a server of its own runs for the client. */
  ownValues?: ReadonlyMap<string, ServerValues>;
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
    approvalKey,
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
      approvalKey,
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
