import type { DriftMode, HttpServer, StdioServer } from "../connect-options.ts";
import { CodemodeError } from "../errors.ts";
import type { ServerSubject } from "../../mcp/client/project-trust.ts";
import type { EnvFilePlace } from "../../mcp/client/env-files.ts";
import { DEFAULTS } from "../../../schemas/config/config-file.ts";
import { assignServerIds } from "../../../schemas/lock/server-ids.ts";

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
  /** Files of variables of the server itself. */
  envFile?: readonly string[] | undefined;
  /** Files of variables of the whole configuration. */
  project: EnvFilePlace;
  timeoutMs: number;
}

/** What a configuration gives to all of its servers. */
interface Shared {
  /** Names of variables that every program gets as they are. */
  inheritEnv?: readonly string[];
  /** Files of variables for placeholders. */
  envFile?: readonly string[] | undefined;
}

/** Assigns ids; disabled servers have ids too, so that no id changes when a server is switched off. */
export function toServers(
  entries: Readonly<Record<string, unknown>>,
  folder: string,
  { inheritEnv = [], envFile }: Shared = {},
): Map<string, ServerSettings> {
  const names = Object.keys(entries);
  const ids = assignServerIds(names);
  const project = { folder, envFile };
  const servers = names.flatMap((name, index) => {
    const written = entries[name];
    assertServer(written, name);
    const entry = "url" in written ? written : { ...written, inheritEnv: joinNames(inheritEnv, written.inheritEnv) };
    const id = ids[index] as string;
    const timeoutMs = entry.timeoutMs ?? DEFAULTS.mcpServers.each.timeoutMs;
    const settings = { id, name, entry, folder, timeoutMs, envFile: toFiles(written.envFile), project };
    return written.disabled === true ? [] : [[id, settings] as const];
  });
  return new Map(servers);
}

/** The names of both lists, each once, sorted. */
function joinNames(ofAll: readonly string[], own: readonly string[] = []): string[] {
  return [...new Set([...ofAll, ...own])].toSorted();
}

/** The paths of `envFile`, which may be one. */
export function toFiles(written: unknown): readonly string[] | undefined {
  const list = (Array.isArray(written) ? written : [written]).filter((path) => typeof path === "string");
  return list.length === 0 ? undefined : list;
}

/** The parts of a server that a user approves; codemode's host makes the same of the same configuration. */
export function trustSubjectOf({ entry, envFile }: ServerSettings): ServerSubject {
  if ("url" in entry) {
    const { url, headers = {}, type, roots } = entry;
    const { oauth } = entry as { oauth?: Readonly<Record<string, unknown>> };
    return { transport: type === "sse" ? "sse" : "http", url, headers, oauth, roots, envFile };
  }
  const { command, args = [], env = {}, inheritEnv = [], cwd, roots } = entry;
  return { transport: "stdio", command, args, env, inheritEnv, cwd, roots, envFile };
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
