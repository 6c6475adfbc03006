import { makeFairQueue } from "./fair-queue.ts";

/**
 * Runs tasks one after another: those of one asker in the order in which they were given, and the askers take turns, so that no asker waits
 * for all that another has asked for. A task that fails does not stop the next.
 *
 * @param asker whose turn it is; all who say nothing are one
 */
export type InTurn = <Value>(task: () => Promise<Value>, asker?: string) => Promise<Value>;

export function makeTurns(): InTurn {
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

  return (task, asker = "") =>
    new Promise((resolve, reject) => {
      waiting.add(asker, async () => {
        try {
          resolve(await task());
        } catch (error) {
          reject(error);
        }
      });
      serveNext();
    });
}
