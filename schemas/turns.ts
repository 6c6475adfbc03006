/** Does tasks one after the other, in the order in which they came. */
export type Turns = <Value>(task: () => Promise<Value>) => Promise<Value>;

/** @param onIdle called whenever the last of them is done */
export function makeTurns(onIdle?: () => void): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = last.then(task);
    const done = turn
      .catch(() => undefined)
      .then(() => {
        if (last === done) onIdle?.();
      });
    last = done;
    return turn;
  };
}
