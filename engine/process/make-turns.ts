/**
 * Runs tasks one after another: those of one asker in the order in which they were given, and the askers take turns, so that nobody waits
 * for all that another has asked for. A task that fails does not stop the next.
 *
 * @param asker whose turn it is; all who say nothing are one
 */
export type InTurn = <Value>(task: () => Promise<Value>, asker?: string) => Promise<Value>;

export function makeTurns(): InTurn {
  // A map keeps the order of insertion: the first line is the next to be served, and goes to the end then.
  const lines = new Map<string, (() => Promise<unknown>)[]>();
  let isBusy = false;
  let lastServed: string | undefined;

  const serveNext = (): void => {
    const [first, second] = lines;
    const next = first?.[0] === lastServed ? (second ?? first) : first;
    if (next === undefined || isBusy) return;
    const [asker, line] = next;
    lastServed = asker;
    const task = line.shift();
    lines.delete(asker);
    if (line.length > 0) lines.set(asker, line);
    isBusy = true;
    void task?.().finally(() => {
      isBusy = false;
      serveNext();
    });
  };

  return (task, asker = "") =>
    new Promise((resolve, reject) => {
      const mine = async (): Promise<void> => {
        try {
          resolve(await task());
        } catch (error) {
          reject(error);
        }
      };
      const line = lines.get(asker);
      if (line === undefined) lines.set(asker, [mine]);
      else line.push(mine);
      serveNext();
    });
}
