import { matchesAny } from "../../../schemas/access/glob.ts";
import type { Config, ServerConfig } from "../../../schemas/config/config.ts";
import { serverUnknown } from "../../../schemas/errors.ts";
import { asWord } from "../../../schemas/text/same-names.ts";
import type { Lockfile } from "../../../schemas/lock/lockfile.ts";

/** The server that a name on the command line means: by its id or by its name in the configuration. */
export function findServer(config: Config, name: string): ServerConfig {
  const wanted = asWord(name);
  const server =
    config.servers.find(({ id }) => id === name) ?? config.servers.find((entry) => asWord(entry.name) === wanted);
  if (server !== undefined) return server;
  throw serverUnknown(
    name,
    config.servers.map(({ id }) => id),
  );
}

/** The ids of the servers that are configured and have no lock entry; only ids that match `wanted`, where it is given. */
export function findUnlocked(
  { servers }: Pick<Config, "servers">,
  lockfile: Lockfile,
  wanted?: readonly string[],
): string[] {
  const ids = servers.map(({ id }) => id).filter((id) => !lockfile.servers.has(id));
  return wanted === undefined ? ids : ids.filter((id) => matchesAny(id, wanted));
}
