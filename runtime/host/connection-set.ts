import { type Config } from "../../schemas/config.ts";
import { serverUnknown } from "../../schemas/errors.ts";
import { connectServer, type ServerConnection } from "./connections/connect-server.ts";
import { resolveTarget } from "./resolve-target.ts";

/** The connections of a project: each server is connected on first use, once, and shared. */
export interface ConnectionSet {
  get(serverId: string): Promise<ServerConnection>;
  /** Ends all of them; no child process is left when it resolves. */
  close(): Promise<void>;
}

/** Makes a set with no connection yet. A server that did not start, or has crashed, is started anew on the next use. */
export function makeConnectionSet(config: Config, env: NodeJS.ProcessEnv = process.env): ConnectionSet {
  const started = new Map<string, Promise<ServerConnection>>();

  const start = async (serverId: string): Promise<ServerConnection> => {
    const server = config.servers.find(({ id }) => id === serverId);
    if (server === undefined) {
      throw serverUnknown(
        serverId,
        config.servers.map(({ id }) => id),
      );
    }
    return connectServer(resolveTarget(server, { folder: config.folder, env }));
  };

  const connect = (serverId: string): Promise<ServerConnection> => {
    const connecting = start(serverId);
    started.set(serverId, connecting);
    connecting.catch(() => started.delete(serverId));
    return connecting;
  };

  return {
    async get(serverId) {
      const known = started.get(serverId);
      if (known === undefined) return connect(serverId);
      const connection = await known;
      if (connection.ending === undefined) return connection;
      // It has crashed. Whoever comes first starts it anew, the others find that start.
      return started.get(serverId) === known ? connect(serverId) : (started.get(serverId) ?? connect(serverId));
    },
    async close() {
      const outcomes = await Promise.allSettled(started.values());
      await Promise.all(
        outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.close() : undefined)),
      );
    },
  };
}
