import type { ServerTarget } from "@codemode/runtime/connections/connect-server";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { Config, OwnServerConfig } from "../../schemas/config/config.ts";
import { serverUnknown } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { type ConnectionOwner, findServerFor } from "./client-server.ts";
import { resolveTarget } from "./resolve-target.ts";
import { assertTrusted } from "./trust/assert-trusted.ts";
import { filledVariables } from "./variables.ts";

/** How the servers of a configuration are started. */
export interface ServerStarts {
  /** What is started for that owner. Throws a `CodemodeError` where it must not be, or cannot be. */
  resolve(serverId: string, owner: ConnectionOwner | undefined): ServerTarget;
  /** The mistake that `resolve` throws; undefined where there is none, or no such server. */
  findMistake(serverId: string, owner: ConnectionOwner | undefined): CodemodeError | undefined;
}

/**
 * Every start of a server's command goes through here, and none goes past the gate.
 * @param lockfile tells the protocol era of servers
 */
export function makeServerStarts(
  config: Config,
  env: NodeJS.ProcessEnv = process.env,
  lockfile?: Lockfile,
): ServerStarts {
  const resolve: ServerStarts["resolve"] = (serverId, owner) => {
    const own = findOwn(config, serverId);
    if (own !== undefined) return { id: own.id, name: own.name, timeoutMs: own.timeoutMs, transport: "program" };
    const server = findServerFor(config, serverId, owner);
    if (server === undefined) {
      throw serverUnknown(
        serverId,
        config.servers.map(({ id }) => id),
      );
    }
    assertTrusted(config, server);
    const variables = filledVariables(config, env, server);
    return resolveTarget(server, config.folder, variables, lockfile?.servers.get(serverId)?.era);
  };
  return {
    resolve,
    findMistake(serverId, owner) {
      if (!config.servers.some(({ id }) => id === serverId)) return undefined;
      try {
        resolve(serverId, owner);
        return undefined;
      } catch (error) {
        if (error instanceof CodemodeError) return error;
        throw error;
      }
    },
  };
}

/** A server of the program itself. */
export function findOwn({ own = [] }: Config, serverId: string): OwnServerConfig | undefined {
  return own.find(({ id }) => id === serverId);
}
