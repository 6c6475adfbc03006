import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../../schemas/config/config.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import type { CodemodeError } from "../../schemas/codemode-error.ts";
import type { ServerLog } from "@codemode/runtime/connections/call-listener";
import type { ServerConnection, ServerTarget } from "@codemode/runtime/connections/connect-server";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { type ConnectionOwner, connectionKey, ownerOf } from "./client-server.ts";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { findCredentials, listCredentials, maskCredentials } from "./mask-credentials.ts";
import { observeConnections } from "./observe-connections.ts";
import type { OnServerEvent } from "../../schemas/run/events.ts";
import { makeOthersCredentials } from "./others-credentials.ts";
import { makeRestartDelay } from "@codemode/runtime/connections/restart-delay";
import { makeOwnConnections } from "./own-connections.ts";
import { findOwn, makeServerStarts } from "./resolve-start.ts";
import { connectTarget } from "./connect-target.ts";

/**
 * The connections of a project: each server is connected on first use, once, and shared; with values of its owner it is connected for that
 * owner alone, and ended when it is not used.
 */
export interface ConnectionSet {
  /** The shared connection, unless the owner has values of its own for the server. */
  get(serverId: string, owner?: ConnectionOwner): Promise<ServerConnection>;
  /** The mistake that keeps a configured server from being started: no approval of the account, or a variable that is not set. */
  findMistake(serverId: string, owner?: ConnectionOwner): CodemodeError | undefined;
  /** The credentials of all servers, started or not, and of `serve`: by name and value. */
  credentials(): readonly (readonly [name: string, value: string])[];
  /** Ends all of them; no child process is left when it resolves. */
  close(): Promise<void>;
}

export interface ConnectionSetOptions {
  env?: NodeJS.ProcessEnv | undefined;
  /** Tells the protocol era of servers, which are asked for it otherwise. */
  lockfile?: Lockfile | undefined;
  /** Called when a server connects, is unreachable, or ends. */
  onEvent?: OnServerEvent | undefined;
}

/**
 * Makes a set without connections. A server that did not start, or has crashed, is restarted on the next use: first immediately, then after
 * increasing pauses until it stays up.
 */
export function makeConnectionSet(config: Config, options: ConnectionSetOptions = {}): ConnectionSet {
  const starts = makeServerStarts(config, options.env, options.lockfile);
  /** By `connectionKey`, as all else. */
  const started = new Map<string, Promise<ServerConnection>>();
  const restartDelay = makeRestartDelay();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every server that waits to be started again listens
  const observe = options.onEvent === undefined ? undefined : observeConnections(options.onEvent);
  const own = makeOwnConnections(config.serve.maxServerProcesses, (key) => started.delete(key));
  const others = makeOthersCredentials();
  const hasOwners = config.serve.clients.some(({ ownValues }) => ownValues !== undefined);

  const start = async (serverId: string, owner: ConnectionOwner | undefined): Promise<ServerConnection> => {
    const target = starts.resolve(serverId, owner);
    const [key, client] = [connectionKey(serverId, owner), ownerOf(serverId, owner)];
    if (own.isEnding(key)) await own.ended(key);
    others.learn(client, target);
    const { signal } = closing;
    const pauseMs = restartDelay.next(key);
    // Without a pause a shared server's process is started before this function returns.
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined); // then connecting tells why
    const observed = observe?.(target, client);
    const mask = others.maskFor(client);
    try {
      const onLog = observed && withMask(observed.logged, target, mask.redact);
      if (client !== undefined && target.transport === "stdio") own.take(key, target.name);
      const connection = await connectTarget(findOwn(config, serverId), target, {
        signal,
        ...{ maskOthers: mask.redact, onLog },
        onEnded(ending) {
          own.free(key);
          observed?.ended(ending);
        },
      });
      restartDelay.noteStart(key);
      observed?.connected();
      const idleMs = idleTimeOf(config, serverId, client);
      const during = idleMs === undefined ? undefined : own.endWhenIdle(key, connection, idleMs);
      return maskCredentials(connection, target, { others: hasOwners ? mask : undefined, during });
    } catch (error) {
      own.free(key);
      if (error instanceof ConnectionError && error.kind !== "unauthorized") restartDelay.noteFailure(key);
      if (!signal.aborted) observed?.unreachable(error);
      throw error;
    }
  };

  const connect = (key: string, serverId: string, owner: ConnectionOwner | undefined): Promise<ServerConnection> => {
    const connecting = outsideOfRequests(() => start(serverId, owner));
    started.set(key, connecting);
    connecting.catch(() => started.get(key) === connecting && started.delete(key));
    return connecting;
  };

  return {
    findMistake(serverId, owner) {
      // One that was started has passed the gate, and passes it again if it is restarted.
      return started.has(connectionKey(serverId, owner)) ? undefined : starts.findMistake(serverId, owner);
    },
    async get(serverId, owner) {
      const key = connectionKey(serverId, owner);
      own.touch(key);
      const known = started.get(key);
      if (known === undefined) return connect(key, serverId, owner);
      const connection = await known;
      if (connection.ending === undefined) return connection;
      // It has crashed. The first user restarts it, the others find that start.
      if (started.get(key) !== known) return started.get(key) ?? connect(key, serverId, owner);
      restartDelay.noteEnd(key);
      return connect(key, serverId, owner);
    },
    credentials: () => listCredentials(config, options.env),
    async close() {
      closing.abort();
      const settled = await Promise.allSettled(started.values());
      const connections = settled.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
      await Promise.all([own.close(), ...connections.map((connection) => connection.close())]);
    },
  };
}

/** A connection that all share stays open unless the configuration says how long it may be idle. */
function idleTimeOf({ servers }: Config, serverId: string, client: string | undefined): number | undefined {
  const written = servers.find(({ id }) => id === serverId)?.idleMs;
  return written ?? (client === undefined ? undefined : DEFAULTS.mcpServers.each.idleMs);
}

type ServerLogger = (message: ServerLog) => void;

/** The same logger, without the credentials of the server and what `redact` hides. */
function withMask(log: ServerLogger, target: ServerTarget, redact: (text: string) => string): ServerLogger {
  const own = makeValueMask(findCredentials(target));
  return (message) => log({ ...message, text: redact(own.text(message.text)) });
}
