import { homedir } from "node:os";
import { type Config, DEFAULT_SERVER_TIMEOUT_MS, type ServerEntry } from "../schemas/config/config.ts";
import { startOf } from "../runtime/host/trust/project-starts.ts";
import { recordTrust } from "../runtime/host/trust/record-trust.ts";
import { serverExists, variableUnset } from "../schemas/errors.ts";
import { assignServerIds } from "../schemas/lock/names.ts";
import { replacePlaceholders } from "@codemode/runtime/placeholders";
import { toSource } from "../schemas/config/to-config.ts";
import { lockServers, type LockOutcome } from "./project/lock-servers.ts";
import { readLockfile, writeLockfile } from "./project/lockfile-file.ts";
import type { TakenSecret } from "../schemas/secrets/secrets-in-config.ts";
import type { PublishedServer } from "../schemas/config/server-json.ts";
import { fetchServerJson, type ServerJsonPlace } from "./project/config/fetch-server-json.ts";
import { addServerToConfig } from "./project/config/write-config.ts";

/**
 * The server that a server.json describes: a file, an address, or a name of the MCP registry. Nothing is started.
 * @throws CodemodeError (`SERVER_JSON_INVALID`, `SERVER_JSON_UNAVAILABLE`)
 */
export function fetchPublishedServer(place: ServerJsonPlace, folder: string): Promise<PublishedServer> {
  return fetchServerJson(place, folder, process.env);
}

/**
 * Connects to a new server, and only when that worked writes it into configuration and lockfile.
 * @param secrets the values of placeholders in the entry, for this connection only
 */
export async function addServer(
  config: Config,
  name: string,
  entry: ServerEntry,
  secrets: readonly TakenSecret[],
): Promise<LockOutcome> {
  if (config.servers.some((server) => server.name === name)) throw serverExists(name);
  const id = assignServerIds([...config.servers.map((server) => server.name), name]).at(-1) as string;
  const server = {
    id,
    name,
    source: toSource(entry),
    tools: { include: [], exclude: [] },
    timeoutMs: DEFAULT_SERVER_TIMEOUT_MS,
  };
  // The user has just named this program himself; the others of the configuration are not started.
  const trusting = { ...config, servers: [...config.servers, server], isTrusted: true };
  const outcome = await lockServers(trusting, await readLockfile(config), [id], { env: withSecrets(secrets, config) });
  if (outcome.failures[0] !== undefined) throw outcome.failures[0].error;
  await addServerToConfig(config, name, entry);
  await writeLockfile(config, outcome.lockfile);
  await recordTrust(config.folder, [startOf(server)]);
  return outcome;
}

/** A secret may be made of placeholders itself, such as an address with `${USER}` in it. */
function withSecrets(secrets: readonly TakenSecret[], { folder }: Config): NodeJS.ProcessEnv {
  const values = { env: process.env, workspaceFolder: folder, userHome: homedir() };
  const filled = secrets.map(({ server, variable, value }) => [
    variable,
    replacePlaceholders(value, values, (unset) => variableUnset(server, unset)),
  ]);
  return { ...process.env, ...(Object.fromEntries(filled) as NodeJS.ProcessEnv) };
}
