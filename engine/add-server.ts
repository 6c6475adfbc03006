import { asWord } from "../schemas/text/same-names.ts";
import type { Config } from "../schemas/config/config.ts";
import { DEFAULTS, type ServerEntry } from "../schemas/config/config-file.ts";
import { isTrustedStart } from "../runtime/mcp/trust/assert-trusted.ts";
import { type ProjectStart, startOf } from "../runtime/mcp/trust/project-starts.ts";
import { recordTrust } from "../runtime/mcp/trust/record-trust.ts";
import { serverExists } from "../schemas/errors.ts";
import { assignServerIds } from "../schemas/lock/server-ids.ts";
import { toSource } from "../schemas/config/to-config.ts";
import { lockServers, type LockOutcome } from "./project/lock-servers.ts";
import { lockfilePath, readLockfile, writeLockfile } from "./project/lockfile-file.ts";
import { asOneStep } from "./project/as-one-step.ts";
import type { TakenSecret } from "../schemas/secrets/secrets-in-config.ts";
import type { RegistryServer } from "../schemas/config/server-json.ts";
import { fetchServerJson, type ServerJsonPlace } from "./project/config/fetch-server-json.ts";
import { listNeededVariables } from "./project/config/needed-variables.ts";
import { findExposed } from "./project/config/find-exposed.ts";
import { addServerToConfig } from "./project/config/write-project-files.ts";
import { initProject } from "./init-project.ts";
import { withSecrets } from "./fill-secrets.ts";

/**
 * The server that a server.json describes: a file, an address, or a name of the MCP registry. Nothing is started.
 * @throws CodemodeError (`SERVER_JSON_INVALID`, `SERVER_JSON_UNAVAILABLE`)
 */
export function fetchPublishedServer(place: ServerJsonPlace, folder: string): Promise<RegistryServer> {
  return fetchServerJson(place, folder, process.env);
}

/** What a server of a document would start or reach, where this account has not yet agreed to exactly that. */
export function findUnconfirmed(config: Config, name: string, entry: ServerEntry): ProjectStart | undefined {
  const start = startOf({ name, source: toSource(entry) }, config);
  return isTrustedStart(config, start) ? undefined : start;
}

/** @throws CodemodeError (`SERVER_EXISTS`) where the configuration has a server of this name */
export function assertNewServer({ servers }: Config, name: string): void {
  if (servers.some((server) => asWord(server.name) === asWord(name))) throw serverExists(name);
}

/** The variables whose values the servers of a configuration are given. */
export function listGivenVariables({ servers }: Config): ReadonlySet<string> {
  const { required, optional } = listNeededVariables({ servers });
  const inherited = servers.flatMap(({ source }) => (source.transport === "stdio" ? (source.inheritEnv ?? []) : []));
  return new Set([...required, ...optional, ...inherited]);
}

/** What became of a new server. */
export interface AddOutcome {
  /** Undefined where it wants a login first: it is configured, and not locked. */
  locked: LockOutcome | undefined;
  /** What was written for a project that is new with it. */
  written: readonly string[];
  /** Words of its entry that give it the project's own configuration or packages. */
  exposed: readonly string[];
}

/**
 * Connects to a new server, and only when it answered writes it into configuration and lockfile.
 * @param place the configuration, and whether its file is still to be written
 * @param secrets the values of placeholders in the entry, for this connection only
 */
export async function addServer(
  { config, isNew }: { config: Config; isNew: boolean },
  name: string,
  entry: ServerEntry,
  secrets: readonly TakenSecret[],
): Promise<AddOutcome> {
  assertNewServer(config, name);
  const id = assignServerIds([...config.servers.map((server) => server.name), name]).at(-1) as string;
  const { tools, timeoutMs } = DEFAULTS.mcpServers.each;
  const server = { id, name, source: toSource(entry), tools, timeoutMs };
  // The user has just named this program, or agreed to it; the others of the configuration are not started.
  const trusting = { ...config, servers: [...config.servers, server], isTrusted: true };
  const outcome = await lockServers(trusting, await readLockfile(config), [id], { env: withSecrets(secrets, config) });
  const [failure] = outcome.failures;
  // Who sends a token of his own has the wrong one.
  const needsLogin = failure?.wantsLogin === true && entry.headers === undefined;
  if (failure !== undefined && !needsLogin) throw failure.error;
  const written = await asOneStep([config.file, lockfilePath(config)], config.folder, async () => {
    const made = isNew ? (await initProject(config.folder, { servers: new Map(), sources: [] })).written : [];
    await addServerToConfig(config, name, entry);
    if (!needsLogin) await writeLockfile(config, outcome.lockfile);
    await recordTrust(config.folder, [startOf(server, config)]);
    return made;
  });
  return {
    locked: needsLogin ? undefined : outcome,
    written,
    exposed: findExposed(config, { source: toSource(entry) }),
  };
}
