import type { DriftMode, HttpServer, StdioServer } from "../connect-options.ts";
import { CodemodeError } from "../errors.ts";
import { assignServerIds } from "./server-ids.ts";

/** Servers that can be called, and how strict to be with them. */
export interface Configuration {
  /** By server id. */
  servers: ReadonlyMap<string, ServerSettings>;
  drift: DriftMode;
}

/** One server as written, placeholders included. */
export interface ServerSettings {
  id: string;
  name: string;
  entry: StdioServer | HttpServer;
  /** What relative paths are relative to. */
  folder: string;
  timeoutMs: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** Assigns ids; disabled servers have theirs too, so that those of others stay when one is switched off. */
export function toServers(entries: Readonly<Record<string, unknown>>, folder: string): Map<string, ServerSettings> {
  const names = Object.keys(entries);
  const ids = assignServerIds(names);
  const servers = names.flatMap((name, index) => {
    const entry = entries[name];
    assertServer(entry, name);
    const id = ids[index] as string;
    const timeoutMs = entry.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    return entry.disabled === true ? [] : [[id, { id, name, entry, folder, timeoutMs }] as const];
  });
  return new Map(servers);
}

function assertServer(
  entry: unknown,
  name: string,
): asserts entry is (StdioServer | HttpServer) & { disabled?: boolean } {
  const { command, args = [], url, timeoutMs = 1 } = (entry ?? {}) as { [key: string]: unknown };
  const isProgram = typeof command === "string" && Array.isArray(args) && url === undefined;
  const isAddress = typeof url === "string" && command === undefined;
  if ((isProgram || isAddress) && typeof timeoutMs === "number") return;
  throw new CodemodeError(`The configuration of the server "${name}" cannot be used.`, {
    hint: 'Give either "command" and "args", or "url", and a number for "timeoutMs".',
  });
}
