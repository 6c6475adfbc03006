import { AsyncResource } from "node:async_hooks";
import { makeFairQueue } from "../../schemas/fair-queue.ts";

/**
 * Runs tasks one after another: those of one client in the order in which they were given, and the clients take turns, so that no client waits
 * for all that another has asked for. A task that fails does not stop the next.
 *
 * @param clientId the client of the task; all tasks without one count as one client
 */
export type InTurn = <Value>(task: () => Promise<Value>, clientId?: string) => Promise<Value>;

export function makeFairTurns(): InTurn {
  const waiting = makeFairQueue<() => Promise<void>>();
  let isBusy = false;

  const serveNext = (): void => {
    if (isBusy) return;
    const task = waiting.take();
    if (task === undefined) return;
    isBusy = true;
    void task().finally(() => {
      isBusy = false;
      serveNext();
    });
  };

  return (task, clientId = "") =>
    new Promise((resolve, reject) => {
      const settle = async (): Promise<void> => {
        try {
          resolve(await task());
        } catch (error) {
          reject(error);
        }
      };
      waiting.add(clientId, isBusy ? inThisContext(settle) : settle);
      serveNext();
    });
}

/** A task that waits is called when the one before it ends, which may belong to another request. */
function inThisContext(task: () => Promise<void>): () => Promise<void> {
  const context = new AsyncResource("codemode.turn");
  return () => context.runInAsyncScope(task);
}
