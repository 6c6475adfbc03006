import type { Config, OwnServerConfig, ServerConfig } from "../../../schemas/config/config.ts";
import type { LockedServer } from "../../../schemas/lock/lockfile.ts";
import { type ConnectionOwner, connectionKey, findAnyServer } from "../../mcp/client-server.ts";
import type { ConnectionSet } from "../../mcp/connection-set.ts";
import type { ServerConnection } from "@codemode/runtime/connections/connect-server";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { snapshotServer } from "./snapshot-servers.ts";

/** A connection between two of its renewals: what a list says of the server holds no longer than that. */
export interface CallPlace {
  connection: ServerConnection;
  renewals: number;
}

export interface ListedConnection extends CallPlace {
  /** Absent where the list was not needed. */
  live: LockedServer | undefined;
}

/** What servers list, asked for again where it may have changed. */
export interface ServerLooks {
  /** The server as it is. Runs that start together share one list. */
  list(server: ServerConfig | OwnServerConfig, owner: ConnectionOwner): Promise<LockedServer>;
  /** The servers that were listed for that owner, as they were last. */
  seen(serverIds: readonly string[], owner: ConnectionOwner): ReadonlyMap<string, LockedServer>;
  /**
   * A connection for a call, with the server as it is listed there. The server is listed again first where it was restarted, has
   * lost its session, or has announced a change.
   * @param needsList for a connection whose list is still under way or could not be had: whether to ask for it once more
   */
  connect(
    serverId: string,
    owner: ConnectionOwner,
    needsList: (place: CallPlace) => boolean,
  ): Promise<ListedConnection>;
  /** Whether `connect` would find the same now, without asking the server. */
  isCurrent(serverId: string, owner: ConnectionOwner, listed: ListedConnection): boolean;
}

/** A server that announces a change with each list is called on its latest one. */
const MAX_LISTS_BEFORE_CALL = 3;
/** A server that forgets the session with each list has none that a call could go by. */
const MAX_LISTS = 6;

/** The last look at a server over one connection. */
interface Look extends CallPlace {
  at: number;
  isStale: boolean;
  /** Absent until a look has succeeded. */
  live?: LockedServer | undefined;
}

/**
 * Makes what looks at the servers of a host.
 * @param acceptedOf what is accepted of a server now: its tools keep their export names
 * @param now milliseconds, from any fixed point
 */
export function makeServerLooks(
  config: Config,
  connections: ConnectionSet,
  acceptedOf: (serverId: string) => LockedServer | undefined,
  now: () => number = performance.now.bind(performance),
): ServerLooks {
  /** By `connectionKey`. */
  const looks = new Map<string, Look>();
  const pending = new Map<string, Promise<LockedServer>>();

  /** The look that belongs to a connection. It listens once, for as long as the connection lives. */
  const lookOver = (key: string, connection: ServerConnection): Look => {
    const known = looks.get(key);
    if (known?.connection === connection) return known;
    const look: Look = { connection, renewals: connection.renewals, at: 0, isStale: false };
    connection.onToolsChanged(() => (look.isStale = true));
    looks.set(key, look);
    return look;
  };

  /** The server as it is; asked for again after a notification, a restart, or when the last look is too old. */
  const liveServer = async (server: ServerConfig | OwnServerConfig, owner: ConnectionOwner): Promise<LockedServer> => {
    const connection = await connections.get(server.id, owner);
    const look = lookOver(connectionKey(server.id, owner), connection);
    const isOfNow = !look.isStale && look.renewals === connection.renewals;
    if (look.live !== undefined && isOfNow && now() - look.at < config.relistAfterMs) return look.live;
    // Before asking: a notification that comes while the list is under way makes this look stale at once.
    look.isStale = false;
    look.renewals = connection.renewals;
    look.at = now();
    look.live = undefined;
    look.live = (await snapshotServer(server, connection, config, acceptedOf(server.id))).server;
    return look.live;
  };

  /** Runs that start together share one look. */
  const sharedLook = (server: ServerConfig | OwnServerConfig, owner: ConnectionOwner): Promise<LockedServer> => {
    const key = connectionKey(server.id, owner);
    const running = pending.get(key) ?? liveServer(server, owner).finally(() => pending.delete(key));
    pending.set(key, running);
    return running;
  };

  const connect: ServerLooks["connect"] = async (serverId, owner, needsList) => {
    const server = findAnyServer(config, serverId);
    const key = connectionKey(serverId, owner);
    for (let lists = 0; ; lists += 1) {
      const connection = await connections.get(serverId, owner);
      const { renewals } = connection;
      const look = looks.get(key);
      if (server === undefined) return { connection, renewals, live: undefined };
      if (look?.connection === connection && look.renewals === renewals) {
        const isSettled = !look.isStale || lists >= MAX_LISTS_BEFORE_CALL;
        if (isSettled && look.live !== undefined) return { connection, renewals, live: look.live };
        if (isSettled && !needsList({ connection, renewals })) return { connection, renewals, live: undefined };
      }
      if (lists >= MAX_LISTS) throw forgetsAlways(server.name);
      await sharedLook(server, owner);
    }
  };

  return {
    list: sharedLook,
    connect,
    isCurrent(serverId, owner, { connection, renewals, live }) {
      const look = looks.get(connectionKey(serverId, owner));
      if (look === undefined || look.isStale || look.live === undefined || look.live !== live) return false;
      const isOfLook = look.connection === connection && look.renewals === renewals;
      return isOfLook && connection.renewals === renewals && connection.ending === undefined;
    },
    seen: (serverIds, owner) => {
      const lives = serverIds.map((id) => [id, looks.get(connectionKey(id, owner))?.live] as const);
      return new Map(lives.filter((entry): entry is readonly [string, LockedServer] => entry[1] !== undefined));
    },
  };
}

function forgetsAlways(serverName: string): ConnectionError {
  const hint = "Restart the server, or ask its operator about sessions.";
  const message = `The server "${serverName}" loses the session each time its tools are listed`;
  return new ConnectionError("session-lost", message, { serverName, hint });
}
