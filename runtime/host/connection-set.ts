import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../../schemas/config/config.ts";
import { serverUnknown } from "../../schemas/errors.ts";
import type { Lockfile } from "../../schemas/lock/lockfile.ts";
import { CodemodeError } from "../../schemas/codemode-error.ts";
import type { ServerLog } from "@codemode/runtime/connections/call-listener";
import type { ServerConnection, ServerTarget } from "@codemode/runtime/connections/connect-server";
import { ConnectionError } from "@codemode/runtime/connections/connection-error";
import { connectWithLogin } from "./connect-with-login.ts";
import { makeRedactor } from "@codemode/runtime/connections/redact-secrets";
import { findCredentials, maskCredentials } from "./mask-credentials.ts";
import { observeConnections } from "./observe/observe-connections.ts";
import type { OnServerEvent } from "../../schemas/run/server-event.ts";
import { resolveTarget } from "./resolve-target.ts";
import { makeRestartDelay } from "@codemode/runtime/connections/restart-delay";
import { assertTrusted } from "./trust/assert-trusted.ts";

/** The connections of a project: each server is connected on first use, once, and shared. */
export interface ConnectionSet {
  get(serverId: string): Promise<ServerConnection>;
  /** The mistake that keeps a configured server from being started: no consent of the account, or a variable that is not set. */
  findMistake(serverId: string): CodemodeError | undefined;
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
  const started = new Map<string, Promise<ServerConnection>>();
  const restartDelay = makeRestartDelay();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every server that waits to be started again listens
  const observe = options.onEvent === undefined ? undefined : observeConnections(options.onEvent);

  /** Every start of the command goes through here, and none goes past the gate. */
  const resolveStart = (serverId: string): ServerTarget => {
    const server = config.servers.find(({ id }) => id === serverId);
    if (server === undefined) {
      throw serverUnknown(
        serverId,
        config.servers.map(({ id }) => id),
      );
    }
    assertTrusted(config, serverId);
    const era = options.lockfile?.servers.get(serverId)?.era;
    return resolveTarget(server, { folder: config.folder, env: options.env ?? process.env, era });
  };

  const start = async (serverId: string): Promise<ServerConnection> => {
    const target = resolveStart(serverId);
    const { signal } = closing;
    const pauseMs = restartDelay.next(serverId);
    // Without a pause its process is started before this function returns.
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined); // then connecting tells why
    const observed = observe?.(target);
    try {
      const redact = makeRedactor(findCredentials(target));
      const onLog = observed && ((message: ServerLog) => observed.logged({ ...message, text: redact(message.text) }));
      const connection = await connectWithLogin(target, { signal, onEnded: observed?.ended, onLog });
      restartDelay.noteStart(serverId);
      observed?.connected();
      return maskCredentials(connection, target);
    } catch (error) {
      if (error instanceof ConnectionError && error.kind !== "unauthorized") restartDelay.noteFailure(serverId);
      if (!signal.aborted) observed?.unreachable(error);
      throw error;
    }
  };

  const connect = (serverId: string): Promise<ServerConnection> => {
    const connecting = start(serverId);
    started.set(serverId, connecting);
    connecting.catch(() => started.delete(serverId));
    return connecting;
  };

  return {
    findMistake(serverId) {
      // One that was started has passed the gate, and passes it again if it is restarted.
      if (started.has(serverId) || !config.servers.some(({ id }) => id === serverId)) return undefined;
      try {
        resolveStart(serverId);
        return undefined;
      } catch (error) {
        if (error instanceof CodemodeError) return error;
        throw error;
      }
    },
    async get(serverId) {
      const known = started.get(serverId);
      if (known === undefined) return connect(serverId);
      const connection = await known;
      if (connection.ending === undefined) return connection;
      // It has crashed. The first user restarts it, the others find that start.
      if (started.get(serverId) !== known) return started.get(serverId) ?? connect(serverId);
      restartDelay.noteEnd(serverId);
      return connect(serverId);
    },
    async close() {
      closing.abort();
      const outcomes = await Promise.allSettled(started.values());
      await Promise.all(
        outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.close() : undefined)),
      );
    },
  };
}
