import type { Config, ServerConfig } from "../../schemas/config.ts";
import { serverUnknown } from "../../schemas/errors.ts";

/** The server that a name on the command line means: by its id or by its name in the configuration. */
export function findServer(config: Config, name: string): ServerConfig {
  const server = config.servers.find(({ id }) => id === name) ?? config.servers.find((entry) => entry.name === name);
  if (server !== undefined) return server;
  throw serverUnknown(
    name,
    config.servers.map(({ id }) => id),
  );
}
