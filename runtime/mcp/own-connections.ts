import { outsideOfRequests } from "@codemode/runtime/connections/outside-of-requests";
import type { ServerConnection } from "@codemode/runtime/connections/connect-server";
import { serverLimit } from "../../schemas/config/serve-errors.ts";
import type { During } from "./mask-credentials.ts";

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
