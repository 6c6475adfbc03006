/** Runs tasks one after another, in the order in which they were given. A task that fails does not stop the next. */
export type InTurn = <Value>(task: () => Promise<Value>) => Promise<Value>;

export function makeTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const mine = last.then(task);
    last = mine.catch(() => undefined);
    return mine;
  };
}
