import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Config, OwnServerConfig } from "../../schemas/config/config.ts";
import { DEFAULTS } from "../../schemas/config/config-file.ts";
import { serverUnknown } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { ServerLog } from "@codemode/runtime/connections/call-listener";
import { connectServer, type ServerConnection, type ServerTarget } from "@codemode/runtime/connections/connect-server";
import type { OpenTransport } from "@codemode/runtime/connections/establish-link";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import { type ConnectionOwner, connectionKey, findServerFor, ownerOf } from "./client-server.ts";
import { connectFunctions, withGuards } from "./connect-functions.ts";
import { connectWithLogin } from "./connect-with-login.ts";
import { makeValueMask } from "../../schemas/secrets/mask-values.ts";
import { type During, findCredentials, listCredentials, maskCredentials } from "./mask-credentials.ts";
import { observeConnections } from "./observe-connections.ts";
import type { OnServerEvent } from "../../schemas/run/events.ts";
import { makeOthersCredentials } from "./others-credentials.ts";
import { withHiddenErrors } from "./hide-errors.ts";
import { ProgramTransport, tellingCallers } from "./program-transport.ts";
import { resolveTarget } from "./resolve-target.ts";
import { filledVariables } from "./variables.ts";
import { makeRestartDelay } from "@codemode/runtime/connections/restart-delay";
import { assertTrusted } from "./trust/assert-trusted.ts";
import { serverLimit } from "../../schemas/config/serve-errors.ts";

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
    const target = resolveStart(config, options, serverId, owner);
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
      const connection = await connectOwnOr(findOwn(config, serverId), target, {
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
      const isStarted = started.has(connectionKey(serverId, owner));
      return isStarted ? undefined : mistakeOfStart(config, options, serverId, owner);
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

/** Functions of the program need no transport, and its servers one in memory. */
async function connectOwnOr(
  own: OwnServerConfig | undefined,
  target: ServerTarget,
  options: Parameters<typeof connectWithLogin>[1],
): Promise<ServerConnection> {
  if (own === undefined) return connectWithLogin(target, options);
  const { program } = own.source;
  if (program.kind === "functions") return withGuards(connectFunctions({ id: target.id, ...program }), program);
  const openTransport: OpenTransport = (failures) => new ProgramTransport(program.make, failures);
  const connection = tellingCallers(await connectServer(target, { ...options, openTransport }));
  return withGuards(withHiddenErrors(connection, program.onHidden), program);
}

function findOwn({ own = [] }: Config, serverId: string): OwnServerConfig | undefined {
  return own.find(({ id }) => id === serverId);
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

function mistakeOfStart(
  config: Config,
  options: ConnectionSetOptions,
  serverId: string,
  owner: ConnectionOwner | undefined,
): CodemodeError | undefined {
  if (!config.servers.some(({ id }) => id === serverId)) return undefined;
  try {
    resolveStart(config, options, serverId, owner);
    return undefined;
  } catch (error) {
    if (error instanceof CodemodeError) return error;
    throw error;
  }
}

/** Every start of a server's command goes through here, and none goes past the gate. */
function resolveStart(
  config: Config,
  { env = process.env, lockfile }: ConnectionSetOptions,
  serverId: string,
  owner: ConnectionOwner | undefined,
): ServerTarget {
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
  return resolveTarget(server, { folder: config.folder, variables, era: lockfile?.servers.get(serverId)?.era });
}

/** The connections that belong to single clients: how many programs run for them, and when each ends. */
interface OwnConnections {
  /** Counts the program of a connection until it has ended. Throws a `CodemodeError` where there are as many as there may be. */
  take(key: string, serverName: string): void;
  /** For one that has ended by itself, or did not start. */
  free(key: string): void;
  /** Ends a connection when neither the function that this gives nor `touch` was used for so long. */
  endWhenIdle(key: string, connection: ServerConnection, idleMs: number): During;
  /** Puts the end of an idle connection off. */
  touch(key: string): void;
  isEnding(key: string): boolean;
  /** Resolves when an idle connection that is being ended has ended. */
  ended(key: string): Promise<void>;
  /** Ends the watch over all of them, and waits for connections that are being ended. */
  close(): Promise<void>;
}

/** @param onIdle called before an idle connection is ended: who asks for it from then on gets a new one */
function makeOwnConnections(maxProcesses: number, onIdle: (key: string) => void): OwnConnections {
  const programs = new Set<string>();
  const watches = new Map<string, IdleWatch>();
  const endings = new Map<string, Promise<void>>();

  const end = (key: string, connection: ServerConnection): void => {
    watches.delete(key);
    onIdle(key);
    const ending = connection
      .close()
      .catch(() => undefined)
      .finally(() => {
        programs.delete(key);
        endings.delete(key);
      });
    endings.set(key, ending);
  };

  return {
    take(key, serverName) {
      if (programs.size >= maxProcesses && !programs.has(key)) throw serverLimit(serverName, maxProcesses);
      programs.add(key);
    },
    free(key) {
      programs.delete(key);
      watches.get(key)?.stop();
      watches.delete(key);
    },
    endWhenIdle(key, connection, idleMs) {
      const watch = watchIdleness(idleMs, () => end(key, connection));
      watches.set(key, watch);
      return (request) => request().finally(watch.use());
    },
    touch: (key) => watches.get(key)?.use()(),
    isEnding: (key) => endings.has(key),
    ended: (key) => endings.get(key) ?? Promise.resolve(),
    async close() {
      for (const watch of watches.values()) watch.stop();
      await Promise.all(endings.values());
    },
  };
}

/** Watches how long something is unused. */
interface IdleWatch {
  /** Begins a use; the function ends it. */
  use(): () => void;
  stop(): void;
}

/** Calls `onIdle` once, when there was no use for so long. */
export function watchIdleness(idleMs: number, onIdle: () => void): IdleWatch {
  let uses = 0;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const wait = (): void => {
    if (!isStopped) timer = outsideOfRequests(() => setTimeout(onIdle, idleMs).unref());
  };
  wait();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
    use() {
      uses += 1;
      clearTimeout(timer);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        uses -= 1;
        if (uses === 0) wait();
      };
    },
  };
}
