import { withoutUndefined } from "../json/without-undefined.ts";
import {
  DEFAULTS,
  type FilledServe,
  type ServedClientEntry,
  type ServeEntry,
  type ServerValues,
} from "./config-file.ts";

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

/** Fills in the defaults of a checked configuration. */
export function toServeSettings(entry: ServeEntry = {}): ServeSettings {
  return {
    ...DEFAULTS.serve,
    ...entry,
    queue: { ...DEFAULTS.serve.queue, ...entry.queue },
    clients: Object.entries(entry.clients ?? {}).map(([name, client]) => toServedClient(name, client)),
  };
}

function toServedClient(name: string, entry: ServedClientEntry): ServedClient {
  const { token, servers, mayApprove } = { ...DEFAULTS.serve.clients.each, ...entry };
  const patterns = Array.isArray(servers) ? servers : Object.keys(servers);
  const ownValues = Array.isArray(servers) ? [] : Object.entries(servers).filter(([, values]) => hasValues(values));
  return {
    name,
    token,
    servers: patterns,
    mayApprove,
    ...withoutUndefined({ ownValues: ownValues.length === 0 ? undefined : new Map(ownValues), policy: entry.policy }),
  };
}
