import type { Access } from "../../schemas/access/access.ts";
import type { Config, OwnServerConfig, ServerConfig, ServerSource } from "../../schemas/config/config.ts";
import type { ServerValues } from "../../schemas/config/config-file.ts";

/** For whom a server is connected: clients without values of their own for it share one connection with all others. */
export type ConnectionOwner = Pick<Access, "client" | "ownValues">;

/** Names the one connection that an owner has to a server. Ids have no space, so no name of a client makes two of them the same. */
export function connectionKey(serverId: string, owner: ConnectionOwner | undefined): string {
  const client = ownerOf(serverId, owner);
  return client === undefined ? serverId : `${serverId} ${client}`;
}

/** The client that a server runs for alone; undefined where it is shared. */
export function ownerOf(serverId: string, owner: ConnectionOwner | undefined): string | undefined {
  return owner?.ownValues?.has(serverId) === true ? (owner.client ?? "") : undefined;
}

/** A server of the configuration, or of the program itself. */
export function findAnyServer(
  { servers, own = [] }: Pick<Config, "servers" | "own">,
  serverId: string,
): ServerConfig | OwnServerConfig | undefined {
  return [...servers, ...own].find(({ id }) => id === serverId);
}

/** A configured server with the values of its owner. */
export function findServerFor(
  { servers }: Pick<Config, "servers">,
  serverId: string,
  owner: ConnectionOwner | undefined,
): ServerConfig | undefined {
  const server = servers.find(({ id }) => id === serverId);
  const values = owner?.ownValues?.get(serverId);
  return server === undefined || values === undefined ? server : withValues(server, values);
}

/** The servers that run for single clients, each with its client's values. */
export function listClientServers({ servers, serve }: Config): { client: string; server: ServerConfig }[] {
  return serve.clients.flatMap(({ name: client, ownValues }) =>
    servers.flatMap((server) => {
      const values = ownValues?.get(server.id);
      return values === undefined ? [] : [{ client, server: withValues(server, values) }];
    }),
  );
}

function withValues(server: ServerConfig, values: ServerValues): ServerConfig {
  return { ...server, source: replaceValues(server.source, values) };
}

/** A server with some of its values replaced, and new ones added. Names of headers are compared without their case. */
export function replaceValues(source: ServerSource, { env = {}, headers = {} }: ServerValues): ServerSource {
  if (source.transport === "stdio") return { ...source, env: new Map([...source.env, ...Object.entries(env)]) };
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = [...source.headers].filter(([name]) => !names.has(name.toLowerCase()));
  return { ...source, headers: new Map([...kept, ...Object.entries(headers)]) };
}
