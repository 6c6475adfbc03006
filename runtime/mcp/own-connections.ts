import { serverLimit } from "../../schemas/config/serve-errors.ts";
import type { ServerConnection } from "@codemode/runtime/connections/connect-server";

/** The connections that belong to single clients: how many programs run for them, and when each ends. */
export interface OwnConnections {
  /** Counts the program of a connection until it has ended. Throws a `CodemodeError` where there are as many as there may be. */
  take(key: string, serverName: string): void;
  /** For one that has ended by itself, or did not start. */
  free(key: string): void;
  /** The same connection; it is ended when neither it nor `touch` was used for so long. */
  endWhenIdle(key: string, connection: ServerConnection, idleMs: number): ServerConnection;
  /** Puts the end of an idle connection off. */
  touch(key: string): void;
  isEnding(key: string): boolean;
  /** Resolves when an idle connection that is being ended has ended. */
  ended(key: string): Promise<void>;
  /** Ends the watch over all of them, and waits for those that are being ended. */
  close(): Promise<void>;
}

/** @param onIdle called before an idle connection is ended: who asks for it from then on gets a new one */
export function makeOwnConnections(maxProcesses: number, onIdle: (key: string) => void): OwnConnections {
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
      const during = <Result>(request: () => Promise<Result>): Promise<Result> => request().finally(watch.use());
      return {
        id: connection.id,
        get ending() {
          return connection.ending;
        },
        get renewals() {
          return connection.renewals;
        },
        snapshot: (...args) => during(() => connection.snapshot(...args)),
        callTool: (...call) => during(() => connection.callTool(...call)),
        onToolsChanged: (listener) => connection.onToolsChanged(listener),
        close: () => connection.close(),
      };
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
    if (!isStopped) timer = setTimeout(onIdle, idleMs).unref();
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
